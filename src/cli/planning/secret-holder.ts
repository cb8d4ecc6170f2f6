// Whether the place for secrets holds a webhook's secret. Only its key is looked at, never the secret.
import { resolve } from "node:path";
import { idKey } from "../../model/id.ts";
import { readPrivate } from "../../system/private-files.ts";
import type { Session } from "./open-session.ts";

export async function readSecretHolder(
  session: Pick<Session, "sink" | "state" | "directory">,
): Promise<(webhookId: string) => boolean | null> {
  const { sink, state } = session;
  // A command sink cannot be asked; what state says we made, it was given. A webhook that was only found has no time of making.
  if (sink === null || sink.sink === "command") {
    const ours = new Set(
      Object.values(state?.objects ?? {})
        .filter((entry) => entry.kind === "webhook" && entry.madeAt !== undefined)
        .map((entry) => idKey(entry.id)),
    );
    return (id) => (sink === null ? null : ours.has(idKey(id)));
  }
  const keys = idKey(textOf(resolve(session.directory, sink.path)));
  return (id) => keys.includes(idKey(id));
}

function textOf(path: string): string {
  try {
    return readPrivate(path) ?? "";
  } catch {
    return "";
  }
}
