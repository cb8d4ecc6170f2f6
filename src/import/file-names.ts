// A file name that every system accepts, from a slug that the service made.
import type { Live } from "../model/live.ts";
import { formatLocalTime, standardZone, zoneOr } from "../model/time.ts";
import { findSecret, parseUrl } from "../model/value.ts";

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;
const longestStem = 80;

/** The first of the texts that leaves something to name a file by. */
export function fileStem(texts: readonly (string | null)[], otherwise: string): string {
  for (const text of texts) {
    const stem = slugify(text ?? "");
    if (stem !== "") return reserved.test(stem) ? `${stem}-event` : stem;
  }
  return otherwise;
}

/** The stem that names an event. What the service appended to make slugs unique means nothing to people. */
function eventStem({ slug, fields, id }: Live, isAppended: (suffix: string, name: unknown) => boolean): string {
  const name = typeof fields.name === "string" ? fields.name : null;
  return fileStem([isAppended(suffixOf({ slug, fields }), name) ? null : slug, name], `event-${id.slice(0, 8)}`);
}

/** What follows the name in the slug. */
function suffixOf({ slug, fields }: Pick<Live, "slug" | "fields">): string {
  const stem = slugify(typeof fields.name === "string" ? fields.name : "");
  const whole = slugify(slug ?? "");
  return stem !== "" && whole.startsWith(`${stem}-`) ? whole.slice(stem.length + 1) : "";
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Numbers that people may have meant: 2027, 1930, 202701, 20270108.
const dateOrTime = /^(\d{4}|(19|20)\d\d(0[1-9]|1[0-2])([0-3]\d)?)$/;
// And part2, 10th or 8pm.
const wordAndNumber = /^([a-z]+\d{1,2}|\d+[a-z]{1,2})$/;

/** Letters and digits. */
function isAtRandom(suffix: string): boolean {
  return uuid.test(suffix) || (/^(?=.*\d)(?=.*[a-z_])[a-z0-9_]{4,}$/.test(suffix) && !wordAndNumber.test(suffix));
}

/** A number that does not say when the event starts; on New Year's Eve, the next year may. */
function isCounter(live: Live): boolean {
  const [day = "", time] = startParts(live);
  const [all, year] = [day.replaceAll("-", ""), day.slice(0, 4)];
  const meant = [all, year, `${Number(year) + 1}`, all.slice(0, 6), all.slice(4), time];
  const suffix = suffixOf(live);
  return /^\d+$/.test(suffix) && !(day === "" ? dateOrTime.test(suffix) : meant.includes(suffix));
}

/** File names for each event, shortest first. Events that would share one are distinguished by date, and by time if they share the day. */
export function eventStems(lives: readonly Live[]): (live: Live) => readonly string[] {
  // Among random suffixes, some look like words: those as long as one that does not.
  const lengths = new Set(lives.map(suffixOf).flatMap((suffix) => (isAtRandom(suffix) ? suffix.length : [])));
  // If one of a name is counted, all are, even one whose number happens to be the year.
  const counted = new Set<unknown>(lives.filter(isCounter).map(({ fields }) => fields.name));
  const isAppended = (suffix: string, name: unknown) =>
    /^\d+$/.test(suffix)
      ? counted.has(name)
      : isAtRandom(suffix) || (lengths.has(suffix.length) && /^[a-z0-9_]+$/.test(suffix));
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const live of lives) {
    count(eventStem(live, isAppended));
    count(`${eventStem(live, isAppended)} ${startParts(live)[0]}`);
  }
  return (live) => {
    const stem = eventStem(live, isAppended);
    const [day, time] = startParts(live);
    const isAlone = (counts.get(stem) ?? 0) < 2;
    const hasDay = (counts.get(`${stem} ${day}`) ?? 0) < 2;
    return [
      ...(isAlone ? [stem] : []),
      ...(day === undefined || !hasDay ? [] : [`${stem}-${day}`]),
      ...(day === undefined ? [] : [`${stem}-${day}-${time}`]),
      `${stem}-${live.id.slice(0, 8)}`,
      `${stem}-${live.id}`,
    ];
  };
}

/** `2027-01-08` and `2200`, where the event happens; nothing if its start is not shown. */
function startParts({ fields }: Live): readonly string[] {
  const { dateTime, timezone } = fields;
  if (typeof dateTime !== "string") return [];
  return formatLocalTime(dateTime, zoneOr(timezone, standardZone)).replaceAll(":", "").split("T");
}

function slugify(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .slice(0, longestStem)
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, "");
}

const longestSecretName = 60;

/** The name under which a command would store the secret of a webhook: its path in capitals, with the host if that is in use. */
export function secretNameFor(url: string, isUsed: (name: string) => boolean): string {
  const { hostname, pathname } = parseUrl(url) ?? { hostname: "", pathname: "" };
  const path = capitalsOf(pathname);
  const whole = capitalsOf(`${hostname}${pathname}`);
  const names = [path, whole].filter((name) => name !== "").map(secretNameOf);
  // A path may hold what is better not repeated.
  const harmless = [...names, secretNameOf(capitalsOf(hostname))].filter((name) => findSecret(name) === null);
  const first = harmless.find((name) => !isUsed(name));
  if (first !== undefined) return first;
  const base = (harmless[0] ?? "WEBHOOK_SECRET").replace(/_SECRET$/, "");
  for (let number = 2; ; number += 1) {
    const name = `${base}_${number}_SECRET`;
    if (!isUsed(name)) return name;
  }
}

/** Letters, digits and underscores: what every store of secrets accepts. */
function capitalsOf(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .slice(0, longestSecretName)
    .replace(/^_+|(?<!_)_+$/g, "");
}

// Some stores take no name that begins with a digit, and keep GITHUB_ to themselves, as this program does TICKETING_.
function secretNameOf(stem: string): string {
  if (stem === "") return "WEBHOOK_SECRET";
  return /^(\d|GITHUB_|TICKETING_)/.test(stem) ? `WEBHOOK_${stem}_SECRET` : `${stem}_WEBHOOK_SECRET`;
}
