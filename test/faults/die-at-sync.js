// Loaded before the program: the process kills itself at its n-th write to the journal that is made durable.
import { open } from "node:fs/promises";

const at = Number(process.env.DIE_AT_SYNC ?? 0);
const moment = process.env.DIE_MOMENT ?? "after";
let count = 0;

const probe = await open(process.execPath, "r");
const prototype = Object.getPrototypeOf(probe);
await probe.close();
const { datasync } = prototype;

/** Only the journal is made durable by datasync: state and secrets are synced whole. */
prototype.datasync = async function datasyncOrDie() {
  count += 1;
  if (count === at && moment === "before") process.kill(process.pid, "SIGKILL");
  await datasync.call(this);
  if (count === at && moment === "after") process.kill(process.pid, "SIGKILL");
};
