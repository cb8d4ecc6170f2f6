// A pull request must not be able to send the key somewhere else: addresses written in files are held against the base.
import { type Environment, sandboxName } from "../../config/choose-environment.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { EnvironmentSettings, Settings } from "../../model/settings.ts";

export interface AddressQuestion {
  readonly now: Settings;
  readonly base: Settings;
  /** Without a project file at the base everything is new, and there is nothing to hold against. */
  readonly baseHasProject: boolean;
  readonly environment: Environment;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function addressChanged(question: AddressQuestion): readonly Diagnostic[] {
  const { environment, env } = question;
  const wished = question.now.environments[environment.name];
  if (wished === undefined || environment.name === sandboxName || environment.chosenBy === "base-url") return [];
  if (!question.baseHasProject || (env[wished.apiKeyEnv] ?? "") === "") return [];
  const what = differenceOf(wished, question.base.environments[environment.name]);
  if (what === null) return [];
  return [
    {
      code: "address-changed",
      severity: "error",
      message: `The environment ${environment.name} ${what}, and a key is set: nothing was sent.`,
      hint: "Merge a change of the address or of the key's variable on its own first, without a plan that uses the key.",
    },
  ];
}

function differenceOf(wished: EnvironmentSettings, former: EnvironmentSettings | undefined): string | null {
  if (former === undefined) return "is not in the base revision";
  if (former.baseUrl !== wished.baseUrl) return "has another address than at the base revision";
  if (former.apiKeyEnv !== wished.apiKeyEnv) return "takes its key from another variable than at the base revision";
  return null;
}
