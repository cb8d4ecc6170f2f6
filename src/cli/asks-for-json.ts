/** A program that asked for JSON gets it, whatever else was wrong with what it typed. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === "--format=json" || (word === "--format" && argv[index + 1] === "json"));
}
