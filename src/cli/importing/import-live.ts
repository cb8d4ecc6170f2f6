// From a service that can be talked to, to the files that describe what is live there. Nothing is written to disk but what
// was read, where a run is cut short.
import type { Environment } from "../../config/choose-environment.ts";
import type { FileSource } from "../../config/file-source.ts";
import type { LoadedSettings } from "../../config/load-settings.ts";
import { kinds } from "../../kinds/index.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { Project } from "../../model/project.ts";
import type { Account } from "../../model/snapshot.ts";
import type { State } from "../../model/state.ts";
import { checkAccount, checkReadScopes } from "../../plan/check-account.ts";
import { rememberFrom } from "../../plan/memory.ts";
import { readAccount } from "../../snapshot/read-account.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { readWebhooks } from "../../snapshot/read-webhooks.ts";
import type { Reader } from "../../snapshot/reader.ts";
import { openSnapshot } from "../local-data.ts";
import { keepForNextRun, resumeReader } from "../planning/resumable-reader.ts";
import { problemDiagnostic } from "../service-problem.ts";
import type { OpenTarget } from "../target.ts";
import type { World } from "../world.ts";
import type { Asked } from "./asked.ts";
import { composeFiles } from "./compose-files.ts";
import { findAsked } from "./find-asked.ts";
import { folderDocuments } from "./folder-documents.ts";
import type { Imported } from "./imported.ts";
import { readDefaults } from "./read-defaults.ts";
import { readSights } from "./read-sights.ts";

export interface ImportInputs {
  readonly directory: string;
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
  readonly project: Project;
  readonly environment: Environment;
  readonly state: State | null;
  readonly target: OpenTarget;
  readonly asked: Asked;
  /** Where new files go, relative to the project, with `/`. */
  readonly folder: string;
  readonly isCommitted: (file: string) => Promise<boolean>;
  readonly onProgress: (done: number, total: number) => void;
}

export type ImportOutcome =
  | { readonly ok: true; readonly account: Account; readonly imported: Imported }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

export async function importLive(world: World, inputs: ImportInputs): Promise<ImportOutcome> {
  const { directory, environment, target } = inputs;
  const kept = openSnapshot(world, directory, environment);
  const reader = await resumeReader(target.client, kept, world.now());
  try {
    const outcome = await readAndCompose(world, inputs, reader);
    await kept.clear();
    return outcome;
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    // What was read is good for the next run: at a rate limit a large organization is read in several goes.
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
  const sights = await readSights(reader, found.events, inputs.onProgress);
  const webhooks = asked.webhooks ? await readWebhooks(reader) : null;
  const reading = { loaded, environment: environment.name, env: world.env };
  const further = await folderDocuments(files, folder, project, reading);
  const imported = await composeFiles(
    {
      ...reading,
      ...(await readDefaults(reading)),
      files,
      project: { ...project, events: [...project.events, ...further] },
      now: world.now(),
      state,
      remember: rememberFrom(state, []),
      reader,
      isCommitted: inputs.isCommitted,
    },
    { sights, webhooks, folder },
  );
  return { ok: true, account, imported: { ...imported, diagnostics: [...concerns, ...imported.diagnostics] } };
}

function neededKinds({ names, statuses, webhooks }: Asked): ReadonlySet<KindName> {
  const needed = kinds.filter((kind) => (kind.name === "webhook" ? webhooks : names.length > 0 || statuses.length > 0));
  return new Set(needed.map((kind) => kind.name));
}
