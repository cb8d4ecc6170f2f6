import type { Diagnostic } from "../model/diagnostic.ts";
import type { State } from "../model/state.ts";
import type { Organization } from "./begin-state.ts";

/** The problem of state that speaks of other people's objects; null where it may be used. */
export function checkOrganization(state: State | null, organization: Organization, place: string): Diagnostic | null {
  const known = state?.organization ?? null;
  if (known === null || known.id === organization.id) return null;
  return {
    code: "state-of-another-organization",
    severity: "error",
    message: `${place} is the state of the organization '${known.slug}', and the key belongs to '${organization.slug}'.`,
    hint: `Use the key of '${known.slug}', give this organization an environment of its own (--env), or move ${place} away to begin anew.`,
  };
}
