// Day by day: sales, orders, venues, webhooks.
export type { Sale, Sandbox } from "../sandbox/index.ts";
export { describeHolder } from "../state/store.ts";
export {
  findInState,
  forgetObject,
  inspectState,
  readRuns,
  removeLock,
  resealState,
} from "./operate/inspect-state.ts";
export {
  type DeliveriesRequest,
  type RotateRequest,
  readHistories,
  rotateSecret,
  tryWebhooks,
  viewWebhooks,
  type WebhookRequest,
} from "./operate/manage-webhooks.ts";
export { type MigrateRequest, migrateState } from "./operate/migrate-state.ts";

export {
  type OrderRequest,
  type OrdersRequest,
  type OrdersWriter,
  readOrder,
  readOrders,
} from "./operate/read-orders.ts";
export { followStatus, type StatusRequest, type StatusRound } from "./operate/read-status.ts";
export { type SandboxPlace, type SandboxServing, serveSandbox, withSandboxHands } from "./operate/sandbox-access.ts";

export { type AccountRead, findVenuesByName, type VenuesRequest, viewOwnAccount } from "./operate/service-facts.ts";
