/** The id of every record in these answers: all of it was live when it was read. */
export function idsIn(answers: Iterable<{ readonly data: unknown }>): readonly string[] {
  const ids = new Set<string>();
  for (const { data } of answers) {
    for (const record of Array.isArray(data) ? data : [data]) {
      if (typeof record === "object" && record !== null && "id" in record && typeof record.id === "string") {
        ids.add(record.id);
      }
    }
  }
  return [...ids];
}
