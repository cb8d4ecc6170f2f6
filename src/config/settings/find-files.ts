import { resolve } from "node:path";
import { type Diagnostic, didYouMean, errorAt, errorOf } from "../../model/diagnostic.ts";
import { projectFile, type Settings } from "../../model/wish.ts";
import { wayInside } from "../../system/inside-project.ts";
import { leadsOut, matcherOf } from "../files/globs.ts";
import type { FileSource } from "../files/read-text.ts";
import { loadSettings } from "./load-settings.ts";

/** The files of a project. A file has one meaning: webhooks before templates before events, and the project file is none of them. */
export async function findFiles(
  files: FileSource,
  { events, templates, webhooks }: Pick<Settings, "events" | "templates" | "webhooks">,
) {
  const used = new Set([projectFile]);
  const diagnostics: Diagnostic[] = [];
  async function take(globs: readonly string[]): Promise<readonly string[]> {
    const listing = await files.list(globs.filter((glob) => !leadsOut(glob)));
    const own = listing.files.filter((file) => !used.has(file));
    for (const file of own) used.add(file);
    diagnostics.push(...listing.diagnostics);
    return own;
  }
  const webhookFiles = await take(webhooks);
  const templateFiles = await take(templates);
  const [misnamed, eventFiles] = await Promise.all([files.list(events.flatMap(misspelled)), take(events)]);
  diagnostics.push(...misnamed.files.filter((file) => !used.has(file)).map((file) => misnamedFile(file, used)));
  diagnostics.push(...twinsByCase([...eventFiles, ...webhookFiles, ...templateFiles]));
  return { eventFiles, webhookFiles, templateFiles, diagnostics };
}

/** The same with extensions that Windows and its editors make, and that no pattern matches. */
function misspelled(glob: string): readonly string[] {
  const named = glob.replace(/\.(?:ya?ml|\{ya?ml,ya?ml\})$/, ".{YAML,YML,yaml.txt,yml.txt}");
  return named === glob || leadsOut(glob) ? [] : [named];
}

function misnamedFile(file: string, used: ReadonlySet<string>): Diagnostic {
  const name = file.replace(/\.txt$/, "").replace(/[^.]*$/, (extension) => extension.toLowerCase());
  const message = `${file} is not read, because of how its name ends.`;
  const hint = used.has(name)
    ? `${name} is there already: delete this file, or give it a different name that ends in .yaml.`
    : `Rename it to ${name}.`;
  const problem = errorAt("wrong-file-name", { file, line: 1, column: 1 }, message, hint);
  return { ...problem, severity: "warning" };
}

/** Every file that may be one of the project's, including sheets, whose names only the documents know. */
export async function listWatched(files: FileSource): Promise<readonly string[]> {
  const { events, templates, webhooks } = (await loadSettings(files)).settings;
  const own = [...events, ...templates, ...webhooks].filter((glob) => !leadsOut(glob));
  return (await files.list([...own, "**/*.{yaml,yml,csv,tsv,txt}"])).files;
}

/** Two files that Windows or macOS treat as one: a checkout there has only one, and the other event would be gone. */
function twinsByCase(files: readonly string[]): readonly Diagnostic[] {
  const byLowerCase = new Map<string, string>();
  return files.flatMap((file): Diagnostic[] => {
    const other = byLowerCase.get(file.toLowerCase());
    if (other === undefined) byLowerCase.set(file.toLowerCase(), file);
    if (other === undefined || other === file) return [];
    const message = `${other} and ${file} differ only in case, so many machines treat them as one file.`;
    const problem = errorAt("wrong-file-name", { file, line: 1, column: 1 }, message, "Rename one of them.");
    return [{ ...problem, related: [{ message: "the other one", source: { file: other, line: 1, column: 1 } }] }];
  });
}

/** Which files are asked about. */
export interface Selection {
  includes(file: string): boolean;
  /** null: all of them. */
  readonly count: number | null;
  readonly diagnostics: readonly Diagnostic[];
}

export const everything: Selection = { includes: () => true, count: null, diagnostics: [] };

/** The project's files that paths name: a file, a folder or a glob each, relative to the project. `sheets`: those of its series. */
export async function selectFiles(
  files: FileSource,
  settings: Settings,
  directory: string,
  paths: readonly string[],
  sheets: readonly string[] = [],
): Promise<Selection> {
  const { eventFiles, webhookFiles, templateFiles, diagnostics: listed } = await findFiles(files, settings);
  // A folder or a broken link in place of a file can be asked about as well: the problem is reported at its name.
  const odd = listed.flatMap(({ source }) => (source === undefined ? [] : [source.file]));
  const project = (await files.read(projectFile)) === "missing" ? [] : [projectFile];
  // A sheet that is missing is a problem of the file that names it.
  const contents = await Promise.all(sheets.map((sheet) => files.read(sheet)));
  const tables = sheets.filter((_, index) => typeof contents[index] !== "string");
  const known = [...project, ...eventFiles, ...templateFiles, ...webhookFiles, ...tables, ...odd];
  const selected = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const name = wayInside(directory, resolve(directory, path));
    const matched = name === null ? [] : known.filter(fileSelector(name));
    if (matched.length === 0) diagnostics.push(await matchesNothing(path, name, files, known, settings));
    for (const file of matched) selected.add(file);
  }
  return { includes: (file) => selected.has(file), count: selected.size, diagnostics };
}

function fileSelector(name: string): (file: string) => boolean {
  if (name === "") return () => true;
  const matches = matcherOf([name]);
  return (file) => file === name || file.startsWith(`${name}/`) || matches(file);
}

async function matchesNothing(
  path: string,
  name: string | null,
  files: FileSource,
  known: readonly string[],
  settings: Settings,
): Promise<Diagnostic> {
  const isThere = name !== null && typeof (await files.read(name)) !== "string";
  if (!isThere) {
    const hint = didYouMean(path, known, "Name a file, a folder, or a glob, relative to the project's folder.");
    return errorOf("no-such-path", `"${path}" matches no file of the project.`, hint);
  }
  const hint = /\.ya?ml$/i.test(path)
    ? `Events are read from ${settings.events.join(", ")}: move it there, or change \`events\` in ticketing.yaml.`
    : "Name a YAML file of the project, or a folder that contains some.";
  return errorOf("no-such-path", `"${path}" exists, but is not one of the project's YAML files.`, hint);
}
