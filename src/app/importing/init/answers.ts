// The answers that a first project is made from: flags, variables, and a few questions. Facts from the service are only confirmed.

import { type Diagnostic, errorOf, type Fallible, failed } from "../../../model/diagnostic.ts";
import { checkAddress, checkApiPath } from "../../../model/outside.ts";
import type { TargetOptions } from "../../session/target.ts";
import type { World } from "../../world.ts";
import type { Repository } from "./repository.ts";

export interface Answers {
  /** null: not known; the project is then pinned to none. */
  readonly organization: string | null;
  /** The service that the project is for; null: the embedded sandbox for now. */
  readonly environment: { readonly name: string; readonly baseUrl: string } | null;
  readonly importLive: boolean;
  readonly ci: CiHost;
  /** Whether state is stored in git from now on: not before there is a remote, because every command would fail. */
  readonly stateInGit: boolean;
}

const standardEnvironment = "production";

type CiHost = "github" | "gitlab" | "none";

export interface KnownBefore extends Given {
  readonly hasKey: boolean;
  /** Whose key it is at this URL; a text says why that is unknown. */
  readonly askService: (baseUrl: string) => Promise<{ readonly slug: string } | string>;
}

/** null if the person cancels. */
export async function interview(who: Interviewer, known: KnownBefore): Promise<Answers | null> {
  const baseUrl =
    known.baseUrl ??
    (await who.text({
      message:
        "API URL of the ticketing service (ends in /open-api/v1; leave empty to start with the embedded sandbox)",
      placeholder: "https://api.example.com/open-api/v1",
      check(text) {
        const problem = text === "" ? null : (checkAddress(text) ?? checkApiPath(text));
        return problem === null ? undefined : `${problem.message} ${problem.hint}`;
      },
    }));
  if (baseUrl === null) return null;
  const name =
    baseUrl === ""
      ? ""
      : (known.environment ??
        (await who.text({ message: "Name of this environment", initial: standardEnvironment, check: checkName })));
  if (name === null) return null;
  const owner = baseUrl === "" || !known.hasKey ? null : await known.askService(baseUrl);
  if (typeof owner === "string") who.warn(`The API key could not be checked: ${owner}`);
  const slug = owner === null || typeof owner === "string" ? null : owner.slug;
  if (slug !== null) who.info(`The API key belongs to the organization ${slug}.`);
  const organization =
    known.organization ??
    slug ??
    (await who.text({
      message: "Your organization's short name (slug), as in its web address (leave empty to skip)",
      placeholder: "acme-live",
      check: (text) => (text === "" ? undefined : checkSlug(text)),
    }));
  if (organization === null) return null;
  const importLive =
    slug === null
      ? false
      : known.importLive || (await who.confirm("Write files for everything that is live there?", true));
  if (importLive === null) return null;
  if (baseUrl !== "" && !known.hasKey) {
    who.info(
      `TICKETING_API_KEY is not set. Once it is, \`ticketing import --env ${name} --all --webhooks\` writes files for everything that is live.`,
    );
  }
  return {
    organization: organization === "" ? null : organization,
    environment: baseUrl === "" ? null : { name, baseUrl },
    importLive,
    ci: known.ci,
    stateInGit: known.stateInGit,
  };
}

/** Environments are named on command lines and in files' names. */
export function checkName(name: string): string | undefined {
  if (name === "sandbox") return "`sandbox` is the embedded service. Choose another name, such as production.";
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name) ? undefined : "Use letters, digits, - and _, such as production.";
}

function checkSlug(slug: string): string | undefined {
  return /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(slug) ? undefined : "A slug is one word, such as acme-live.";
}

// Somebody who can be asked.

export interface Question {
  readonly message: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** What is wrong with an answer; undefined if nothing is. */
  readonly check?: (text: string) => string | undefined;
}

/** An answer is null if the person cancels. */
export interface Interviewer {
  begin(title: string): void;
  text(question: Question): Promise<string | null>;
  confirm(message: string, initial: boolean): Promise<boolean | null>;
  info(message: string): void;
  warn(message: string): void;
  end(message: string): void;
}

// What flags and variables already answer, checked before anything is asked or written.

export interface InitOptions extends TargetOptions {
  readonly dir?: string;
  readonly yes?: boolean;
  readonly organization?: string;
  readonly import?: boolean;
  readonly ci?: CiHost;
}

export interface Given extends Omit<Answers, "environment"> {
  /** null: not said. */
  readonly environment: string | null;
  /** null: not said; "": the embedded sandbox. */
  readonly baseUrl: string | null;
}

export function readFlags(
  world: World,
  options: InitOptions,
  repository: Repository,
): Fallible<{ readonly given: Given }> {
  const sandbox = options.env === "sandbox";
  const address = options.baseUrl ?? (sandbox ? undefined : world.env.TICKETING_BASE_URL || undefined);
  const bad = address === undefined ? null : (checkAddress(address) ?? checkApiPath(address));
  const problems = [
    sandbox && address !== undefined
      ? wrongFlag("The sandbox is the embedded service and has no URL.", "Leave out --base-url or --env.")
      : null,
    bad === null ? null : errorOf("bad-base-url", bad.message, bad.hint),
    options.env === undefined || sandbox ? null : invalidFlag(checkName(options.env), `--env "${options.env}"`),
    options.organization === undefined
      ? null
      : invalidFlag(checkSlug(options.organization), `--organization "${options.organization}"`),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return failed(...problems);
  const ci = options.ci ?? (repository.isOnGitlab ? "gitlab" : "github");
  const given: Given = {
    organization: options.organization ?? null,
    environment: sandbox ? null : (options.env ?? null),
    baseUrl: sandbox ? "" : (address ?? null),
    importLive: options.import === true,
    ci,
    stateInGit: ci !== "none" && repository.lacks === null,
  };
  return { ok: true, given };
}

/** With --yes the flags are the answers. */
export function answersFrom(given: Given): Fallible<{ readonly answers: Answers }> {
  const { environment: name, baseUrl, ...rest } = given;
  if (!baseUrl && name !== null) {
    const hint = "Add --base-url https://…/open-api/v1, or leave out --env to start with the embedded sandbox.";
    return failed(wrongFlag(`The environment "${name}" needs the URL of its service.`, hint));
  }
  const environment = baseUrl ? { name: name ?? standardEnvironment, baseUrl } : null;
  return { ok: true, answers: { ...rest, environment } };
}

function wrongFlag(message: string, hint: string): Diagnostic {
  return errorOf("wrong-flag", message, hint);
}

function invalidFlag(fix: string | undefined, flag: string): Diagnostic | null {
  return fix === undefined ? null : wrongFlag(`${flag} is not valid.`, fix);
}
