// Who calls, from where, and what the key may do.
import type { Desk } from "./call.ts";
import type { ApiKey, Scope } from "./records.ts";
import { Refusal } from "./refusal.ts";

export function authenticate(desk: Desk, value: string | undefined, address: string | undefined): ApiKey {
  if (value === undefined || value === "") {
    throw unauthorized("The api-key header is missing.", "Send your API key in the api-key header.");
  }
  const key = desk.store.keys.byAlias(value);
  if (key === undefined) {
    throw unauthorized("The API key is not valid.", "Check the key, or create another in the organizer dashboard.");
  }
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= desk.now()) {
    throw unauthorized(`The API key expired at ${key.expiresAt}.`, "Create another key in the organizer dashboard.");
  }
  if (key.allowlist.length > 0 && !key.allowlist.includes(plainAddress(address))) {
    throw new Refusal(
      403,
      "FORBIDDEN",
      "The API key may not be used from this address.",
      "Add the address to the IP allowlist of the key.",
    );
  }
  return key;
}

export function requireScope(key: ApiKey, scope: Scope | undefined): void {
  if (scope === undefined || key.scopes.includes(scope)) return;
  throw new Refusal(
    403,
    "SCOPE_REQUIRED",
    `This request needs the scope ${scope}, which the API key does not have.`,
    `Use a key with the scope ${scope}.`,
  );
}

function unauthorized(message: string, hint: string): Refusal {
  return new Refusal(401, "UNAUTHORIZED", message, hint);
}

/** An IPv4 address may arrive written as an IPv6 one. */
function plainAddress(address = "127.0.0.1"): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}
