// The built program as bin/ticketing.js runs it, with a lock that lasts seconds. MACHINE: a name for the machine that it
// takes itself to be on.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { readlinkSync } = fs;
fs.readlinkSync = (path, ...more) => {
  const found = readlinkSync(path, ...more);
  return path === "/proc/self/ns/pid" ? `${found} ${process.env.MACHINE ?? ""}` : found;
};
syncBuiltinESMExports();

const { run } = await import("../../dist/main.cjs");
process.exit(await run({ lockTimes: JSON.parse(process.env.LOCK_TIMES) }));
