// The last gate before people and files: a service that shows the key back, wherever it does, cannot make it appear.
import { type Output, type Secrets, variantOf, type World } from "../app/world.ts";
import { maskSecrets } from "../service/calls.ts";

/** The same world, where nothing that is written holds a secret that `secrets` knows. */
export function redactingWorld(world: World): World {
  if (world.secrets !== undefined) return world;
  const secrets = makeSecrets();
  return variantOf(world, {
    stdout: redactingOutput(world.stdout, secrets),
    stderr: redactingOutput(world.stderr, secrets),
    secrets,
  });
}

function makeSecrets(): Secrets {
  const kept = new Set<string>();
  return {
    // A short one is a word, and to mask a word would garble every text that holds it.
    keep(secret) {
      if (secret.length >= 8) kept.add(secret);
    },
    mask: (text) => (kept.size === 0 ? text : maskSecrets(text, [...kept])),
  };
}

function redactingOutput(output: Output, secrets: Secrets): Output {
  let isUsed = false;
  return variantOf(output, {
    write(text) {
      isUsed = true;
      output.write(secrets.mask(text));
    },
    get isUsed() {
      return isUsed;
    },
  });
}
