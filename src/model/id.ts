// Ids are the service's own: sent back letter for letter as it shows them, and compared without case, as UUIDs are.

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What an id is looked up by. */
export function idKey(id: string): string {
  return id.toLowerCase();
}

export function sameId(one: unknown, other: unknown): boolean {
  if (one === other) return typeof one === "string";
  return typeof one === "string" && typeof other === "string" && idKey(one) === idKey(other);
}

/** Each id once, in its first spelling. */
export function distinctIds(ids: readonly string[]): readonly string[] {
  const found = new Map<string, string>();
  for (const id of ids) if (!found.has(idKey(id))) found.set(idKey(id), id);
  return [...found.values()];
}
