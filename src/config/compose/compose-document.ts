// From a document as it is written to the document as it is meant: what it inherits below it, its variables filled in.
import { kindOf } from "../../kinds/index.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { checkPart } from "../check/check.ts";
import { varNodes } from "../settings/decode-settings.ts";
import { entryOf, holdsVariables, type LocatedMap } from "../yaml/located.ts";
import { mergeOver, withEntryDefaults } from "./merge.ts";
import { type Inherit, makeInherit, type Templates } from "./templates.ts";
import { type Allowance, interpolate, type Variables, withVars } from "./variables.ts";

const kind = kindOf("event");

export interface ComposeInputs {
  readonly defaults: LocatedMap | null;
  readonly templates: Templates;
  readonly variables: Variables;
}

export interface Composed {
  /** Without what only says how it is composed. */
  readonly map: LocatedMap;
  /** Names of the templates that it extends, also through others. */
  readonly templates: readonly string[];
}

/** `allowance` is that of the file. */
export function composeDocument(
  content: LocatedMap,
  inputs: ComposeInputs,
  problems: Diagnostic[],
  allowance: Allowance,
): Composed {
  const inherited = inheritFrom(inputs)(entryOf(content, "extends"));
  problems.push(...inherited.problems);
  const merged = mergeOver(kind, inherited.map, content, problems);
  const { document, composition } = split(merged);
  const bad = composition.entries.size === 0 ? none : checkPart(kind, kind.schema, composition, problems);
  const variables = withVars(inputs.variables, varNodes(entryOf(composition, "vars"), bad), problems);
  const whole = withEntryDefaults(kind, document, inputs.defaults);
  const map = holdsVariables(whole) ? (interpolate(whole, variables, problems, allowance) as LocatedMap) : whole;
  return { map, templates: inherited.templates };
}

const none = new Set<never>();

/** What documents inherit is worked out once for all that extend the same. */
const inherits = new WeakMap<ComposeInputs, Inherit>();

function inheritFrom(inputs: ComposeInputs): Inherit {
  const inherit = inherits.get(inputs) ?? makeInherit(inputs.defaults, inputs.templates);
  inherits.set(inputs, inherit);
  return inherit;
}

/** What is said of the object, and what is said of how it is composed. */
function split(map: LocatedMap): { readonly document: LocatedMap; readonly composition: LocatedMap } {
  const isComposition = ([field]: readonly [string, unknown]) => kind.fields[field]?.role === "compose";
  const entries = [...map.entries];
  return {
    document: { ...map, entries: new Map(entries.filter((entry) => !isComposition(entry))) },
    composition: { ...map, entries: new Map(entries.filter(isComposition)) },
  };
}
