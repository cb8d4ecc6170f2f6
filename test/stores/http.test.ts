import { storeContract } from "./contract.ts";
import { httpUnderTest } from "./http-store.ts";
import { storeProcesses } from "./processes.ts";
import { storeShards } from "./shards.ts";

storeContract(httpUnderTest("gitlab"));
storeContract(httpUnderTest("plain"));
storeProcesses(httpUnderTest("gitlab"));
storeShards(httpUnderTest("gitlab"));
