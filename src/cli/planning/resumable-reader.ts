// A reader that goes on where an interrupted run stopped: of the same organization, whose key is asked anew each time.
import type { TicketingClient } from "../../service/client.ts";
import { readAccount } from "../../snapshot/read-account.ts";
import { makeReader, type Reader } from "../../snapshot/reader.ts";
import type { KeptSnapshot } from "../../state/kept-snapshot.ts";

type Asked = Pick<TicketingClient, "request" | "pause">;

export async function resumeReader(
  client: Asked,
  kept: KeptSnapshot,
  now: number,
  hidden?: ReadonlySet<string>,
): Promise<Reader> {
  const reader = makeReader(client, {}, hidden);
  if (!(await kept.isThere())) return reader;
  const me = await reader.ask("/me");
  if (!me.ok) return reader;
  const { organization } = await readAccount(reader);
  return makeReader(client, { ...(await kept.load(organization.id, now)), ...reader.kept() }, hidden);
}

/** Keeps what was read for the next run; whose key it was is never kept. */
export async function keepForNextRun(reader: Reader, kept: KeptSnapshot, now: number): Promise<void> {
  const me = await reader.ask("/me");
  if (!me.ok) return;
  const { organization } = await readAccount(reader);
  const answers = Object.entries(reader.kept()).filter(([question]) => !question.startsWith("/me?"));
  await kept.save(Object.fromEntries(answers), organization.id, now);
}
