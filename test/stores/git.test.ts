import { storeContract } from "./contract.ts";
import { gitUnderTest } from "./git-store.ts";
import { storeProcesses } from "./processes.ts";

storeContract(gitUnderTest);
storeProcesses(gitUnderTest);
