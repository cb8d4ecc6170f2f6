import { randomUUID } from "node:crypto";
import type { State } from "../model/state.ts";

export type Organization = NonNullable<State["organization"]>;

/** The state of a project that remembers nothing yet. */
export function beginState(organization: Organization | null): State {
  return { formatVersion: 1, lineage: randomUUID(), serial: 0, organization, objects: {} };
}
