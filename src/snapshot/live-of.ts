import type { Kind } from "../kinds/define.ts";
import { isThere, readRecord } from "../kinds/read-record.ts";
import type { Live } from "../model/live.ts";
import { problemOf } from "../service/problem.ts";
import { ReadFailure } from "./read-failure.ts";

/** What a record shows; null where it is gone. What is there and cannot be spoken of must not pass for not being there. */
export function liveOf(kind: Kind, record: unknown, parentId: string | null): Live | null {
  const live = readRecord(kind, record, parentId);
  if (live !== null || !isThere(record)) return live;
  const name = record[kind.identity.label];
  const what = typeof name === "string" ? `the ${kind.name} '${name}'` : `a record among ${kind.plural}`;
  const id = record.id === undefined ? "without an id" : `with the id ${JSON.stringify(record.id)}, which is no UUID`;
  throw new ReadFailure(
    problemOf(
      "refused",
      "unexpected-answer",
      `The service shows ${what} ${id}, so nothing can be said about it in a call.`,
      "The reading stopped here, so that nothing is taken for missing and made twice. Check that baseUrl names the ticketing service, version 1 (it ends in /open-api/v1).",
    ),
  );
}
