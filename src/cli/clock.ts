/** The clock that commands go by: TICKETING_NOW makes it stand still, so that two runs print the same. Null where that is not a time. */
export function clockOf(setting: string | undefined): (() => number) | null {
  if (setting === undefined || setting === "") return Date.now;
  // A time without a zone would mean another instant on every machine.
  const zoned = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(setting) || !setting.includes("T") ? setting : `${setting}Z`;
  const instant = Date.parse(zoned);
  return Number.isNaN(instant) || !/^[+-]?\d{4}/.test(setting) ? null : () => instant;
}
