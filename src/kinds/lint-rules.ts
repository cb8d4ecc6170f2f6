// What the lint room shares with the rules of single kinds.

export { notAZone } from "./lint-rules/event-times.ts";
export {
  callDate,
  callOf,
  type Finding,
  findingAt,
  howToLeave,
  instantOf,
  placeOf,
  textField,
} from "./lint-rules/finding.ts";
export { whyNotPublic } from "./lint-rules/webhook-addresses.ts";
