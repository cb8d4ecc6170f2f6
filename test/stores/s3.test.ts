import { storeContract } from "./contract.ts";
import { storeProcesses } from "./processes.ts";
import { s3Under } from "./s3-store.ts";
import { storeShards } from "./shards.ts";

storeContract(s3Under("as AWS", {}));
storeContract(s3Under("ETags compared bare, as Ceph", { etags: "compared-bare" }));
storeProcesses(s3Under("as AWS", {}));
storeShards(s3Under("as AWS", {}));
