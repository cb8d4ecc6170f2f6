#!/usr/bin/env node
const { run } = require("../dist/main.cjs");

// What is printed has been handed over by now; a connection that lingers must not keep the command from ending.
run().then((exitCode) => process.exit(exitCode));
