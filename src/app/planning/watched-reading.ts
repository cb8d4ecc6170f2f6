// What `plan --watch` has read of the service, for the next time that the files change.
import { makeReader, type Reader } from "../../snapshot/reader.ts";
import type { Session } from "../session/open-session.ts";
import type { World } from "../world.ts";

const mostAgeMs = 5 * 60_000;

/**
 * Only for showing plans. It is forgotten after a few minutes, for another service or key, and once an apply has changed state.
 */
export function makeWatchedReading(world: World) {
  let last: { readonly reader: Reader; readonly source: string; readonly since: number } | null = null;
  return {
    /** Reads what was not read before. `afresh`: everything. */
    readerFor(session: Session, afresh: boolean): Reader {
      const source = JSON.stringify([session.environment, session.baseUrl, session.state]);
      const now = world.now();
      const isGood = last !== null && last.source === source && now - last.since < mostAgeMs;
      const kept = isGood && !afresh ? last : null;
      const reader = makeReader(session.target.client, kept?.reader.kept());
      last = { reader, source, since: kept?.since ?? now };
      return reader;
    },
    /** When the oldest of it was read; null: nothing was. */
    get since(): number | null {
      return last?.since ?? null;
    },
  };
}
