import type { Account } from "../model/snapshot.ts";
import type { Me } from "../service/records.ts";
import { ReadFailure } from "./read-failure.ts";
import type { Reader } from "./reader.ts";

/** Whose key it is. Lenient: what the service does not show is null. */
export async function readAccount(reader: Reader): Promise<Account> {
  const result = await reader.ask("/me");
  if (!result.ok) throw new ReadFailure(result.problem);
  const { apiKey, organization } = (result.data ?? {}) as Partial<Me>;
  const scopes = apiKey?.scopes;
  return {
    keyName: text(apiKey?.name),
    scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === "string") : null,
    expiresAt: text(apiKey?.expiresAt),
    organization: { id: text(organization?.id) ?? "", slug: text(organization?.slug) ?? "" },
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
