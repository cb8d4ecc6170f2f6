// Which fields the service shows at all. A field that some records show and another leaves out is empty there, not hidden.
import type { Kind } from "../kinds/define.ts";
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";

export class ShownFields {
  readonly #shown = new Set<string>();

  add(live: Live): void {
    for (const field of Object.keys(live.fields)) this.#shown.add(field);
  }

  has(field: string): boolean {
    return this.#shown.has(field);
  }

  /** The same object with fields that are shown elsewhere and missing here as empty ones. */
  fill(kind: Kind, live: Live): Live {
    const fields: Record<string, Value> = { ...live.fields };
    let changed = false;
    for (const field of this.#shown) {
      const policy = kind.fields[field];
      if (field in fields || policy?.role !== "value" || policy.required === true) continue;
      // A missing flag or choice means nothing in particular; only what can be empty can be taken for empty.
      if (policy.form === "flag" || policy.form === "choice") continue;
      fields[field] = null;
      changed = true;
    }
    return changed ? { ...live, fields } : live;
  }
}
