import { storeShards } from "../shards.ts";
import { postgresUnderTest } from "./store.ts";

storeShards(postgresUnderTest);
