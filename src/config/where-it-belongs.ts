import { event } from "../kinds/event.ts";
import { webhook } from "../kinds/webhook.ts";
import { keysOf, keysWithin, type Schema, schemaAt, stepInto, typeOf } from "./schema-walk.ts";

/** Says of a field that does not exist here where it does: by its own name, else by those that may be meant by it. */
export function whereItBelongs(
  key: string,
  path: readonly PropertyKey[],
  root: Schema,
  meant: readonly string[],
): string | null {
  for (const name of [key, ...meant]) {
    const place =
      below(name, path, root) ?? above(name, path, root) ?? beside(name, path, root) ?? inWebhook(name, root);
    if (place !== null)
      return name === key ? `It belongs ${place}.` : `It is called \`${name}\`, and belongs ${place}.`;
  }
  return null;
}

function below(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  const field = holderOf(name, schemaAt(root, path) ?? root, null);
  return field === null ? null : `one level down, in ${field}`;
}

function above(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  // A default of an entry is not a default of the event.
  if (path.length === 0 || path[0] === "defaults") return null;
  const { schema, field } = holder(path, root);
  return schema !== undefined && keysOf(schema).includes(name) ? `one level up, beside \`${field}\`` : null;
}

/** In another list of the same object. Everything has a name, so that one is at home nowhere else. */
function beside(name: string, path: readonly PropertyKey[], root: Schema): string | null {
  if (path.length === 0 || name === "name" || name === "title") return null;
  const { schema, field } = holder(path, root);
  const other = schema === undefined ? null : holderOf(name, schema, field);
  return other === null ? null : `in ${other}`;
}

function inWebhook(name: string, root: Schema): string | null {
  return root === event.schema && keysOf(webhook.schema).includes(name) ? "in a webhook, in webhooks.yaml" : null;
}

/** What the object at the path is part of, and by which field. */
function holder(path: readonly PropertyKey[], root: Schema) {
  const steps = typeof path.at(-1) === "number" ? -2 : -1;
  return { schema: schemaAt(root, path.slice(0, steps)), field: String(path.at(steps)) };
}

/** The field of an object that holds objects with a field of this name. */
function holderOf(name: string, schema: Schema, except: string | null): string | null {
  for (const field of keysOf(schema)) {
    const held = field === except ? undefined : stepInto(schema, field)[0];
    if (held === undefined || !keysWithin(held).includes(name)) continue;
    return `${typeOf(held) === "array" ? "an entry of " : ""}\`${field}\``;
  }
  return null;
}
