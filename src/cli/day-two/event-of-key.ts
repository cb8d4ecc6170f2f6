// The event of a sandbox that a key of the project stands for.
import { chooseEnvironment } from "../../config/choose-environment.ts";
import { diskFiles } from "../../config/disk-files.ts";
import { loadSettings } from "../../config/load-settings.ts";
import { kindOf } from "../../kinds/index.ts";
import { readRecord } from "../../kinds/read-record.ts";
import { encodeSegment } from "../../model/address.ts";
import { matchEvents } from "../../plan/match-events.ts";
import type { EventRow } from "../../sandbox/index.ts";
import type { World } from "../world.ts";
import { loadProjectWishes } from "./project-wishes.ts";

/** Its id; null where no document has the key, or the sandbox does not hold its event. */
export async function eventOfKey(
  world: World,
  directory: string,
  word: string,
  rows: readonly EventRow[],
): Promise<string | null> {
  const loaded = await loadSettings(diskFiles(directory));
  const environment = chooseEnvironment(loaded.settings, { flagEnv: "sandbox", env: {} });
  if (!("name" in environment)) return null;
  const { events, remember } = await loadProjectWishes(world, directory, environment, loaded);
  const address = word.startsWith("events/") ? word : `events/${encodeSegment(word)}`;
  if (!events.some((wish) => wish.address === address)) return null;
  const lives = rows.flatMap((row) => readRecord(kindOf("event"), { ...row }, null) ?? []);
  const now = world.now();
  const matches = matchEvents({ wishes: events, lives, remember, baseOf: () => undefined, now });
  return matches.get(address)?.live?.id ?? null;
}
