// A pull request must not be able to send the credentials of the state elsewhere, nor to have a job read another project's state.
import type { Settings } from "../../model/wish.ts";
import type { Disagreement } from "../../state/open-store.ts";
import { isOnRunner, type World } from "../world.ts";
import { findAgreed, withoutBase } from "./guarded-settings.ts";

/**
 * Why the state must not be used where the file says; null: it is as agreed, or there is nothing to compare. On their own machine
 * people may read what their credentials let them read.
 */
export async function stateDisagreement(
  world: World,
  directory: string,
  state: Settings["state"],
  sendsCredentials: boolean,
): Promise<Disagreement | null> {
  if (!sendsCredentials && !isOnRunner(world)) return null;
  const { known, onRunner, inRepository } = await findAgreed(world, withoutBase(directory));
  if (known.some(({ settings }) => JSON.stringify(settings.state) === JSON.stringify(state))) return null;
  const [first] = known;
  const so = sendsCredentials
    ? "and credentials for it are set, so nothing was sent"
    : "so it was not used: another project's state may be there";
  if (first !== undefined)
    return {
      message: `\`state\` in ticketing.yaml is different ${first.where}, ${so}`,
      hint: "Or merge this change on its own, after `ticketing state migrate` has copied what is remembered: a merge alone begins a new state.",
    };
  if (!onRunner || !inRepository) return null;
  return {
    message: `\`state\` in ticketing.yaml cannot be compared with the default branch's, ${so}`,
    hint: "Or fetch the default branch: `fetch-depth: 0` at the checkout step, `GIT_DEPTH: 0` on GitLab.",
  };
}
