import { rmSync } from "node:fs";

/** Also one in which a program that was killed has left a child, git for example, that still writes for a moment. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
