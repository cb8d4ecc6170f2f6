// Completion in a shell: `ticketing completion SHELL` prints a script that asks `ticketing __complete WORD…`, the last word half typed, at each Tab.
import { resolve } from "node:path";
import { listNames } from "../../app/documents.ts";
import type { World } from "../../app/world.ts";
import { schemaText } from "../../config/document-schemas.ts";
import type { schemaNames, shells } from "../usage/files.ts";
import { commonFlagsOf, type Flag, flag, formatFlag, isInHelp, type Parameter, type Usage } from "../usage/usage.ts";
import { usages } from "../usages.ts";

export async function runCompletion(world: World, options: { readonly shell: (typeof shells)[number] }) {
  world.stdout.write(completionScripts[options.shell]);
  return 0;
}

/**
 * What can replace the last word, a line each: the word, followed by a tab and its meaning if it has one. A line that begins with a
 * tab asks the shell for its own names: of files, or of directories. Whatever goes wrong, nothing is printed.
 */
export async function printCompletions(world: World, [, ...typed]: readonly string[]): Promise<number> {
  try {
    const offers = await offersAt(world, typed.map(unquoted));
    world.stdout.write(offers.map((line) => `${line}\n`).join(""));
  } catch {
    // The shell continues without them.
  }
  return 0;
}

async function offersAt(world: World, words: readonly string[]): Promise<readonly string[]> {
  const typed = words.at(-1) ?? "";
  const { usage, open } = walkWords(words.slice(0, -1));
  const [, name = "", value = ""] = /^(--[a-z-]+)=(.*)$/s.exec(typed) ?? [];
  const asked = open ?? flagsOf(usage).find((one) => takesValue(one) && namesOf(one).includes(name));
  const directory = resolve(world.cwd, directoryIn(words, world) ?? ".");
  if (asked !== undefined) return valuesFor(world, asked, directory, open === undefined ? value : typed);
  if (typed.startsWith("-"))
    return [...flagsOf(usage).filter((one) => isOffered(one, usage)), help].flatMap((one) =>
      namesOf(one).map((each) => `${each}\t${one.description}`),
    );
  const below = (usage === undefined ? usages : (usage.below ?? [])).map((one) => `${one.name}\t${one.summary}`);
  const parameter = usage?.parameters?.[0];
  return parameter === undefined ? below : [...below, ...(await valuesFor(world, parameter, directory, typed))];
}

const help: Flag = flag("-h, --help", "show this help");

/** The command that these words name, and the flag whose value must follow them. */
function walkWords(words: readonly string[]) {
  let usage: Usage | undefined;
  let open: Flag | undefined;
  for (const word of words) {
    if (open !== undefined) {
      open = undefined;
      continue;
    }
    open = flagsOf(usage).find((one) => takesValue(one) && namesOf(one).includes(word));
    usage = (usage === undefined ? usages : usage.below)?.find((one) => one.name === word) ?? usage;
  }
  return { usage, open };
}

function flagsOf(usage: Usage | undefined): readonly Flag[] {
  return usage === undefined ? commonFlagsOf() : [...(usage.flags ?? []), formatFlag(usage), ...commonFlagsOf(usage)];
}

function isOffered(one: Flag, usage: Usage | undefined): boolean {
  return one.description !== "" && (usage === undefined || isInHelp(one, usage));
}

function takesValue({ flags }: Flag): boolean {
  return flags.includes("<");
}

function namesOf({ flags }: Flag): readonly string[] {
  return flags.match(/--?[a-zA-Z][a-z-]*/g) ?? [];
}

async function valuesFor(
  world: World,
  { choices, names, takes }: Flag | Parameter,
  directory: string,
  typed: string,
): Promise<readonly string[]> {
  if (choices !== undefined) return choices;
  if (names !== undefined) return listNames(world, directory, names, typed);
  return takes === "file" || takes === "directory" ? [`\t${takes}`] : [];
}

function directoryIn(words: readonly string[], { env }: World): string | null {
  const at = words.findLastIndex((word) => /^(?:-C|--directory(?:=.*)?)$/.test(word));
  const word = words[at] ?? "";
  const named = word.includes("=") ? word.slice(word.indexOf("=") + 1) : words[at + 1];
  return at === -1 || named === undefined ? null : named.replace(/^~(?=\/|$)/, env.HOME ?? "~");
}

/** A word as it is typed, without its quotes and backslashes. */
function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "").replace(/\\(.)/g, "$1");
}

/** Prints a JSON Schema: the same bytes as the file in schemas/. */
export async function runSchema(world: World, options: { readonly schema?: (typeof schemaNames)[number] }) {
  world.stdout.write(schemaText(options.schema ?? "event"));
  return 0;
}

// What a shell must do itself: pass on the words typed so far, and treat what `ticketing __complete` prints as text, never as code.

/**
 * For bash 3.2 and later. It takes `:`, `=` and `@` for ends of words, so the words are put together again, and what is offered leaves out
 * what it does not replace. A name goes in as text: escaped, or, within quotes, only if nothing in it has a meaning there.
 */
const bash = `# ticketing: completion for bash
_ticketing() {
  local word item name each open="" typed done="" left="\${COMP_LINE:0:COMP_POINT}"
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
  case "$word" in --*=*) word="\${word#*=}" ;; esac
  # What is typed up to the last end of a word stays on the line as it is.
  case "$COMP_WORDBREAKS" in *:*) each="\${word##*:}"; [ "$each" = "$word" ] || done="\${word%"$each"}" ;; esac
  case "$COMP_WORDBREAKS" in *@*) each="\${word##*@}"; [ "$each" = "$word" ] || { [ "\${#each}" -lt "$((\${#word} - \${#done}))" ] && done="\${word%"$each"}"; } ;; esac
  typed="$word"
  case "$typed" in
    [\\"\\']*) open="\${typed:0:1}"; typed="\${typed:1}" ;;
    *) typed="\${typed//\\\\/}" ;;
  esac
  while IFS= read -r name; do
    case "$name" in
      $'\\tfile') COMPREPLY+=($(compgen -f -- "$word")); continue ;;
      $'\\tdirectory') COMPREPLY+=($(compgen -d -- "$word")); continue ;;
    esac
    name="\${name%%$'\\t'*}"
    [ "\${name:0:\${#typed}}" = "$typed" ] || continue
    if [ -z "$open" ]; then
      name="\${name#"\${done//\\\\/}"}"
      COMPREPLY+=("$(printf %q "$name")")
    else
      case "$name" in *[\\"\\'\\$\\\\\\\`!]*) ;; *) COMPREPLY+=("\${name#"\${done#?}"}") ;; esac
    fi
  done < <(ticketing __complete "\${typed_words[@]}" 2>/dev/null)
}
complete -F _ticketing ticketing
`;

const zsh = `#compdef ticketing
_ticketing() {
  local line
  local -a described plain
  if [[ "$PREFIX" == --*=* ]]; then compset -P '*='; fi
  for line in "\${(@f)$(ticketing __complete "\${(@)words[1,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      $'\\tfile') _files ;;
      $'\\tdirectory') _files -/ ;;
      *$'\\t'*) described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      *) plain+=("$line") ;;
    esac
  done
  if (( \${#described} )); then _describe 'ticketing' described; fi
  if (( \${#plain} )); then compadd -- "\${(@)plain}"; fi
}
compdef _ticketing ticketing
`;

const fish = `# ticketing: completion for fish
function __ticketing_complete
    set -l word (commandline -ct)
    set -l lead (string match -r '^--[^=]+=' -- $word)
    for line in (ticketing __complete (commandline -opc) "$word" 2>/dev/null)
        switch $line
            case \\tfile
                __fish_complete_path (string replace -r '^--[^=]+=' '' -- $word) | string replace -r '^' -- "$lead"
            case \\tdirectory
                __fish_complete_directories (string replace -r '^--[^=]+=' '' -- $word) | string replace -r '^' -- "$lead"
            case '*'
                printf '%s%s\\n' "$lead" $line
        end
    end
end
complete -c ticketing -f -a '(__ticketing_complete)'
`;

export const completionScripts = { bash, zsh, fish };
