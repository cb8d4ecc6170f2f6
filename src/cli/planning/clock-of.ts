import type { World } from "../world.ts";
import type { Session } from "./open-session.ts";

/** The service's own clock, once it has answered: whether a key has expired is for it to say. */
export function clockOf(world: World, session: Pick<Session, "target">): number {
  return session.target.client.serverDate?.getTime() ?? world.now();
}
