// Everything that the service shows of the events that are asked for.
import type { EventSight } from "../../import/describe-event.ts";
import { kindOf, kinds } from "../../kinds/index.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Live } from "../../model/live.ts";
import { makeListReader } from "../../snapshot/read-lists.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { fieldsOf } from "./find-asked.ts";
import { venueNamesIn } from "./venue-names.ts";

const listKinds = kinds.filter((kind) => kind.parent === "event").map((kind) => kind.name);

export async function readSights(
  reader: Reader,
  events: readonly Live[],
  onProgress: (done: number, total: number) => void,
): Promise<readonly EventSight[]> {
  const readList = makeListReader(reader, { settleMs: 0, sleep: async () => undefined });
  let done = 0;
  onProgress(done, events.length);
  const sights = await Promise.all(
    events.map(async (live) => {
      const lists = await Promise.all(
        listKinds.map(async (name): Promise<[KindName, readonly Live[]]> => {
          const list = { eventId: live.id, kind: name, fields: fieldsOf(kindOf(name)), fresh: [], atLeast: 0 };
          return [name, await readList(list)];
        }),
      );
      onProgress(++done, events.length);
      return { live, lists: Object.fromEntries(lists) };
    }),
  );
  const venueNames = venueNamesIn(reader.kept());
  return sights.map((sight) => ({ ...sight, venueNames }));
}
