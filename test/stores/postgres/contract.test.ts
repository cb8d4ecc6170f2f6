import { storeContract } from "../contract.ts";
import { storeProcesses } from "../processes.ts";
import { postgresUnderTest } from "./store.ts";

storeContract(postgresUnderTest);
storeProcesses(postgresUnderTest);
