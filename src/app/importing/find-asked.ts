// The live events that are asked for: one call for each id or slug, the list for all of a status.
import type { Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import { idKey, uuidPattern } from "../../model/address.ts";
import { type Diagnostic, suggest } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { formatCount } from "../../model/value.ts";
import type { EventStatus } from "../../model/wish.ts";
import { type Details, makeDetails, makeEventPool, openStatuses } from "../../snapshot/find-events.ts";
import { type Reader, ReadFailure } from "../../snapshot/reader.ts";
import type { ImportRequest } from "./imported.ts";

export interface FoundAsked {
  readonly events: readonly Live[];
  /** Names that no live event has. */
  readonly diagnostics: readonly Diagnostic[];
}

const eventKind = kindOf("event");

export async function findAsked(reader: Reader, asked: ImportRequest): Promise<FoundAsked> {
  const found = new Map<string, Live>();
  const details = makeDetails(reader, eventKind, (live) => `/events/${live.id}`);
  const lives = await Promise.all(asked.names.map((name) => askFor(name, details)));
  const missing = asked.names.filter((_, index) => lives[index] === null);
  for (const live of lives) if (live !== null) found.set(idKey(live.id), live);
  // A service may list more than it is asked for: what counts is the status that an event shows.
  const isMeant = ({ status }: Live): boolean => status === null || asked.statuses.includes(status);
  for (const live of await readListed(reader, asked.statuses, isMeant)) {
    if (!found.has(idKey(live.id))) found.set(idKey(live.id), live);
  }
  if (missing.length === 0) return { events: [...found.values()], diagnostics: [] };
  // A service may know slugs in its lists only.
  const listed = await readListed(reader, openStatuses, () => true);
  const unknown = missing.filter((name) => !listed.some((live) => live.slug === name));
  for (const live of listed) if (live.slug !== null && missing.includes(live.slug)) found.set(idKey(live.id), live);
  if (unknown.length === 0) return { events: [...found.values()], diagnostics: [] };
  return { events: [], diagnostics: unknown.map((name) => unknownEvent(name, listed)) };
}

/** null if there is no such event, or if the service takes no slug. */
async function askFor(name: string, details: Details): Promise<Live | null> {
  try {
    return await details.byId(`/events/${encodeName(name)}`, null);
  } catch (error) {
    const refused = error instanceof ReadFailure && [400, 422].includes(error.problem.status ?? 0);
    if (refused && !uuidPattern.test(name)) return null;
    throw error;
  }
}

async function readListed(
  reader: Reader,
  statuses: readonly EventStatus[],
  isMeant: (live: Live) => boolean,
): Promise<readonly Live[]> {
  if (statuses.length === 0) return [];
  const pool = makeEventPool(reader, true);
  await Promise.all(statuses.map((status) => pool.readList(status)));
  const listed = (await pool.complete([])).filter(isMeant);
  const wanted = { names: [], starts: [], fields: fieldsOf(eventKind), expected: "live", archivedToo: false } as const;
  const completed = await pool.complete(listed.map(({ id }) => ({ ...wanted, ids: [id] })));
  return completed.filter(isMeant);
}

/** Every field that the service may show. */
export function fieldsOf(kind: Kind): readonly string[] {
  return Object.entries(kind.fields).flatMap(([name, policy]) => {
    if (policy.role === "value") return [name];
    return policy.role === "reference" ? [policy.sentAs] : [];
  });
}

// A slug may hold anything; what goes into a path holds only what a path may.
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]|^\./g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function unknownEvent(name: string, events: readonly Live[]): Diagnostic {
  return {
    code: "unknown-event",
    severity: "error",
    message: `No live event has the id or slug '${name}'.`,
    hint: hintFor(name, events),
  };
}

const shownAtMost = 8;

function hintFor(name: string, events: readonly Live[]): string {
  const slugs = events.map((live) => live.slug).filter((slug) => slug !== null);
  const sameName = events.find((live) => String(live.fields.name).toLowerCase() === name.trim().toLowerCase());
  const near = sameName?.slug ?? suggest(name, slugs);
  if (near !== null && near !== undefined) return `Did you mean ${near}?`;
  if (slugs.length === 0) return "The organization has no published or draft events; name an archived one by its id.";
  const more = slugs.length > shownAtMost ? ` and ${formatCount(slugs.length - shownAtMost)} more` : "";
  return `Live events: ${slugs.slice(0, shownAtMost).join(", ")}${more}. \`ticketing import --all\` imports them all.`;
}
