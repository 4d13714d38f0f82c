import { type Completions, type FlagOffer, OWN_COMMANDS, withOwn } from "./completions.ts";

/** A file for ~/.config/fish/completions, named harness.fish. */
export function fishCompletion({ words, flags, valued, families }: Completions): string {
  const offers = [...words].flatMap(([name, rows]) =>
    rows.map(
      ({ word, doc }) => `complete -c harness -n "__harness_is '${name}'" -f -a ${quoted(word)}${described(doc)}`,
    ),
  );
  // A tab separates each from its description.
  const own = [...withOwn].map(
    (name) => `complete -c harness -n "__harness_is '${name}'" -f -a '(${OWN_COMMANDS} 2>/dev/null)'`,
  );
  const homes = new Map<string, { row: FlagOffer; names: string[] }>();
  for (const [name, rows] of flags)
    for (const row of rows) homes.set(row.word, { row, names: [...(homes.get(row.word)?.names ?? []), name] });
  const flagOffers = [...homes.values()].map(
    ({ row, names }) =>
      `complete -c harness -n "__harness_is ${names.map((name) => `'${name}'`).join(" ")}" -l ${row.word}${row.short ? ` -s ${row.short}` : ""}${valueOffer(row)}${described(row.doc)}`,
  );
  return `# Completion of harness for fish, made by: harness completion fish
function __harness_command
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ''
    set -l skip 0
    for word in $words
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case ${valued.join(" ")}
                set skip 1
            case '-*'
            case '*'
                if test -z "$command"
                    set command $word
                else if contains -- $command ${families.join(" ")}
                    set command "$command $word"
                end
        end
    end
    echo $command
end
function __harness_is
    contains -- (__harness_command) $argv
end
${[...offers, ...own, ...flagOffers].join("\n")}
`;
}

function valueOffer({ takes, choices }: FlagOffer): string {
  if (takes === "nothing") return "";
  if (takes === "folders") return " -x -a '(__fish_complete_directories)'";
  if (takes === "files") return " -r -F";
  return choices.length > 0 ? ` -x -a ${quoted(choices.join(" "))}` : " -x";
}

function described(doc: string): string {
  return doc === "" ? "" : ` -d ${quoted(doc)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
