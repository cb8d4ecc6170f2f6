import type { Diagnostic } from "../model/diagnostic.ts";
import type { Project } from "../model/project.ts";

/** A command that stores secrets has to be told under which name: found out later, the webhook would exist without one. */
export function secretNameMissing({
  settings,
  webhooks,
}: Pick<Project, "settings" | "webhooks">): readonly Diagnostic[] {
  if (settings.secrets?.sink !== "command") return [];
  return webhooks
    .filter((webhook) => webhook.own.secretName === undefined)
    .map((webhook) => ({
      code: "secret-name-missing",
      severity: "error",
      message: `The webhook ${webhook.name} has no \`secretName\`, and the command in ticketing.yaml stores its secret by name.`,
      hint: "Add for example `secretName: ORDERS_WEBHOOK_SECRET`.",
      address: webhook.address,
      source: webhook.source,
    }));
}
