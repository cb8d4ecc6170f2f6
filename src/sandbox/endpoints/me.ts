import type { Call, Reply } from "../call.ts";
import { notFound } from "../refusal.ts";
import { showAccount } from "../show.ts";

export function getMe({ desk, key }: Call): Reply {
  const organization = desk.store.organizations.get(key.organizationId);
  if (organization === undefined) throw notFound("Organization", key.organizationId);
  return {
    status: 200,
    data: showAccount({ ...key, lastUsedAt: desk.lastUsed(key.id) ?? key.lastUsedAt }, organization, desk.profile()),
  };
}
