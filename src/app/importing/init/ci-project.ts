// What CI files are made from, and the names in them. Two projects of one repository share no name.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { version } from "../../world.ts";

export interface CiProject {
  /** Below the repository's root, with `/`; "" at the root. */
  readonly folder: string;
  readonly branch: string;
  /** None: the address comes from a variable of the repository. */
  readonly environments: readonly CiEnvironment[];
  readonly install: InstallSource;
  /** Whether something in it changes at a time, so that a clock must start jobs, too. */
  readonly hasPhases: boolean;
  /** Tables of its series, by their paths in it. */
  readonly sheets?: readonly string[];
  /** Variables that lead to the state, where the job's own rights do not. */
  readonly stateSecrets?: readonly string[];
}

interface CiEnvironment {
  readonly name: string;
  readonly apiKeyEnv: string;
}

/** The free tier has 1,000 calls an hour. */
export const driftBudget = 500;

/** When drift is checked: at 03:17 in Manila. */
export const nightly = "17 19 * * *";

/** How long a job waits for phases: until the next one starts. */
export const dueWait = "15m";

/** One set of jobs. */
export interface CiTarget {
  readonly name: string;
  /** `--env NAME `, or nothing if a variable holds the URL. */
  readonly flag: string;
  readonly apiKey: string;
  /** The secret with a key that may only read. */
  readonly readKey: string;
  readonly byAddress: boolean;
  readonly stateSecrets: readonly string[];
  /** Follows the name of a job where there is more than one environment. */
  readonly suffix: string;
}

/** Jobs without `--env` and people with it would use two states and two locks. */
export function byAddressNote(host: "github" | "gitlab"): string {
  return `the URL of the service; nothing is planned without it. Not needed if ticketing.yaml has an environment: after adding one, run \`ticketing init --ci ${host}\` again`;
}

export function targetsOf({ environments, stateSecrets = [] }: CiProject): readonly CiTarget[] {
  if (environments.length === 0) {
    const [apiKey, readKey] = ["TICKETING_API_KEY", "TICKETING_READ_KEY"];
    return [{ name: "production", flag: "", apiKey, readKey, byAddress: true, stateSecrets, suffix: "" }];
  }
  return environments.map(({ name, apiKeyEnv }) => ({
    name,
    flag: `--env ${name} `,
    apiKey: apiKeyEnv,
    readKey: readKeyOf(apiKeyEnv),
    byAddress: false,
    stateSecrets,
    suffix: environments.length === 1 ? "" : `-${name}`,
  }));
}

/** TICKETING_API_KEY and TICKETING_READ_KEY, TICKETING_STAGING_KEY and TICKETING_STAGING_READ_KEY. */
function readKeyOf(apiKeyEnv: string): string {
  const base = apiKeyEnv.replace(/(_API)?_KEY$/, "");
  return `${base}_READ_KEY`;
}

/** ` (teams/live)`: follows a job's name, to distinguish checks. */
export function inProject({ folder }: CiProject): string {
  const name = folder.replace(/[^\p{L}\p{N}_./ -]/gu, "_");
  return folder === "" ? "" : ` (${name}${digestUnless(name === folder, folder)})`;
}

/** For names of files and groups. `/` becomes `.`: they cannot hold it. */
export function projectSlug({ folder }: Pick<CiProject, "folder">): string {
  const name = folder.replaceAll("/", ".").replace(/[^\w.-]/g, "_");
  return `${name}${digestUnless(/^[\w/-]*$/.test(folder), folder)}`;
}

/** Folders may differ only in letters that a name cannot hold: the digest tells them apart. */
function digestUnless(isWhole: boolean, folder: string): string {
  return isWhole ? "" : `-${createHash("sha256").update(folder).digest("hex").slice(0, 6)}`;
}

/** Jobs of one group run one after another. No part contains a `/`, so no two groups have the same name. */
export function jobGroup(project: CiProject, job: string, environment: string): string {
  return [`ticketing-${job}`, projectSlug(project), environment].filter((part) => part !== "").join("/");
}

/** From the project's folder up to the root of the repository, with `/` at the end; "" at the root. */
export function upToRoot({ folder }: Pick<CiProject, "folder">): string {
  return folder === "" ? "" : "../".repeat(folder.split("/").length);
}

/** A text as YAML and JSON both write it. */
export function asYaml(text: string): string {
  return JSON.stringify(text);
}

/** A folder or branch in a pattern of either host: each sign stands for itself. */
export function escapePattern(name: string): string {
  return name.replace(/[*?+![\]{}\\]/g, "\\$&");
}

/** Endings of files that a project at the root of its repository may read. */
export const ownEndings = ["yaml", "yml", "csv", "tsv"] as const;

/** Its sheets with another ending, as patterns. */
export function otherSheets({ sheets = [] }: Pick<CiProject, "sheets">): readonly string[] {
  const others = sheets.filter((sheet) => !ownEndings.some((ending) => sheet.endsWith(`.${ending}`)));
  return [...new Set(others)].map(escapePattern);
}

/** What to set up once, at the top of a file: names, and what each is for. */
export function setupComments(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows.map(([name = "", use = ""]) => `#   ${name.padEnd(width)}  ${use}`).join("\n");
}

// Where a runner gets the running version of this program: from a registry, by version and digest, or from a tarball in
// the repository. The tarball works offline, and git pins every byte of it.

const packageName = "ticketing-as-code";

export type InstallSource =
  | {
      readonly from: "registry";
      readonly version: string /** sha512 in hex, as `sha512sum` takes it. */;
      readonly digest: string;
    }
  | { readonly from: "tarball" /** Relative to the root of the repository. */; readonly file: string };

/** The names of the installed packages; ours is not `ticketing`, which on the registry is somebody else's. */
export function installedFile({ version: exact }: { readonly version: string }): string {
  return `${packageName}-${exact}.tgz`;
}

export function packageAt({ version: exact }: { readonly version: string }): string {
  return `${packageName}@${exact}`;
}

export function installSource(root = packageRoot()): InstallSource {
  const digest = registryDigest(root);
  return digest === null
    ? { from: "tarball", file: `vendor/ticketing-${version}.tgz` }
    : { from: "registry", version, digest };
}

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

/**
 * npm records next to the packages where each came from. Whatever is not known to come from a registry (a checkout, a link, a
 * file, a global installation, another package manager) is not recorded.
 */
function registryDigest(root: string): string | null {
  const modules = dirname(root);
  try {
    const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as {
      readonly packages?: Readonly<Record<string, Locked>>;
    };
    const entry = packages?.[`node_modules/${packageName}`];
    const tarball = `/${packageName}/-/${packageName}-${version}.tgz`;
    if (entry?.version !== version || entry.link === true) return null;
    if (entry.resolved !== undefined && !(/^https?:/.test(entry.resolved) && entry.resolved.endsWith(tarball)))
      return null;
    const [, digest] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(entry.integrity ?? "") ?? [];
    return digest === undefined ? null : Buffer.from(digest, "base64").toString("hex");
  } catch {
    return null;
  }
}

/** The folder of the package that this file belongs to: bundled, or as source. */
function packageRoot(): string {
  let folder = typeof __dirname === "string" ? __dirname : dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

/** What `npm pack` would produce from the running copy. The same files yield the same bytes. */
export function packSelf(root = packageRoot()): Buffer {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly files: readonly string[];
  };
  const listed = ["package.json", "README.md", "LICENSE", ...files.filter((name) => !name.startsWith("!"))];
  const paths = listed.flatMap((name) => filesBelow(root, name)).filter((path) => !path.endsWith(".cache"));
  const blocks = paths.sort().flatMap((path) => tarEntry(path, readFileSync(join(root, path))));
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

function filesBelow(root: string, name: string): readonly string[] {
  const path = join(root, name);
  if (!existsSync(path)) return [];
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return [name];
    throw error;
  }
}

/** One file of a tar archive: a header as POSIX lays it out, then the content in blocks of 512 bytes. */
function tarEntry(path: string, content: Buffer): readonly Buffer[] {
  const header = Buffer.alloc(512);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
  header.write(`package/${path}`, 0, 100);
  header.write(octal(path.startsWith("bin/") ? 0o755 : 0o644, 8), 100);
  header.write(octal(0, 8) + octal(0, 8) + octal(content.length, 12) + octal(0, 12), 108);
  header.write("        0", 148);
  header.write("ustar\0" + "00", 257);
  const checksum = header.reduce((sum, byte) => sum + byte);
  header.write(`${octal(checksum, 7)} `, 148);
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}
