import type { Call, Reply } from "../call.ts";
import { notFound } from "../refusal.ts";
import { showAccount } from "../show.ts";

export function getMe({ desk, key }: Call): Reply {
  const organization = desk.store.organizations.get(key.organizationId);
  if (organization === undefined) throw notFound("Organization", key.organizationId);
  const used = { ...key, lastUsedAt: new Date(desk.lastUsed(key.id)).toISOString() };
  return { status: 200, data: showAccount(used, organization, desk.profile()) };
}
