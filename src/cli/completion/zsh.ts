import type { Place, Value, Word } from "./places.ts";

/** A completion script for zsh, with what each word means. */
export function zshScript(places: readonly Place[]): string {
  return `#compdef ticketing
_ticketing() {
  local place="" before="" item
  local -a items
  for item in "\${(@)words[2,CURRENT-1]}"; do
    case "$before" in
      ${flagsWithValue(places).join("|")}) before=""; continue ;;
    esac
    case "$place/$item" in
${places.flatMap(steps).join("\n")}
    esac
    before="$item"
  done
  case "$place:$before" in
${places.flatMap(flagValues).join("\n")}
  esac
  case "$place" in
${places.map(words).join("\n")}
  esac
}
compdef _ticketing ticketing
`;
}

function steps(place: Place): string[] {
  const above = place.path;
  return place.commands.map(
    ({ text }) => `      ${quote(`${above}/${text}`)}) place=${quote(above === "" ? text : `${above} ${text}`)} ;;`,
  );
}

function flagsWithValue(places: readonly Place[]): string[] {
  const names = places.flatMap((place) => place.flags.flatMap((flag) => (flag.value === null ? [] : flag.names)));
  return [...new Set(names)];
}

function flagValues(place: Place): string[] {
  return place.flags.flatMap((flag) => {
    if (flag.value === null) return [];
    const patterns = flag.names.map((name) => quote(`${place.path}:${name}`)).join("|");
    return [`    ${patterns}) ${reply(flag.value)}; return ;;`];
  });
}

function words(place: Place): string {
  const flags = place.flags.flatMap((flag) => flag.names.map((name) => ({ text: name, means: flag.means })));
  const values = place.values === null ? "" : `      ${reply(place.values)}\n`;
  const commands = place.commands.length === 0 ? "" : `      ${describe("command", place.commands)}\n`;
  return `    ${quote(place.path)})
${commands}      if [[ "$PREFIX" == -* ]]; then
        ${describe("flag", flags)}
        return
      fi
${values}      ;;`;
}

function describe(name: string, list: readonly Word[]): string {
  const items = list.map(({ text, means }) => quote(`${text}:${means.replaceAll(":", "\\:")}`)).join(" ");
  return `items=(${items}); _describe '${name}' items`;
}

function reply(value: Value): string {
  switch (value.kind) {
    case "words":
      return `compadd -- ${value.words.join(" ")}`;
    case "file":
      return "_files";
    case "directory":
      return "_files -/";
    case "any":
      return ":";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
