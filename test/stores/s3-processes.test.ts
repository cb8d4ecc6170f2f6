import { storeProcesses } from "./processes.ts";
import { s3Under } from "./s3-store.ts";

storeProcesses(s3Under("as AWS", {}));
