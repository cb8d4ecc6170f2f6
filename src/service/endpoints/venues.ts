import { manyRecords } from "../checked.ts";
import type { PageQuery } from "../fields.ts";
import type { VenueRecord } from "../records.ts";
import type { Result } from "../result.ts";
import type { Caller } from "./caller.ts";

export function venueEndpoints(caller: Caller) {
  return {
    /** One page. */
    async search(query: string, page: PageQuery = {}): Promise<Result<readonly VenueRecord[]>> {
      return manyRecords(await caller.request("GET", "/venues/search", { query: { query, ...page } }));
    },
    /** All pages. */
    async searchAll(query: string): Promise<Result<readonly VenueRecord[]>> {
      return manyRecords(await caller.listAll("/venues/search", { query }, { sized: true }));
    },
  };
}
