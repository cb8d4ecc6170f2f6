// What a file says of live objects.
export { type Defaults, describeEvent, type EventObservation, zoneOf } from "./describe/describe-event.ts";

export { sortLives } from "./describe/describe-list.ts";

export { describeObject, hasRequiredFields, writeField } from "./describe/describe-object.ts";

export {
  type Correction,
  type Corrections,
  type DescribedEvent,
  type DescribedList,
  type Description,
  type FieldEntry,
  noCorrection,
} from "./describe/description.ts";
