import { type Completions, OWN_COMMANDS, withOwn } from "./completions.ts";

/** The user's own commands, queried when the shell completes. */
const own = (name: string) => (withOwn.has(name) ? ` $(${OWN_COMMANDS} 2>/dev/null | cut -f1)` : "");

/** A script for bash 3.2 or newer. If nothing is offered, bash completes file names. */
export function bashCompletion({ words, flags, valued, families }: Completions): string {
  const offers = [...words].map(
    ([name, rows]) => `      "${name}") words="${rows.map(({ word }) => word).join(" ")}${own(name)}" ;;`,
  );
  const flagOffers = [...flags].map(
    ([name, rows]) =>
      `      "${name}") words="${rows.flatMap(({ word, short }) => [`--${word}`, ...(short ? [`-${short}`] : [])]).join(" ")}" ;;`,
  );
  const choices = new Map([...flags.values()].flat().map((row) => [row.word, row]));
  const values = [...choices.values()]
    .filter((row) => row.choices.length > 0)
    .map(
      ({ word, short, choices: known }) =>
        `    --${word}${short ? `|-${short}` : ""}) COMPREPLY=($(compgen -W "${known.join(" ")}" -- "$current")); return ;;`,
    );
  return `# Completion of harness for bash, made by: harness completion bash
_harness() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= words= at word
  COMPREPLY=()
  if [[ $current == "=" ]]; then current=; elif [[ $before == "=" ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    case $word in
      --) return ;;
      ${valued.join("|")}) at=$((at + 1)); [[ \${COMP_WORDS[at]} == "=" ]] && at=$((at + 1)) ;;
      -*) ;;
      *)
        case $command in
          "") command=$word ;;
          ${families.join("|")}) command="$command $word" ;;
        esac ;;
    esac
  done
  case $before in
${values.join("\n")}
    ${valued.join("|")}) return ;;
  esac
  if [[ $current == -* ]]; then
    case $command in
${flagOffers.join("\n")}
    esac
  else
    case $command in
${offers.join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _harness harness
`;
}
