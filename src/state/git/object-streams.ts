// What git's plumbing takes and gives as a stream.

/** As git's fast-import takes a text: its length in bytes comes first. */
export function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

interface StoredObject {
  readonly id: string;
  readonly type: string;
  readonly content: string;
}

/** What `cat-file --batch` prints: for each object a line with its id, type and size, then its bytes and a line end. null: one is missing. */
export function objectsIn(output: Buffer): readonly StoredObject[] | null {
  const objects: StoredObject[] = [];
  for (let at = 0; at < output.length; ) {
    const start = output.indexOf("\n", at) + 1;
    const header = output.toString("utf8", at, start).trim();
    const [id = "", type = "", size] = header.split(" ");
    if (size === undefined) return null;
    const end = start + Number(size);
    objects.push({ id, type, content: output.toString("utf8", start, end) });
    at = end + 1;
  }
  return objects;
}
