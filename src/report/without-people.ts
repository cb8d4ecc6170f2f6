// What says who somebody is, left out of what others may read.

const personal =
  /buyer|customer|payer|holder|attendee|guest|contact|user|person|e-?mail|phone|mobile|address|billing|shipping|note|comment|memo|remark|instruction|(first|last|full)_?name|^name$|^ip$/i;
const mail = /(?<=[^\s@])@[^\s@]+\.[^\s@]/;

/** Nobody knows what a payment or a delivery may show of people, so what looks like it is left out. */
export function withoutPeople(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPeople);
  if (typeof value === "string") return mail.test(value) ? "(hidden)" : value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field]) => !personal.test(field))
      .map(([field, each]) => [field, withoutPeople(each)]),
  );
}
