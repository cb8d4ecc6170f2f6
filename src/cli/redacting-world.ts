// The last gate before people and files: a service that shows the key back, wherever it does, cannot make it appear.

import type { Output, Secrets, World } from "../app/world.ts";
import { maskSecrets } from "../service/calls.ts";

/** The same world, where nothing that is written holds a secret that `secrets` knows. */
export function redactingWorld(world: World): World {
  if (world.secrets !== undefined) return world;
  const secrets = makeSecrets();
  return {
    argv: world.argv,
    env: world.env,
    cwd: world.cwd,
    now: world.now,
    ...(world.sleep === undefined ? {} : { sleep: world.sleep }),
    ...(world.timeouts === undefined ? {} : { timeouts: world.timeouts }),
    ...(world.lockTimes === undefined ? {} : { lockTimes: world.lockTimes }),
    stdout: redactingOutput(world.stdout, secrets),
    stderr: redactingOutput(world.stderr, secrets),
    // Both are made when they are first asked for.
    get stdin() {
      return world.stdin;
    },
    get interrupted() {
      return world.interrupted;
    },
    secrets,
  };
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
  return {
    write(text) {
      isUsed = true;
      output.write(secrets.mask(text));
    },
    get isUsed() {
      return isUsed;
    },
    get isClosed() {
      return output.isClosed === true;
    },
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    get rows() {
      return output.rows;
    },
  };
}
