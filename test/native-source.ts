// Compiles src for Node before a run of tests; removed when it ends.
import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { nativeSource } from "./suite.ts";

// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default function compileSource(): (() => void) | undefined {
  // Each project of a configuration asks for it, and it may be there from the start.
  if (nativeSource === null || process.env.NATIVE_SOURCE === nativeSource) return undefined;
  process.env.NATIVE_SOURCE = nativeSource;
  const root = dirname(nativeSource);
  for (const name of readdirSync(root)) {
    const [, pid] = /^\.native-(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !isOfAnother(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", "test/tsconfig.native.json", "--outDir", nativeSource]);
  return () => rmSync(nativeSource ?? "", { recursive: true, force: true });
}

/** Whether another run is using it; one that was killed has left it. */
function isOfAnother(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}
