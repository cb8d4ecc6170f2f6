// What a plan of everything needs to know of the service whatever the files say, read while they are loaded.
import { hasErrors } from "../../model/diagnostic.ts";
import { checkAccount, checkReadScopes } from "../../plan/judge.ts";
import { listAhead } from "../../snapshot/find-events.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { makeReader, type Reader, ReadFailure } from "../../snapshot/reader.ts";
import type { Beginning } from "../session/open-session.ts";

/** Whose key it is, and then the lists of events. What fails, the plan finds again in the same reader, and says it. */
export async function readAhead(beginning: Beginning): Promise<Reader | null> {
  const { target, memory } = beginning;
  // An interrupted run has read before, or left something that must be looked at first.
  if (memory.entries.length > 0 || (await target.store.snapshots.isThere())) return null;
  const reader = makeReader(target.client);
  void readLists(reader, beginning);
  return reader;
}

async function readLists(reader: Reader, { target, memory, environment, now, files }: Beginning): Promise<void> {
  try {
    const account = await readAccount(reader);
    const serverNow = target.client.serverDate?.getTime() ?? now;
    const concerns = checkAccount(account, environment.organization, memory.state, serverNow);
    if (hasErrors([...concerns, ...checkReadScopes(account, new Set(["event"]))])) return;
    await listAhead(reader, files);
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
  }
}
