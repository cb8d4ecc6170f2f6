// Webhook secrets: where they are stored, and how they are rotated.
export { commandSink } from "./secrets/command-sink.ts";
export {
  finishRotation,
  type Rotated,
  type RotationEnd,
  type RotationWish,
  rotateWebhook,
  testWebhook,
} from "./secrets/rotate-webhook.ts";
