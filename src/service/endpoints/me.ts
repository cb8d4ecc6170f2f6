import { unexpected } from "../checked.ts";
import type { Me } from "../records.ts";
import { failure, type Result } from "../result.ts";
import type { Caller } from "./caller.ts";

/** The key and the organization it belongs to; a part that is not shown is an empty object. */
export async function readMe(caller: Caller): Promise<Result<Me>> {
  const result = await caller.request("GET", "/me");
  if (!result.ok) return result;
  const data = asObject(result.data);
  if (data === null) return failure(unexpected("GET", "the key and its organization", result.status));
  return { ...result, data: { apiKey: asObject(data.apiKey) ?? {}, organization: asObject(data.organization) ?? {} } };
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
