import { gitUnderTest } from "./git-store.ts";
import { storeShards } from "./shards.ts";

storeShards(gitUnderTest);
