// Answers to writes. Where the document does not show the body, the profile decides how much comes back.
import type { Desk, Reply } from "./call.ts";

type Shown = Readonly<Record<string, unknown>>;

/** The answer to a create. */
export function created(desk: Desk, record: Shown): Reply {
  switch (desk.profile().createAnswer) {
    case "record":
      return { status: 201, data: record };
    case "partial":
      return { status: 201, data: { id: record.id } };
    case "null":
      return { status: 201, data: null };
  }
}

/** The answer to any other write on events, ticket types and webhooks, and to an edit of a schedule entry. */
export function written(desk: Desk, record: Shown): Reply {
  switch (desk.profile().writeAnswer) {
    case "record":
      return { status: 200, data: record };
    case "partial":
      return { status: 200, data: { id: record.id } };
    case "null":
      return { status: 200, data: null };
    case "204":
      return { status: 204 };
  }
}

/** The document shows this one. */
export function deleted(id: string): Reply {
  return { status: 200, data: { deleted: true, id } };
}
