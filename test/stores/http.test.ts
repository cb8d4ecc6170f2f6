import { storeContract } from "./contract.ts";
import { httpUnderTest } from "./http-store.ts";
import { storeProcesses } from "./processes.ts";

storeContract(httpUnderTest("gitlab"));
storeContract(httpUnderTest("plain"));
storeProcesses(httpUnderTest("gitlab"));
