// What flags and variables say already, checked before anything is asked or written.

import type { TargetOptions } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { checkAddress } from "../../model/wish.ts";
import { type Answers, checkName, checkSlug, standardEnvironment } from "./interview.ts";

export interface InitOptions extends TargetOptions {
  readonly dir?: string;
  readonly yes?: boolean;
  readonly organization?: string;
  readonly import?: boolean;
}

export interface Given {
  readonly organization: string | null;
  /** null: not said. */
  readonly environment: string | null;
  /** null: not said; "": the embedded sandbox. */
  readonly baseUrl: string | null;
  readonly importLive: boolean;
}

export function readFlags(world: World, options: InitOptions): Given | Diagnostic[] {
  const sandbox = options.env === "sandbox";
  const address = options.baseUrl ?? (sandbox ? undefined : world.env.TICKETING_BASE_URL || undefined);
  const problems = [
    sandbox && address !== undefined
      ? wrong("The sandbox is the embedded service and has no address.", "Leave out --base-url or --env.")
      : null,
    address === undefined ? null : asProblem(checkAddress(address)),
    options.env === undefined || sandbox ? null : fromWords(checkName(options.env), `--env ${options.env}`),
    options.organization === undefined
      ? null
      : fromWords(checkSlug(options.organization), `--organization ${options.organization}`),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return problems;
  return {
    organization: options.organization ?? null,
    environment: sandbox ? null : (options.env ?? null),
    baseUrl: sandbox ? "" : (address ?? null),
    importLive: options.import === true,
  };
}

/** With --yes the flags are the answers. */
export function answersFrom(given: Given): Answers | Diagnostic {
  const { organization, importLive } = given;
  const baseUrl = given.baseUrl ?? "";
  if (baseUrl === "" && given.environment !== null) {
    return wrong(
      `The environment ${given.environment} needs the address of its service.`,
      "Add --base-url https://…/open-api/v1, or leave out --env to begin with the embedded sandbox.",
    );
  }
  const environment = baseUrl === "" ? null : { name: given.environment ?? standardEnvironment, baseUrl };
  return { organization, environment, importLive, workflowAtRoot: false };
}

function wrong(message: string, hint: string): Diagnostic {
  return { code: "wrong-flag", severity: "error", message, hint };
}

function asProblem(problem: ReturnType<typeof checkAddress>): Diagnostic | null {
  return problem === null ? null : { code: "bad-base-url", severity: "error", ...problem };
}

function fromWords(words: string | undefined, flag: string): Diagnostic | null {
  return words === undefined ? null : wrong(`${flag} cannot be taken.`, words);
}
