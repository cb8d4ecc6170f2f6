// Completion scripts for shells: each walks the words typed so far to a place, and offers what can come there.
import type { NameKind } from "../../app/documents.ts";
import { commonFlags, type Flag, formatFlag, isInHelp, type Parameter, type Usage } from "../usage/usage.ts";

type Word = ReturnType<typeof wordOf>;

type Offer =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** Names in the project, or codes, which the program is asked for. */
  | { readonly kind: "names"; readonly names: NameKind }
  | { readonly kind: "file" | "directory" | "any" };

type CompletedFlag = ReturnType<typeof completed>;

/** A place on the command line: after these command names, these words and flags can come. */
interface Place {
  /** `webhooks list`; empty right after the program's name. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly CompletedFlag[];
  readonly values: Offer | null;
}

export function completionScript(shell: "bash" | "zsh" | "fish", usages: readonly Usage[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](placesOf(usages));
}

/** Every place that the commands make, the outermost first. */
function placesOf(usages: readonly Usage[]): readonly Place[] {
  const root = { path: "", commands: usages.map(wordOf), flags: [...commonFlags.map(completed), help], values: null };
  return [root, ...usages.flatMap((usage) => placesBelow("", usage))];
}

const help: CompletedFlag = { names: ["--help", "-h"], means: "show this help", value: null };

function placesBelow(above: string, usage: Usage): readonly Place[] {
  const below = usage.below ?? [];
  const path = joined(above, usage.name);
  const common = [formatFlag(usage), ...commonFlags].filter((flag) => isInHelp(flag, usage));
  const flags = [...[...(usage.flags ?? []), ...common].map(completed), help];
  const parameter = usage.parameters?.[0];
  const place = {
    path,
    commands: below.map(wordOf),
    flags,
    values: parameter === undefined ? null : offerFor(parameter),
  };
  return [place, ...below.flatMap((child) => placesBelow(path, child))];
}

function joined(above: string, name: string): string {
  return above === "" ? name : `${above} ${name}`;
}

function wordOf(usage: Usage) {
  return { text: usage.name, means: usage.summary };
}

/** `value`: what may follow it; null if nothing does. */
function completed(flag: Flag) {
  const names = flag.flags.match(/--?[a-zA-Z][a-z-]*/g) ?? [];
  return { names, means: flag.description, value: flag.flags.includes("<") ? offerFor(flag) : null };
}

function offerFor({ choices, takes, names }: Flag | Parameter): Offer {
  if (choices !== undefined) return { kind: "words", words: choices };
  if (names !== undefined) return { kind: "names", names };
  return takes === "file" || takes === "directory" ? { kind: takes } : { kind: "any" };
}

/** Flags whose value is not to be taken for a command. */
function flagsWithValue(places: readonly Place[]): readonly string[] {
  const names = places.flatMap((place) => place.flags.flatMap((flag) => (flag.value === null ? [] : flag.names)));
  return [...new Set(names)];
}

/** From each place and the word typed there to the next place. */
function steps(places: readonly Place[], step: (from: string, to: string) => string): string {
  return places
    .flatMap(({ path, commands }) => commands.map(({ text }) => step(`${path}/${text}`, joined(path, text))))
    .join("\n");
}

/** What follows a flag, for the shells that match place and flag in one pattern. */
function valueCases(places: readonly Place[], quoted: (text: string) => string, reply: (value: Offer) => string) {
  return places
    .flatMap(({ path, flags }) =>
      flags.flatMap(({ names, value }) =>
        value === null
          ? []
          : [`    ${names.map((name) => quoted(`${path}:${name}`)).join("|")}) ${reply(value)}; return ;;`],
      ),
    )
    .join("\n");
}

/**
 * For bash 3.2 and later. It takes `:`, `=` and `@` for ends of words, so the words are put together again, and what is offered leaves out
 * what it does not replace. A name goes in as text: escaped, or, within quotes, only if nothing in it has a meaning there.
 */
function bashScript(places: readonly Place[]): string {
  const quoted = (text: string) => `"${text}"`;
  const offer = (how: string) => `_ticketing_offer $(compgen ${how} -- "$word")`;
  const reply = (value: Offer) => {
    if (value.kind === "any") return ":";
    if (value.kind === "names") return `_ticketing_names ${value.names}`;
    if (value.kind === "words") return offer(`-W "${value.words.join(" ")}"`);
    return `COMPREPLY+=($(compgen ${value.kind === "file" ? "-f" : "-d"} -- "$word"))`;
  };
  const words = places.map(({ path, flags, commands, values }) => {
    const more = values === null || values.kind === "any" ? "" : `; ${reply(values)}`;
    return `    "${path}")
      case "$word" in
        -*) ${offer(`-W "${flags.flatMap(({ names }) => names).join(" ")}"`)} ;;
        *) ${offer(`-W "${commands.map(({ text }) => text).join(" ")}"`)}${more} ;;
      esac ;;`;
  });
  return `# ticketing: completion for bash
_ticketing_offer() {
  local each
  for each in "$@"; do COMPREPLY+=("\${each#"$done"}"); done
}
_ticketing_names() {
  local name open="" typed="$word"
  case "$typed" in
    [\\"\\']*) open="\${typed:0:1}"; typed="\${typed:1}" ;;
    *) typed="\${typed//\\\\/}" ;;
  esac
  while IFS= read -r name; do
    [ "\${name:0:\${#typed}}" = "$typed" ] || continue
    if [ -z "$open" ]; then
      # What is typed up to the last end of a word stays on the line as it is.
      name="\${name#"\${done//\\\\/}"}"
      COMPREPLY+=("$(printf %q "$name")")
    else
      case "$name" in *[\\"\\'\\$\\\\\\\`!]*) ;; *) COMPREPLY+=("\${name#"\${done#?}"}") ;; esac
    fi
  done < <(ticketing __complete "$1" "\${typed_words[@]}" 2>/dev/null)
}
_ticketing() {
  local word="" before="" path="" index=1 item done="" left="\${COMP_LINE:0:COMP_POINT}" each
  local -a typed_words=()
  COMPREPLY=()
  for item in "\${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    case "$left" in
      [[:space:]]*) typed_words+=("$item") ;;
      *) if [ "\${#typed_words[@]}" -eq 0 ]; then typed_words=("$item"); else typed_words[\${#typed_words[@]}-1]+="$item"; fi ;;
    esac
    left="\${left#"\${left%%[![:space:]]*}"}"
    left="\${left#"$item"}"
  done
  word="\${typed_words[\${#typed_words[@]}-1]}"
  while [ "$index" -lt "$((\${#typed_words[@]} - 1))" ]; do
    item="\${typed_words[index]}"
    case "$before" in
      ${flagsWithValue(places).join("|")}) before="" ;;
      *)
        case "$path/$item" in
${steps(places, (from, to) => `          "${from}") path="${to}" ;;`)}
        esac
        before="$item" ;;
    esac
    index=$((index + 1))
  done
  case "$word" in --*=*) before="\${word%%=*}"; word="\${word#*=}" ;; esac
  case "$COMP_WORDBREAKS" in *:*) each="\${word##*:}"; [ "$each" = "$word" ] || done="\${word%"$each"}" ;; esac
  case "$COMP_WORDBREAKS" in *@*) each="\${word##*@}"; [ "$each" = "$word" ] || { [ "\${#each}" -lt "$((\${#word} - \${#done}))" ] && done="\${word%"$each"}"; } ;; esac
  case "$path:$before" in
${valueCases(places, quoted, reply)}
  esac
  case "$path" in
${words.join("\n")}
  esac
}
complete -F _ticketing ticketing
`;
}

function zshScript(places: readonly Place[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const offers = { file: "_files", directory: "_files -/", any: ":" };
  const reply = (value: Offer) => {
    if (value.kind === "names") return `_ticketing_names ${value.names}`;
    return value.kind === "words" ? `compadd -- ${value.words.join(" ")}` : offers[value.kind];
  };
  const described = (name: string, list: readonly Word[]) => {
    const items = list.map(({ text, means }) => quoted(`${text}:${means.replaceAll(":", "\\:")}`));
    return `items=(${items.join(" ")}); _describe '${name}' items`;
  };
  const words = places.map(({ path, commands, flags, values }) => {
    const named = flags.flatMap(({ names, means }) => names.map((text) => ({ text, means })));
    return `    ${quoted(path)})
${commands.length === 0 ? "" : `      ${described("command", commands)}\n`}      if [[ "$PREFIX" == -* ]]; then
        ${described("flag", named)}
        return
      fi
${values === null ? "" : `      ${reply(values)}\n`}      ;;`;
  });
  return `#compdef ticketing
_ticketing_names() {
  local -a names
  names=("\${(@f)$(ticketing __complete "$1" "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  names=("\${(@)names:#}")
  (( \${#names} )) && compadd -- "\${(@)names}"
}
_ticketing() {
  local place="" before="" item
  local -a items
  for item in "\${(@)words[2,CURRENT-1]}"; do
    case "$before" in
      ${flagsWithValue(places).join("|")}) before=""; continue ;;
    esac
    case "$place/$item" in
${steps(places, (from, to) => `      ${quoted(from)}) place=${quoted(to)} ;;`)}
    esac
    before="$item"
  done
  case "$place:$before" in
${valueCases(places, quoted, reply)}
  esac
  case "$place" in
${words.join("\n")}
  esac
}
compdef _ticketing ticketing
`;
}

function fishScript(places: readonly Place[]): string {
  const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const offers = { file: "-F", directory: '-a "(__fish_complete_directories)"', any: "" };
  const reply = (value: Offer) => {
    if (value.kind === "names") return `-a "(__ticketing_names ${value.names})"`;
    return value.kind === "words" ? `-a ${quoted(value.words.join(" "))}` : offers[value.kind];
  };
  const lines = places.flatMap(({ path, commands, flags, values }) => {
    const start = `complete -c ticketing -n "__ticketing_place ${quoted(path)}"`;
    return [
      ...commands.map(({ text, means }) => `${start} -a ${text} -d ${quoted(means)}`),
      ...flags.map(({ names, means, value }) => {
        const dashed = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
        const given = value === null ? "" : ` ${value.kind === "file" ? "-r" : "-x"} ${reply(value)}`.trimEnd();
        return `${start} ${dashed.join(" ")} -d ${quoted(means)}${given}`;
      }),
      ...(values === null || values.kind === "any" ? [] : [`${start} ${reply(values)}`]),
    ];
  });
  return `# ticketing: completion for fish
function __ticketing_names
    ticketing __complete $argv[1] (commandline -opc) (commandline -ct) 2>/dev/null
end
function __ticketing_place
    set -l place ""
    set -l before ""
    for item in (commandline -opc)[2..-1]
        if contains -- $before ${flagsWithValue(places).join(" ")}
            set before ""
            continue
        end
        switch "$place/$item"
${steps(places, (from, to) => `            case ${quoted(from)}\n                set place ${quoted(to)}`)}
        end
        set before $item
    end
    test "$place" = "$argv[1]"
end
complete -c ticketing -f
${lines.join("\n")}
`;
}
