import type { Place, Value } from "./places.ts";

/** A completion script for bash 3.2 and later. */
export function bashScript(places: readonly Place[]): string {
  return `# ticketing: completion for bash
_ticketing() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="" path="" index=1 item
  COMPREPLY=()
  while [ "$index" -lt "$COMP_CWORD" ]; do
    item="\${COMP_WORDS[index]}"
    case "$before" in
      ${flagsWithValue(places).join("|")}) before="" ;;
      *)
        case "$path/$item" in
${places.flatMap(steps).join("\n")}
        esac
        before="$item" ;;
    esac
    # bash takes the sign of --flag=value for a word of its own
    [ "$item" = "=" ] && before="\${COMP_WORDS[index-1]}"
    index=$((index + 1))
  done
  [ "$word" = "=" ] && before="\${COMP_WORDS[COMP_CWORD-1]}" && word=""
  case "$path:$before" in
${places.flatMap(flagValues).join("\n")}
  esac
  case "$path" in
${places.map(words).join("\n")}
  esac
}
complete -F _ticketing ticketing
`;
}

function steps(place: Place): string[] {
  const above = place.path;
  return place.commands.map(
    ({ text }) => `          "${above}/${text}") path="${above === "" ? text : `${above} ${text}`}" ;;`,
  );
}

function flagsWithValue(places: readonly Place[]): string[] {
  const names = places.flatMap((place) => place.flags.flatMap((flag) => (flag.value === null ? [] : flag.names)));
  return [...new Set(names)];
}

function flagValues(place: Place): string[] {
  return place.flags.flatMap((flag) => {
    if (flag.value === null) return [];
    const patterns = flag.names.map((name) => `"${place.path}:${name}"`).join("|");
    return [`    ${patterns}) ${reply(flag.value)}; return ;;`];
  });
}

function words(place: Place): string {
  const flags = place.flags.flatMap((flag) => flag.names).join(" ");
  const commands = place.commands.map((command) => command.text).join(" ");
  const values = place.values === null || place.values.kind === "any" ? "" : `; ${reply(place.values, true)}`;
  return `    "${place.path}")
      case "$word" in
        -*) COMPREPLY=($(compgen -W "${flags}" -- "$word")) ;;
        *) COMPREPLY=($(compgen -W "${commands}" -- "$word"))${values} ;;
      esac ;;`;
}

function reply(value: Value, more = false): string {
  const sign = more ? "+=" : "=";
  switch (value.kind) {
    case "words":
      return `COMPREPLY${sign}($(compgen -W "${value.words.join(" ")}" -- "$word"))`;
    case "file":
      return `COMPREPLY${sign}($(compgen -f -- "$word"))`;
    case "directory":
      return `COMPREPLY${sign}($(compgen -d -- "$word"))`;
    case "any":
      return ":";
  }
}
