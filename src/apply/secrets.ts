// Webhook secrets: where they go, and how they are rotated.
export { commandSink } from "./secrets/command-sink.ts";

export { finishRotation, type RotationEnd, testWebhook } from "./secrets/finish-rotation.ts";

export { type Rotated, type RotationWish, rotateWebhook } from "./secrets/rotate-webhook.ts";
