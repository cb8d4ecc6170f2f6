// ticketing webhooks list: what is live, what the files name, and whose secret is kept.
import type { Live } from "../../model/live.ts";
import { safeJson } from "../../report/safe-json.ts";
import { renderWebhooksText, type WebhookView } from "../../report/webhooks-text.ts";
import { listWebhooks, urlOf } from "../day-two/find-webhooks.ts";
import { loadProjectWishes, type ProjectWishes } from "../day-two/project-wishes.ts";
import { withService } from "../day-two/with-service.ts";
import { readSecretHolder } from "../planning/secret-holder.ts";
import { sinkSettings } from "../sink-settings.ts";
import type { TargetOptions } from "../target.ts";
import type { World } from "../world.ts";

export interface WebhooksListOptions extends TargetOptions {
  readonly format: "text" | "json";
}

export async function runWebhooksList(world: World, options: WebhooksListOptions): Promise<number> {
  return withService(world, options, { scope: "webhooks:manage" }, async ({ target, loaded }) => {
    const lives = await listWebhooks(target.client);
    const project = await loadProjectWishes(world, options.directory, target.environment, loaded);
    const sink = sinkSettings(loaded.settings, target.environment);
    const holds = await readSecretHolder({ sink, state: project.state, directory: options.directory });
    const webhooks = lives.map((live) => viewWebhook(live, project, holds(live.id))).sort(byUrl);
    const { columns } = world.stdout;
    world.stdout.write(
      options.format === "json"
        ? `${safeJson({ formatVersion: 1, webhooks })}\n`
        : renderWebhooksText(webhooks, { columns, color: options.color }),
    );
    return 0;
  });
}

function viewWebhook(live: Live, project: ProjectWishes, secretHeld: boolean | null): WebhookView {
  const { events, isActive } = live.fields;
  const url = urlOf(live);
  return {
    id: live.id,
    url,
    events: events === null ? [] : Array.isArray(events) ? events : null,
    isActive: typeof isActive === "boolean" ? isActive : null,
    managed: project.webhooksManaged ? project.webhooks.some((wish) => wish.fields.url === url) : null,
    secretHeld,
  };
}

function byUrl(one: WebhookView, other: WebhookView): number {
  return `${one.url} ${one.id}` < `${other.url} ${other.id}` ? -1 : 1;
}
