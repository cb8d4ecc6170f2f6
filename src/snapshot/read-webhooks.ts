import { kindOf } from "../kinds/index.ts";
import { readRecord } from "../kinds/read-record.ts";
import type { Live } from "../model/live.ts";
import type { Reader } from "./reader.ts";

export async function readWebhooks(reader: Reader): Promise<readonly Live[]> {
  const records = await reader.all("/webhooks");
  return records.map((record) => readRecord(kindOf("webhook"), record, null)).filter((live) => live !== null);
}
