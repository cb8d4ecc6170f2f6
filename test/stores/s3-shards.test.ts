import { s3Under } from "./s3-store.ts";
import { storeShards } from "./shards.ts";

storeShards(s3Under("as AWS", {}));
