// What the lint room shares with the rules of single kinds.
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
export { notAZone } from "./lint-rules/times.ts";
export { whyNotPublic } from "./lint-rules/webhooks.ts";
