import { kindOf } from "../kinds/index.ts";
import type { Live } from "../model/live.ts";
import { awaitFresh, type Patience } from "./await-fresh.ts";
import { liveOf } from "./live-of.ts";
import type { Reader } from "./reader.ts";

const path = "/webhooks";
const impatient: Patience = { settleMs: 0, sleep: async () => undefined };

/** `fresh`: ids that were made so lately that the list may not show them yet. */
export function readWebhooks(
  reader: Reader,
  fresh: readonly string[] = [],
  patience: Patience = impatient,
): Promise<readonly Live[]> {
  return awaitFresh(
    async () => {
      if (fresh.length > 0) reader.forget(path);
      const records = await reader.all(path);
      return records.map((record) => liveOf(kindOf("webhook"), record, null)).filter((live) => live !== null);
    },
    { fresh, atLeast: 0 },
    patience,
  );
}
