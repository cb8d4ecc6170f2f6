#!/usr/bin/env node
import { run } from "../dist/main.js";

// What is printed has been handed over by now; a connection that lingers must not keep the command from ending.
process.exit(await run());
