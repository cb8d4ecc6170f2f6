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
