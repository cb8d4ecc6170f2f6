// Reading a whole body by a table of its fields, all problems at once.

import type { Profile } from "../../profile/knobs.ts";
import type { FieldProblem } from "../refusal.ts";
import { type Field, readField } from "./field.ts";

export type Fields = Readonly<Record<string, Field>>;
export type Body = Readonly<Record<string, unknown>>;

export interface BodyReading {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: readonly FieldProblem[];
}

/** For a create: every field gets a value, its fallback where the body is silent. */
export function readWhole(fields: Fields, body: Body, profile: Profile, prefix = ""): BodyReading {
  const values: Record<string, unknown> = {};
  const problems = strangers(fields, body, profile, prefix);
  for (const name in fields) {
    const field = fields[name] as Field;
    const given = body[name];
    if (given === undefined || (given === null && field.required !== true)) {
      if (field.required === true) problems.push({ field: prefix + name, message: `${name} is required` });
      else values[name] = field.fallback ?? null;
      continue;
    }
    take(name, field, given);
  }
  return { values, problems };

  function take(name: string, field: Field, given: unknown): void {
    const reading = readField(field, given, profile);
    if ("value" in reading) values[name] = reading.value;
    else problems.push({ field: prefix + name, message: `${name} ${reading.problem}` });
  }
}

/** For a PATCH: only the fields that the body provides. */
export function readPart(fields: Fields, body: Body, profile: Profile): BodyReading {
  const values: Record<string, unknown> = {};
  const problems = strangers(fields, body, profile, "");
  for (const name in fields) {
    const field = fields[name] as Field;
    const given = body[name];
    if (given === undefined) continue;
    if (given === null) {
      const verdict = clear(field, profile);
      if ("problem" in verdict) problems.push({ field: name, message: `${name} ${verdict.problem}` });
      else if (verdict.cleared) values[name] = field.fallback ?? null;
      continue;
    }
    const reading = readField(field, given, profile);
    if ("value" in reading) values[name] = reading.value;
    else problems.push({ field: name, message: `${name} ${reading.problem}` });
  }
  return { values, problems };
}

function clear(field: Field, profile: Profile): { readonly cleared: boolean } | { readonly problem: string } {
  if (field.required === true) return { problem: "must not be null" };
  switch (profile.clearing) {
    case "accepted":
      return { cleared: true };
    case "ignored":
      return { cleared: false };
    case "refused":
      return { problem: "must not be null" };
  }
}

function strangers(fields: Fields, body: Body, profile: Profile, prefix: string): FieldProblem[] {
  if (profile.unknownFields === "dropped") return [];
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(fields, name))
    .map((name) => ({ field: prefix + name, message: `${name} is not a field of this request` }));
}
