// What the lint room shares with the rules of single kinds.
export { callOf, type Finding, findingAt, instantOf, placeOf, textField } from "./lint-rules/finding.ts";
export { whyNotPublic } from "./lint-rules/webhooks.ts";
