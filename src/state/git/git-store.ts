// State in a ref of the repository's own remote: for runners that forget everything.
import { type BackendSettings, type BackendSetup, checkAgreed } from "../shared/outside.ts";
import { sharedStore } from "../shared/shared-store.ts";
import type { StateStore } from "../store.ts";
import { refHints } from "./ref-failure.ts";
import { refsOn } from "./state-ref.ts";

export function gitStore(settings: BackendSettings<"git">, setup: BackendSetup): StateStore {
  const { remote, ref } = settings;
  const { directory, environment, outside } = setup;
  const openRef = refsOn(directory, remote);
  return sharedStore({
    ...setup,
    async open() {
      // Without either it is this project's own ref, whatever the file says.
      const isNamed = ref !== undefined || remote !== "origin";
      const names = [ref === undefined ? remote : `${remote}/${ref}`];
      const unagreed = isNamed ? await checkAgreed(outside, { names, sendsCredentials: false }) : null;
      return unagreed ?? openRef(environment, ref);
    },
    openLedger: (name) => openRef("pace", `refs/ticketing/pace/${name}`),
    words: {
      place: `the git remote "${remote}"`,
      peer: "the remote",
      lead: (doing, reason) =>
        ["setup", "foreign", "too-new"].includes(reason)
          ? `State in git cannot be ${doing}`
          : `The state on the remote "${remote}" could not be ${doing}`,
      hints: refHints,
      removal: (name) => `delete it with \`git push ${remote} --delete ${name}\``,
    },
  });
}
