import { httpUnderTest } from "./http-store.ts";
import { storeShards } from "./shards.ts";

storeShards(httpUnderTest("gitlab"));
