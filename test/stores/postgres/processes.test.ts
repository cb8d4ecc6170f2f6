import { storeProcesses } from "../processes.ts";
import { postgresUnderTest } from "./store.ts";

storeProcesses(postgresUnderTest);
