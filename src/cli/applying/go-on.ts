import type { World } from "../world.ts";

/** The command to type next, as the shell wants it. A saved plan is done with: what is left needs a new one. */
export function goOnCommand(world: World, options: { readonly planFile?: string }): string {
  const words = world.argv.filter((word) => word !== options.planFile);
  return ["ticketing", ...words].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
