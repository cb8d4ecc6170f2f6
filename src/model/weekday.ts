// The days of the week as people write them.

/** In the order of `Date.getUTCDay`. */
export const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** 0 is Sunday; null where it is no day. The first three letters do, in any case. */
export function readWeekday(text: string): number | null {
  const word = text.trim().toLowerCase();
  const day = weekdays.findIndex((name) => name === word || name.slice(0, 3) === word);
  return day === -1 ? null : day;
}

/** Without flags, which schemas of editors do not have. */
export const weekdayPattern =
  /^(?:[Ss][Uu][Nn](?:[Dd][Aa][Yy])?|[Mm][Oo][Nn](?:[Dd][Aa][Yy])?|[Tt][Uu][Ee](?:[Ss][Dd][Aa][Yy])?|[Ww][Ee][Dd](?:[Nn][Ee][Ss][Dd][Aa][Yy])?|[Tt][Hh][Uu](?:[Rr][Ss][Dd][Aa][Yy])?|[Ff][Rr][Ii](?:[Dd][Aa][Yy])?|[Ss][Aa][Tt](?:[Uu][Rr][Dd][Aa][Yy])?)$/;
