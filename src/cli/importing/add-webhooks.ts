import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { composeWebhooks } from "./compose-webhooks.ts";
import type { Desk } from "./desk.ts";
import { schemaFor, textOf } from "./file-texts.ts";
import { cannotUpdate, secretsUnknown } from "./import-remarks.ts";
import type { FileText, ImportedWebhooks } from "./imported.ts";
import type { Silenced } from "./silenced.ts";

/** The file of webhooks with these in it; null where there is nothing to say. */
export async function addWebhooks(
  desk: Desk,
  lives: readonly Live[],
  texts: Map<string, FileText>,
  { diagnostics, silenced }: { readonly diagnostics: Diagnostic[]; readonly silenced: Silenced[] },
): Promise<ImportedWebhooks | null> {
  const { files } = await desk.files.list(desk.loaded.settings.webhooks);
  const file = files[0] ?? "webhooks.yaml";
  const known = await textOf(desk, file, texts);
  if (lives.length === 0 && known === null) return null;
  const schema = await schemaFor(desk, file, "webhooks");
  const composed = await composeWebhooks(desk, lives, { file, before: known?.text ?? null, schema });
  if (composed === null) {
    diagnostics.push(cannotUpdate(file, "webhooks"));
    return null;
  }
  for (const { reason } of composed.leftOut) {
    diagnostics.push({ code: "left-out", severity: "warning", message: reason });
  }
  silenced.push(...composed.silenced);
  diagnostics.push(...secretsUnknown(file, composed.named));
  const before = known?.text ?? null;
  const action = before === null ? "created" : composed.text === before ? "unchanged" : "updated";
  if (action !== "unchanged") texts.set(file, { file, before, text: composed.text });
  return { file, action, count: composed.count };
}
