import { httpUnderTest } from "./http-store.ts";
import { storeProcesses } from "./processes.ts";

storeProcesses(httpUnderTest("gitlab"));
