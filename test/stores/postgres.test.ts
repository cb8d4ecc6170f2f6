import { storeContract } from "./contract.ts";
import { postgresUnderTest } from "./postgres-store.ts";
import { storeProcesses } from "./processes.ts";

storeContract(postgresUnderTest);
storeProcesses(postgresUnderTest);
