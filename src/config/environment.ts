// Which service a command calls. The key is sent there, so the choice is strict and always shown.
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../model/diagnostic.ts";
import { checkAddress, sameAddress, shownAddress } from "../model/outside.ts";
import type { EnvironmentSettings, Settings } from "../model/wish.ts";
import { unknownEnvironment } from "./settings/check-settings.ts";

export interface Environment extends EnvironmentSettings {
  readonly name: string;
  /**
   * | chosen by          | means                                                                  |
   * |--------------------|------------------------------------------------------------------------|
   * | flag               | --env                                                                  |
   * | variable           | TICKETING_ENV                                                          |
   * | base-url           | --base-url or TICKETING_BASE_URL                                       |
   * | default            | `defaultEnvironment` in the project file                               |
   * | sandbox-by-default | none of these, in a project that names no environment                  |
   */
  readonly chosenBy: "flag" | "variable" | "base-url" | "default" | "sandbox-by-default";
}

export interface EnvironmentChoice {
  readonly flagEnv?: string | undefined;
  readonly flagBaseUrl?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const sandboxName = "sandbox";
const standardKeyEnv = "TICKETING_API_KEY";

export type ChosenEnvironment = Fallible<{ readonly environment: Environment }>;

/** A live service is reached only if it was named: by flag, variable or `defaultEnvironment`. */
export function chooseEnvironment(settings: Settings, choice: EnvironmentChoice): ChosenEnvironment {
  const { flagBaseUrl, env } = choice;
  const variable = filled(env.TICKETING_ENV);
  if (choice.flagEnv !== undefined) return namedEnvironment(settings, choice.flagEnv, "flag", choice);
  if (variable !== undefined) return namedEnvironment(settings, variable, "variable", choice);
  if (flagBaseUrl !== undefined) return byAddress(settings, flagBaseUrl, "--base-url");
  const variableBaseUrl = filled(env.TICKETING_BASE_URL);
  if (variableBaseUrl !== undefined && !hasOwnKey(settings, env)) {
    // Even without a key: that is refused later. Falling back to another service would look like success at this one.
    return byAddress(settings, variableBaseUrl, "TICKETING_BASE_URL");
  }
  if (settings.defaultEnvironment !== null)
    return namedEnvironment(settings, settings.defaultEnvironment, "default", choice);
  const names = Object.keys(settings.environments).filter((name) => name !== sandboxName);
  if (names.length > 0) return failed(notChosen(names));
  return namedEnvironment(settings, sandboxName, "sandbox-by-default", choice);
}

export const notChosenCode = "environment-not-chosen";

function notChosen(names: readonly string[]): Diagnostic {
  const last = names.at(-1) ?? "";
  const list = names.length === 1 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
  const message = `No environment was chosen. Besides the embedded sandbox, the project has ${list}.`;
  const hint = `Choose one: --env ${names.join(", --env ")} or --env sandbox; or write \`defaultEnvironment: sandbox\` in ticketing.yaml.`;
  return errorOf(notChosenCode, message, hint);
}

/** Whether the default environment has its key in its own variable: TICKETING_BASE_URL then only confirms its address. */
function hasOwnKey(settings: Settings, env: EnvironmentChoice["env"]): boolean {
  if (filled(env[standardKeyEnv]) !== undefined || settings.defaultEnvironment === null) return false;
  const entry = Object.hasOwn(settings.environments, settings.defaultEnvironment)
    ? settings.environments[settings.defaultEnvironment]
    : undefined;
  return entry !== undefined && entry.baseUrl !== null && filled(env[entry.apiKeyEnv]) !== undefined;
}

function namedEnvironment(
  settings: Settings,
  name: string,
  chosenBy: Environment["chosenBy"],
  choice: EnvironmentChoice,
): ChosenEnvironment {
  const entry = Object.hasOwn(settings.environments, name) ? settings.environments[name] : undefined;
  if (name === sandboxName) {
    if (choice.flagBaseUrl !== undefined) return failed(sandboxHasNoAddress);
    // The sandbox belongs to no organization, so the pin of the project does not apply to it.
    return chosen({ name, baseUrl: null, apiKeyEnv: standardKeyEnv, organization: null, chosenBy });
  }
  if (entry === undefined)
    return failed(unknownEnvironment(name, [sandboxName, ...Object.keys(settings.environments)]));
  const baseUrl = choice.flagBaseUrl ?? entry.baseUrl ?? "";
  const where = choice.flagBaseUrl === undefined ? `of the environment "${name}"` : "in --base-url";
  const problems = [...addressProblems(baseUrl, where), ...changedAddress(name, entry, choice)];
  if (problems.length > 0) return failed(...problems);
  return chosen({
    name,
    baseUrl: shownAddress(baseUrl),
    apiKeyEnv: entry.apiKeyEnv,
    organization: entry.organization ?? settings.organization,
    chosenBy,
  });
}

function chosen(environment: Environment): ChosenEnvironment {
  return { ok: true, environment };
}

function byAddress(settings: Settings, baseUrl: string, from: string): ChosenEnvironment {
  const problems = addressProblems(baseUrl, `in ${from}`);
  if (problems.length > 0) return failed(...problems);
  return chosen({
    name: "default",
    baseUrl: shownAddress(baseUrl),
    apiKeyEnv: standardKeyEnv,
    organization: settings.organization,
    chosenBy: "base-url",
  });
}

/** For runs that write: state and lock belong to a name, so two names for one service do not keep its writers apart. */
export function namedTwice(settings: Settings, environment: Environment): readonly Diagnostic[] {
  const { name: here, baseUrl: address, organization } = environment;
  if (environment.chosenBy !== "base-url" || address === null) return [];
  return Object.entries(settings.environments).flatMap(([name, { baseUrl, organization: other }]) => {
    const isShared = other === null || organization === null || other === organization;
    if (name === here || baseUrl === null || !sameAddress(baseUrl, address) || !isShared) return [];
    const message = `The environment "${name}" in ticketing.yaml is the same service as "${here}", which this run uses. Runs that use "${name}" keep a separate state and lock, so two runs at once may create the same event twice.`;
    return warningOf(
      "service-named-twice",
      message,
      `Pass \`--env ${name}\`, or set \`TICKETING_ENV=${name}\`, in every run.`,
    );
  });
}

function addressProblems(baseUrl: string, where: string): Diagnostic[] {
  const problem = checkAddress(baseUrl);
  if (problem === null) return [];
  const message = problem.message.replace("The URL of the service", `The URL ${where}`);
  return [errorOf("bad-base-url", message, problem.hint)];
}

/** People who can change the file must not be able to send the key to a service that its owner does not allow. */
function changedAddress(
  name: string,
  entry: EnvironmentSettings,
  { env, flagBaseUrl }: EnvironmentChoice,
): Diagnostic[] {
  const trusted = filled(env.TICKETING_BASE_URL);
  if (trusted === undefined || flagBaseUrl !== undefined || filled(env[entry.apiKeyEnv]) === undefined) return [];
  if (sameAddress(trusted, entry.baseUrl ?? "")) return [];
  const message = `The URL of the environment "${name}" in ticketing.yaml differs from TICKETING_BASE_URL, and ${entry.apiKeyEnv} is set.`;
  const hint = "Make them the same, or unset TICKETING_BASE_URL if the file is right.";
  return [errorOf("address-changed", message, hint)];
}

const sandboxHasNoAddress = errorOf(
  "bad-base-url",
  'The environment "sandbox" is the embedded service, which has no URL.',
  "Remove --base-url or --env sandbox.",
);

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
