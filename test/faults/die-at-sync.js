// Loaded before the program: the process kills itself at the n-th time that it makes something durable.
import { open } from "node:fs/promises";

const at = Number(process.env.DIE_AT_SYNC ?? 0);
const moment = process.env.DIE_MOMENT ?? "after";
// Only the journal is made durable by datasync: state and secrets are synced whole.
const name = process.env.DIE_WRITING === "file" ? "sync" : "datasync";
let count = 0;

const probe = await open(process.execPath, "r");
const prototype = Object.getPrototypeOf(probe);
await probe.close();
const durably = prototype[name];

prototype[name] = async function orDie() {
  count += 1;
  if (count === at && moment === "before") process.kill(process.pid, "SIGKILL");
  await durably.call(this);
  if (count === at && moment === "after") process.kill(process.pid, "SIGKILL");
};
