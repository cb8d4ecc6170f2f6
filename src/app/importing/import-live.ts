// From a service that can be talked to, to the files that describe what is live there. Nothing is written to disk but what
// was read, where a run is cut short.
import type { Environment } from "../../config/environment.ts";
import type { FileSource } from "../../config/files.ts";
import type { LoadedSettings } from "../../config/project.ts";
import type { EventObservation } from "../../import/describe.ts";
import { canonical, kindOf, kinds } from "../../kinds/index.ts";
import { idKey, type KindName } from "../../model/address.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { Account, Live, State } from "../../model/live.ts";
import { isObject } from "../../model/value.ts";
import type { Project } from "../../model/wish.ts";
import { checkAccount, checkReadScopes } from "../../plan/judge.ts";
import { recallFrom } from "../../plan/match.ts";
import { makeListReader, readWebhooks } from "../../snapshot/read-lists.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { type CachedResponse, type Reader, ReadFailure } from "../../snapshot/reader.ts";
import { keepForNextRun, resumeReader } from "../planning/plan-session.ts";
import { problemDiagnostic } from "../session/service-problem.ts";
import type { OpenTarget } from "../session/target.ts";
import type { World } from "../world.ts";
import { composeFiles } from "./compose-files.ts";
import { fieldsOf, findAsked } from "./find-asked.ts";
import type { Imported, ImportRequest } from "./imported.ts";
import { folderDocuments, readDefaults } from "./read-text.ts";

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

export type ImportOutcome =
  | { readonly ok: true; readonly account: Account; readonly imported: Imported }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export async function importLive(world: World, inputs: ImportInputs): Promise<ImportOutcome> {
  const { target } = inputs;
  const kept = target.store.snapshots;
  const reader = await resumeReader(target.client, kept, world.now());
  try {
    const outcome = await readAndCompose(world, inputs, reader);
    await kept.clear();
    return outcome;
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    // The next run can use what was read: under a rate limit a large organization is read in several runs.
    const resumable = error.problem.code === "rate-limited-too-long" || world.interrupted.aborted;
    if (resumable) await keepForNextRun(reader, kept, world.now());
    return { ok: false, diagnostics: [problemDiagnostic(error.problem, resumable)] };
  }
}

async function readAndCompose(world: World, inputs: ImportInputs, reader: Reader): Promise<ImportOutcome> {
  const { files, loaded, project, environment, state, asked, folder } = inputs;
  const account = await readAccount(reader);
  const concerns = [
    ...checkAccount(account, environment.organization, state, world.now()),
    ...checkReadScopes(account, neededKinds(asked), "what is to be imported"),
  ];
  if (hasErrors(concerns)) return { ok: false, diagnostics: concerns };
  const found = await findAsked(reader, asked);
  if (hasErrors(found.diagnostics)) return { ok: false, diagnostics: [...concerns, ...found.diagnostics] };
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
  return { ok: true, account, imported: { ...imported, diagnostics: [...concerns, ...imported.diagnostics] } };
}

function neededKinds({ names, statuses, webhooks }: ImportRequest): ReadonlySet<KindName> {
  const needed = kinds.filter((kind) => (kind.name === "webhook" ? webhooks : names.length > 0 || statuses.length > 0));
  return new Set(needed.map((kind) => kind.name));
}

/** Venues by id, where records of events show more of them than the id: "Palace, Baguio". */
function venueNamesIn(answers: Readonly<Record<string, CachedResponse>>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { data } of Object.values(answers)) {
    for (const record of Array.isArray(data) ? data : [data]) {
      if (!isObject(record) || !isObject(record.venue)) continue;
      const { id, name, city } = record.venue;
      const venueId = canonical("id", id ?? record.venueId);
      if (typeof venueId !== "string" || typeof name !== "string" || name.trim() === "") continue;
      names.set(
        idKey(venueId),
        typeof city === "string" && city.trim() !== "" ? `${name.trim()}, ${city.trim()}` : name.trim(),
      );
    }
  }
  return names;
}

// Everything that the service shows of the events that are asked for.

const listKinds = kinds.filter((kind) => kind.parent === "event").map((kind) => kind.name);

async function readObservations(
  reader: Reader,
  events: readonly Live[],
  onProgress: (done: number, total: number) => void,
): Promise<readonly EventObservation[]> {
  const readList = makeListReader(reader, { settleMs: 0, sleep: async () => undefined });
  let done = 0;
  onProgress(done, events.length);
  const observations = await Promise.all(
    events.map(async (live) => {
      const lists = await Promise.all(
        listKinds.map(async (name): Promise<[KindName, readonly Live[]]> => {
          const list = { eventId: live.id, kind: name, fields: fieldsOf(kindOf(name)), fresh: [], atLeast: 0 };
          return [name, await readList(list)];
        }),
      );
      onProgress(++done, events.length);
      return { live, lists: Object.fromEntries(lists) };
    }),
  );
  const venueNames = venueNamesIn(reader.kept());
  return observations.map((observation) => ({ ...observation, venueNames }));
}
