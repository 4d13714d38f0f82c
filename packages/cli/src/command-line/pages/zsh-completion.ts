import { type Completions, type FlagOffer, OWN_COMMANDS, withOwn } from "./completions.ts";

/** The user's own commands, queried when the shell completes: a tab separates each from its description. */
const own = (name: string) => (withOwn.has(name) ? ` \${(f)"$(${OWN_COMMANDS} 2>/dev/null | tr '\\t' ':')"}` : "");

/** A file for a folder of zsh's fpath, named _harness. */
export function zshCompletion({ words, flags, valued, families }: Completions): string {
  const offers = [...words].map(
    ([name, rows]) =>
      `      "${name}") items=(${rows.map(({ word, doc }) => item(word, doc)).join(" ")}${own(name)}) ;;`,
  );
  const flagOffers = [...flags].map(([name, rows]) => `      "${name}") items=(${rows.flatMap(forms).join(" ")}) ;;`);
  const known = new Map([...flags.values()].flat().map((row) => [row.word, row]));
  const values = [...known.values()].filter(({ takes }) => takes !== "nothing").map(valueOffer);
  return `#compdef harness
# Completion of harness for zsh, made by: harness completion zsh
_harness() {
  local -a items
  local command= word at
  for ((at = 2; at < CURRENT; at++)); do
    word=\${words[at]}
    case $word in
      --) _files; return ;;
      ${valued.join("|")}) at=$((at + 1)) ;;
      -*) ;;
      *)
        case $command in
          "") command=$word ;;
          ${families.join("|")}) command="$command $word" ;;
        esac ;;
    esac
  done
  case \${words[CURRENT-1]} in
${values.join("\n")}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    case $command in
${flagOffers.join("\n")}
    esac
    _describe -o flag items
  else
    case $command in
${offers.join("\n")}
    esac
    (( \${#items} )) && _describe command items || _files
  fi
}
if [[ $funcstack[1] == _harness ]]; then _harness "$@"; else compdef _harness harness; fi
`;
}

function forms({ word, short, doc }: FlagOffer): string[] {
  return [item(`--${word}`, doc), ...(short ? [item(`-${short}`, doc)] : [])];
}

function valueOffer({ word, short, takes, choices }: FlagOffer): string {
  const pattern = `    --${word}${short ? `|-${short}` : ""})`;
  if (takes === "folders") return `${pattern} _files -/; return ;;`;
  if (takes === "files") return `${pattern} _files; return ;;`;
  return choices.length > 0
    ? `${pattern} items=(${choices.map((each) => item(each, "")).join(" ")}); _describe value items; return ;;`
    : `${pattern} return ;;`;
}

/** A word and its description, separated by a colon. */
function item(word: string, doc: string): string {
  const text = doc === "" ? word.replaceAll(":", "\\:") : `${word.replaceAll(":", "\\:")}:${doc}`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
