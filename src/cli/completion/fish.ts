import type { CompletedFlag, Place, Value } from "./places.ts";

/** A completion script for fish, with what each word means. */
export function fishScript(places: readonly Place[]): string {
  return `# ticketing: completion for fish
function __ticketing_place
    set -l place ""
    set -l before ""
    for item in (commandline -opc)[2..-1]
        if contains -- $before ${flagsWithValue(places).join(" ")}
            set before ""
            continue
        end
        switch "$place/$item"
${places.flatMap(steps).join("\n")}
        end
        set before $item
    end
    test "$place" = "$argv[1]"
end
complete -c ticketing -f
${places.flatMap(lines).join("\n")}
`;
}

function steps(place: Place): string[] {
  const above = place.path;
  return place.commands.flatMap(({ text }) => [
    `            case ${quote(`${above}/${text}`)}`,
    `                set place ${quote(above === "" ? text : `${above} ${text}`)}`,
  ]);
}

function flagsWithValue(places: readonly Place[]): string[] {
  const names = places.flatMap((place) => place.flags.flatMap((flag) => (flag.value === null ? [] : flag.names)));
  return [...new Set(names)];
}

function lines(place: Place): string[] {
  const start = `complete -c ticketing -n "__ticketing_place ${quote(place.path)}"`;
  const commands = place.commands.map(({ text, means }) => `${start} -a ${text} -d ${quote(means)}`);
  const flags = place.flags.map(
    (flag) => `${start} ${flagNames(flag)} -d ${quote(flag.means)}${flagValue(flag.value)}`,
  );
  return [...commands, ...flags, ...values(start, place.values)];
}

function flagNames(flag: CompletedFlag): string {
  return flag.names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(" ");
}

function flagValue(value: Value | null): string {
  switch (value?.kind) {
    case undefined:
      return "";
    case "words":
      return ` -x -a ${quote(value?.kind === "words" ? value.words.join(" ") : "")}`;
    case "file":
      return " -r -F";
    case "directory":
      return ' -x -a "(__fish_complete_directories)"';
    case "any":
      return " -x";
  }
}

function values(start: string, value: Value | null): string[] {
  switch (value?.kind) {
    case "words":
      return [`${start} -a ${quote(value?.kind === "words" ? value.words.join(" ") : "")}`];
    case "file":
      return [`${start} -F`];
    case "directory":
      return [`${start} -a "(__fish_complete_directories)"`];
    default:
      return [];
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
