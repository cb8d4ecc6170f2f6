// From a reachable service to the files that describe what is live. Only an interrupted run writes to disk: what it has read.
import type { Environment } from "../../config/environment.ts";
import type { FileSource } from "../../config/files.ts";
import type { LoadedSettings } from "../../config/project.ts";
import type { EventObservation } from "../../import/describe.ts";
import type { Kind } from "../../kinds/define.ts";
import { childKinds, isInFamily, kindOf } from "../../kinds/index.ts";
import { idKey, type KindName, makeAddress, uuidPattern } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, hasErrors, orHalt, suggest } from "../../model/diagnostic.ts";
import type { Account, Live, State } from "../../model/live.ts";
import { listSome } from "../../model/value.ts";
import type { EventStatus, Project } from "../../model/wish.ts";
import { checkAccount, checkReadScopes } from "../../plan/judge.ts";
import { matchEvents, recallFrom } from "../../plan/match.ts";
import { type Details, makeDetails, makeEventPool, makeListReader, openStatuses } from "../../snapshot/find-events.ts";
import { readAccount, readWebhooks, venuesShown } from "../../snapshot/read-organization.ts";
import { attemptRead, type Reader } from "../../snapshot/reader.ts";
import { readResumably } from "../planning/resumed-reading.ts";
import { problemDiagnostic } from "../session/report-problems.ts";
import type { OpenTarget } from "../session/target.ts";
import type { World } from "../world.ts";
import { composeFiles } from "./compose-files.ts";
import { folderDocuments, readDefaults } from "./existing-text.ts";
import type { Imported, ImportRequest } from "./imported.ts";

// The live events that are asked for: one call for each id, slug or key, the list for all of a status.

const eventKind = kindOf("event");

/** With a diagnostic for each name that no live event has. */
async function findAsked(reader: Reader, { asked, state, project }: ImportInputs, now: number) {
  const found = new Map<string, Live>();
  const details = makeDetails(reader, eventKind, (live) => `/events/${live.id}`);
  const addressOf = (name: string) => (isInFamily(name) ? name : makeAddress(null, eventKind.plural, name));
  const documentOf = (name: string) => project.events.find(({ address }) => address === addressOf(name));
  const lives = await Promise.all(
    asked.names.map(async (name) => {
      // A key of the project comes first: the slug of a different event may be the same.
      const id = state?.objects[addressOf(name)]?.id ?? documentOf(name)?.own.id;
      return (id === undefined ? null : await askFor(id, details)) ?? (await askFor(name, details));
    }),
  );
  const missing = asked.names.filter((_, index) => lives[index] === null);
  for (const live of lives) if (live !== null) found.set(idKey(live.id), live);
  // A service may list more than was requested: the status that an event shows counts.
  const isMeant = ({ status }: Live): boolean => status === null || asked.statuses.includes(status);
  // A list may show only the beginning of a description, or a small picture: what is written to files must be all of it.
  const addListed = async (live: Live) => {
    if (!found.has(idKey(live.id))) found.set(idKey(live.id), (await details.whole(live)) ?? live);
  };
  await Promise.all((await readListed(reader, asked.statuses, isMeant)).map(addListed));
  if (missing.length === 0) return { events: [...found.values()], diagnostics: [] };
  // A service may know slugs in its lists only.
  const listed = await readListed(reader, openStatuses, () => true);
  const remember = recallFrom(state, []);
  const named = missing.map((name) => {
    const wishes = [documentOf(name)].filter((wish) => wish !== undefined);
    const [byDocument] = [...matchEvents({ wishes, lives: listed, remember, now }).values()];
    return listed.find(({ slug }) => slug === name) ?? byDocument?.live ?? null;
  });
  await Promise.all(named.map((live) => live && addListed(live)));
  const unknown = missing.filter((_, index) => named[index] === null);
  if (unknown.length === 0) return { events: [...found.values()], diagnostics: [] };
  const diagnostics = unknown.map((name) =>
    errorOf("unknown-event", `No live event has the id, slug or key "${name}".`, hintFor(name, listed)),
  );
  return { events: [], diagnostics };
}

/** null if there is no such event, or if the service does not accept slugs. */
async function askFor(name: string, details: Details): Promise<Live | null> {
  const read = await attemptRead(() => details.byId(`/events/${encodeName(name)}`, null));
  const isRefused = !read.ok && [400, 422].includes(read.problem.status ?? 0);
  return isRefused && !uuidPattern.test(name) ? null : orHalt(read).value;
}

async function readListed(reader: Reader, statuses: readonly EventStatus[], isMeant: (live: Live) => boolean) {
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

// A slug may contain anything; a path may not.
function encodeName(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]|^\./g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hintFor(name: string, events: readonly Live[]): string {
  const slugs = events.map((live) => live.slug).filter((slug) => slug !== null);
  const sameName = events.find((live) => String(live.fields.name).toLowerCase() === name.trim().toLowerCase());
  const near = sameName?.slug ?? suggest(name, slugs);
  if (near !== null && near !== undefined) return `Did you mean ${near}?`;
  if (slugs.length === 0) return "The organization has no published or draft events; name an archived one by its id.";
  return `Live events: ${listSome(slugs, 8)}. \`ticketing import --all\` imports them all.`;
}

export interface ImportInputs {
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
  readonly project: Project;
  readonly environment: Environment;
  readonly state: State | null;
  readonly target: OpenTarget;
  readonly asked: ImportRequest;
  /** Where new files go, relative to the project, with `/`. */
  readonly folder: string;
  readonly isCommitted: (file: string) => Promise<boolean>;
  readonly onProgress: (done: number, total: number) => void;
}

export type ImportOutcome = Fallible<{ readonly account: Account; readonly imported: Imported }>;

export async function importLive(world: World, inputs: ImportInputs): Promise<ImportOutcome> {
  const { client, store } = inputs.target;
  const how = { client, cache: store.snapshots, state: inputs.state, matters: () => () => true };
  const read = await readResumably(world, how, (reader, older) => readAndCompose(world, inputs, reader, older));
  return read.ok ? read.value : failed(problemDiagnostic(read.problem, read.resumable));
}

async function readAndCompose(
  world: World,
  inputs: ImportInputs,
  reader: Reader,
  remarks: () => readonly Diagnostic[],
): Promise<ImportOutcome> {
  const { files, loaded, project, environment, state, asked, folder } = inputs;
  const account = await readAccount(reader);
  const concerns = [
    ...checkAccount(account, environment.organization, state, world.now()),
    ...checkReadScopes(account, importedKinds(asked), "what is to be imported"),
  ];
  if (hasErrors(concerns)) return failed(...concerns);
  const found = await findAsked(reader, inputs, world.now());
  if (hasErrors(found.diagnostics)) return failed(...concerns, ...found.diagnostics);
  const observations = await readObservations(reader, found.events, inputs.onProgress);
  const webhooks = asked.webhooks ? await readWebhooks(reader) : null;
  const reading = { files, loaded, environment: environment.name, env: world.env, now: world.now() };
  const further = await folderDocuments(files, folder, project, reading);
  const imported = await composeFiles(
    {
      ...reading,
      ...(await readDefaults(reading)),
      project: { ...project, events: [...project.events, ...further] },
      state,
      remember: recallFrom(state, []),
      reader,
      isCommitted: inputs.isCommitted,
    },
    { observations, webhooks, folder, series: asked.series === true },
  );
  const diagnostics = [...concerns, ...imported.diagnostics, ...remarks()];
  return { ok: true, account, imported: { ...imported, diagnostics } };
}

function importedKinds({ names, statuses, webhooks }: ImportRequest): ReadonlySet<KindName> {
  const ofEvents = names.length > 0 || statuses.length > 0 ? [eventKind.name, ...listKinds] : [];
  return new Set([...ofEvents, ...(webhooks ? ["webhook"] : [])]);
}

/** "Palace, Baguio", by the key of its id. */
function venueNamesIn(reader: Reader): ReadonlyMap<string, string> {
  return new Map(
    Array.from(venuesShown(reader), ([id, { name, city }]) => [
      id,
      [name.trim(), city?.trim()].filter(Boolean).join(", "),
    ]),
  );
}

// Everything that the service shows of the events that are asked for.

const listKinds = childKinds(eventKind.name).map((kind) => kind.name);

async function readObservations(
  reader: Reader,
  events: readonly Live[],
  onProgress: (done: number, total: number) => void,
): Promise<readonly EventObservation[]> {
  const readList = makeListReader(reader);
  let done = 0;
  onProgress(done, events.length);
  const observations = await Promise.all(
    events.map(async (live) => {
      const lists = await Promise.all(
        listKinds.map(async (name): Promise<[KindName, readonly Live[]]> => {
          const list = { eventId: live.id, kind: name, fields: fieldsOf(kindOf(name)) };
          return [name, await readList(list)];
        }),
      );
      onProgress(++done, events.length);
      return { live, lists: Object.fromEntries(lists) };
    }),
  );
  const venueNames = venueNamesIn(reader);
  return observations.map((observation) => ({ ...observation, venueNames }));
}
