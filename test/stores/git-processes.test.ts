import { gitUnderTest } from "./git-store.ts";
import { storeProcesses } from "./processes.ts";

storeProcesses(gitUnderTest);
