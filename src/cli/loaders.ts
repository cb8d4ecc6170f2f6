// The file behind each command, loaded when it is typed, so that a command costs only what it needs.
import type { World } from "../app/world.ts";

/** A command's own options are more than the common ones; the parser makes them by its usage. */
type LoadedRun = (world: World, options: never) => Promise<number>;

/** By the command's name with those above it. */
export const loaders: Readonly<Record<string, () => Promise<LoadedRun>>> = {
  apply: async () => (await import("./commands/apply.ts")).runApply,
  "ci plan": async () => (await import("./commands/ci.ts")).runCiPlan,
  "ci apply": async () => (await import("./commands/ci.ts")).runCiApply,
  "ci drift": async () => (await import("./commands/ci.ts")).runCiDrift,
  "state list": async () => (await import("./commands/state.ts")).runStateList,
  "state show": async () => (await import("./commands/state.ts")).runStateShow,
  "state log": async () => (await import("./commands/state.ts")).runStateLog,
  "state rm": async () => (await import("./commands/state.ts")).runStateRm,
  "state pull": async () => (await import("./commands/state.ts")).runStatePull,
  "state migrate": async () => (await import("./commands/state.ts")).runStateMigrate,
  "state reseal": async () => (await import("./commands/state.ts")).runStateReseal,
  "state unlock": async () => (await import("./commands/state.ts")).runStateUnlock,
  init: async () => (await import("./commands/init.ts")).runInit,
  import: async () => (await import("./commands/init.ts")).runImport,
  copy: async () => (await import("./commands/documents.ts")).runCopy,
  fmt: async () => (await import("./commands/documents.ts")).runFmt,
  show: async () => (await import("./commands/documents.ts")).runShow,
  upcoming: async () => (await import("./commands/documents.ts")).runUpcoming,
  preview: async () => (await import("./commands/documents.ts")).runPreview,
  plan: async () => (await import("./commands/plan.ts")).runPlan,
  validate: async () => (await import("./commands/validate.ts")).runValidate,
  explain: async () => (await import("./commands/explain.ts")).runExplain,
  schema: async () => (await import("./completion/completion.ts")).runSchema,
  sandbox: async () => (await import("./commands/sandbox.ts")).runSandbox,
  status: async () => (await import("./commands/status.ts")).runStatus,
  orders: async () => (await import("./commands/operate.ts")).runOrders,
  "orders show": async () => (await import("./commands/operate.ts")).runOrdersShow,
  "venues search": async () => (await import("./commands/operate.ts")).runVenuesSearch,
  "webhooks list": async () => (await import("./commands/webhooks.ts")).runWebhooksList,
  "webhooks test": async () => (await import("./commands/webhooks.ts")).runWebhooksTest,
  "webhooks rotate": async () => (await import("./commands/webhooks.ts")).runWebhooksRotate,
  "webhooks deliveries": async () => (await import("./commands/webhooks.ts")).runWebhooksDeliveries,
  whoami: async () => (await import("./commands/operate.ts")).runWhoami,
  "sandbox sell": async () => (await import("./commands/sandbox.ts")).runSandboxSell,
  "sandbox refund": async () => (await import("./commands/sandbox.ts")).runSandboxRefund,
  "sandbox reset": async () => (await import("./commands/sandbox.ts")).runSandboxReset,
  completion: async () => (await import("./completion/completion.ts")).runCompletion,
};

/** What the scripts of `ticketing completion` run: `ticketing __complete WORD…`. */
export async function loadNames() {
  return (await import("./completion/completion.ts")).printCompletions;
}
