// Names of new files: by the slugs of their events, with the date where several share one, and never like anything that is there.
import { posix } from "node:path";
import { eventStems } from "../../import/names.ts";
import type { Live } from "../../model/live.ts";
import type { NameSeries } from "./compose-series.ts";
import type { ImportContext } from "./imported.ts";

export interface FileNamer {
  readonly nameFile: (live: Live) => string;
  readonly nameSeries: NameSeries;
}

export async function makeFileNamer(
  context: ImportContext,
  folder: string,
  lives: readonly Live[],
): Promise<FileNamer> {
  const stemsOf = eventStems(lives);
  const { files } = await context.files.list([posix.join(folder, "*")]);
  const keys = context.project.events.flatMap(({ own: { key = "" } }) => [key, key.replace(/@.*$/, "")]);
  // In lower case: some systems do not distinguish Jazz.yaml from jazz.yaml.
  const used = new Set([...files.map(stemOf), ...keys].map((stem) => stem.toLowerCase()));
  const remembered = rememberedIds(context);
  const fileOf = (stem: string) => {
    used.add(stem);
    return posix.join(folder, `${stem}.yaml`);
  };
  return {
    nameFile(live) {
      const isFree = (stem: string) => !used.has(stem) && (remembered.get(stem) ?? live.id) === live.id;
      return fileOf(stemsOf(live).find(isFree) ?? live.id);
    },
    nameSeries(stems, ids) {
      const isFree = (stem: string) =>
        !used.has(stem) &&
        [...remembered].every(([key, id]) => {
          const [name, day = ""] = key.split("@");
          return name !== stem || ids.get(day) === id;
        });
      const stem = stems.find(isFree);
      return stem === undefined ? null : fileOf(stem);
    },
  };
}

/** The file's part of an event's address, if the document gives no key. */
export function stemOf(file: string): string {
  return posix.basename(file).replace(/\.ya?ml$/i, "");
}

/** A key that state knows belongs to an event of its own, even if its document is gone. */
function rememberedIds(context: ImportContext): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const [address, { kind, id }] of Object.entries(context.state?.objects ?? {})) {
    if (kind === "event") ids.set(stemOf(address).toLowerCase(), id);
  }
  return ids;
}
