// New files are named by the slugs of their events, and never like anything that is there.
import { posix } from "node:path";
import { fileStem, freeStem } from "../../import/file-name.ts";
import type { Live } from "../../model/live.ts";
import type { Desk } from "./desk.ts";

export async function makeFileNamer(desk: Desk, folder: string): Promise<(live: Live) => string> {
  const { files } = await desk.files.list([posix.join(folder, "*")]);
  const keys = desk.project.events.map((wish) => wish.own.key ?? "");
  // In lower case: some systems cannot tell Jazz.yaml from jazz.yaml.
  const taken = new Set([...files.map(stemOf), ...keys].map((stem) => stem.toLowerCase()));
  const remembered = rememberedIds(desk);
  return (live) => {
    const name = typeof live.fields.name === "string" ? live.fields.name : null;
    const stem = freeStem(
      fileStem([live.slug, name], `event-${live.id.slice(0, 8)}`),
      (candidate) => taken.has(candidate) || (remembered.get(candidate) ?? live.id) !== live.id,
    );
    taken.add(stem);
    return posix.join(folder, `${stem}.yaml`);
  };
}

/** The file's part of an event's address, where the document gives no key. */
export function stemOf(file: string): string {
  return posix.basename(file).replace(/\.ya?ml$/i, "");
}

/** A key that state knows stands for an event of its own, even where its document is gone. */
function rememberedIds(desk: Desk): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [address, { kind, id }] of Object.entries(desk.state?.objects ?? {})) {
    if (kind === "event") ids.set(stemOf(address).toLowerCase(), id);
  }
  return ids;
}
