// The few questions of a first project. What can be found out is not asked, only confirmed.
import { checkAddress } from "../../model/wish.ts";
import type { Repository } from "./repository.ts";

/** What a first project is made from. */
export interface Answers {
  /** null: not known; the project is then pinned to none. */
  readonly organization: string | null;
  /** The service that the project is for; null: the embedded sandbox to begin with. */
  readonly environment: { readonly name: string; readonly baseUrl: string } | null;
  /** Whether files are written for what is live there. */
  readonly importLive: boolean;
  /** Where the workflow goes, relative to the project: another place where the project is a folder of a repository. */
  readonly workflowAtRoot: boolean;
}

export const standardEnvironment = "production";

export interface KnownBefore {
  readonly organization: string | null;
  readonly environment: string | null;
  readonly baseUrl: string | null;
  readonly importLive: boolean;
  readonly hasKey: boolean;
  readonly repository: Repository | null;
  /** Whose key it is at this address; a text says why that cannot be told. */
  readonly askService: (baseUrl: string) => Promise<{ readonly slug: string } | string>;
}

/** null where the person does not want to go on. */
export async function interview(who: Interviewer, known: KnownBefore): Promise<Answers | null> {
  const baseUrl =
    known.baseUrl ??
    (await who.text({
      message: "Address of the ticketing service (empty: begin with the embedded sandbox)",
      placeholder: "https://api.example.com/open-api/v1",
      check: (text) => (text === "" ? undefined : wordsOf(checkAddress(text))),
    }));
  if (baseUrl === null) return null;
  const name = baseUrl === "" ? "" : await askName(who, known);
  if (name === null) return null;
  const owner = baseUrl === "" || !known.hasKey ? null : await known.askService(baseUrl);
  if (typeof owner === "string") who.warn(`The service could not be asked: ${owner}`);
  const slug = owner === null || typeof owner === "string" ? null : owner.slug;
  if (slug !== null) who.say(`The key belongs to the organization ${slug}.`);
  const organization = known.organization ?? slug ?? (await askOrganization(who));
  if (organization === null) return null;
  const importLive =
    slug === null ? false : known.importLive || (await who.confirm("Write files for what is live there?", true));
  if (importLive === null) return null;
  if (baseUrl !== "" && !known.hasKey) {
    who.say(
      `TICKETING_API_KEY is not set. Once it is, \`ticketing import --env ${name} --all --webhooks\` writes files for what is live.`,
    );
  }
  const workflowAtRoot = await askWorkflow(who, known.repository);
  if (workflowAtRoot === null) return null;
  return {
    organization: organization === "" ? null : organization,
    environment: baseUrl === "" ? null : { name, baseUrl },
    importLive,
    workflowAtRoot,
  };
}

async function askName(who: Interviewer, known: KnownBefore): Promise<string | null> {
  if (known.environment !== null) return known.environment;
  return who.text({ message: "Name of this environment", initial: standardEnvironment, check: checkName });
}

function askOrganization(who: Interviewer): Promise<string | null> {
  return who.text({
    message: "Slug of your organization (empty: not now)",
    placeholder: "acme-live",
    check: (text) => (text === "" ? undefined : checkSlug(text)),
  });
}

async function askWorkflow(who: Interviewer, repository: Repository | null): Promise<boolean | null> {
  if (repository === null || repository.folder === "") return false;
  return who.confirm(
    `GitHub reads workflows only at the root of the repository. Put this one there (${repository.root})?`,
    true,
  );
}

function wordsOf(problem: ReturnType<typeof checkAddress>): string | undefined {
  return problem === null ? undefined : `${problem.message} ${problem.hint}`;
}

/** Environments are named on command lines and in files' names. */
export function checkName(name: string): string | undefined {
  if (name === "sandbox") return "`sandbox` is the embedded service. Choose another name, such as production.";
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name) ? undefined : "Letters, digits, - and _, such as production.";
}

export function checkSlug(slug: string): string | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(slug) ? undefined : "A slug is one word, such as acme-live.";
}

// Somebody who can be asked.

export interface Question {
  readonly message: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** What is wrong with an answer; undefined where nothing is. */
  readonly check?: (text: string) => string | undefined;
}

/** An answer is null where the person does not want to go on. */
export interface Interviewer {
  begin(title: string): void;
  text(question: Question): Promise<string | null>;
  confirm(message: string, initial: boolean): Promise<boolean | null>;
  say(message: string): void;
  warn(message: string): void;
  end(message: string): void;
}
