#!/usr/bin/env node
const { run } = require("../dist/main.cjs");

// For a run that never ends and leaves nothing to wait for: Node would call that a success.
process.exitCode = 1;
// What is printed has been handed over by now; a connection that lingers must not keep the command from ending.
run().then((exitCode) => process.exit(exitCode));
