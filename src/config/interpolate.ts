import type { Diagnostic } from "../model/diagnostic.ts";
import { type Allowance, fillIn, type Lookup, reported } from "./fill-in.ts";
import type { Located, LocatedEntry, LocatedScalar } from "./located.ts";
import type { Variables } from "./variables.ts";

/** The same values with every `${…}` in a text filled in. `allowance` is that of the file. */
export function interpolate(
  node: Located,
  variables: Variables,
  problems: Diagnostic[],
  allowance: Allowance,
): Located {
  const { vars, names, env } = variables;
  const lookup: Lookup = {
    lookUp: (name) => vars.get(name) ?? (names.includes(name) ? reported : undefined),
    names,
    env,
  };
  const allowances = [allowance, variables.allowance];
  return fill(node);

  function fill(here: Located): Located {
    switch (here.type) {
      case "scalar":
        return here.marks === undefined ? here : fillScalar(here);
      case "list":
        return { ...here, items: here.items.map(fill) };
      case "map": {
        const entries = new Map<string, LocatedEntry>();
        for (const [key, entry] of here.entries) entries.set(key, { key: entry.key, value: fill(entry.value) });
        return { ...here, entries };
      }
    }
  }

  function fillScalar(scalar: LocatedScalar): LocatedScalar {
    const value = fillIn(scalar, lookup, problems, allowances);
    const filled = { ...scalar, plain: false, filledFrom: String(scalar.value) };
    return value === undefined ? { ...filled, reported: true } : { ...filled, value };
  }
}
