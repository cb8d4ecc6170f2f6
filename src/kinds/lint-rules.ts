// What the lint room shares with the rules of single kinds.
export { callOf, findingAt, instantOf, placeOf, textOf } from "./lint-rules/finding.ts";
export { whyNotPublic } from "./lint-rules/webhooks.ts";
