/** Only where a sentence begins and goes on like one about the argument: a file may have that name too. */
const openings: readonly (readonly [RegExp, string])[] = [
  [/^old_string and new_string(?= are the same| differ)/, "The text to replace and the new text"],
  [/^old_string(?= is (?:not in|missing|empty)\b| occurs )/, "The text to replace"],
  [/^(?:new_string|content)(?= is missing\b)/, "The new text"],
  [/^file_path(?= is missing\b)/, "The path"],
];

/** The display of an edit that was not made: its first sentence, without the names of arguments. */
export function shownProblem(problem: string): string {
  const [line = ""] = problem.split("\n", 1);
  const [which = ""] = /^Edit \d+: /.exec(line) ?? [];
  const said = line.slice(which.length);
  const end = /[.:](?= |$)/.exec(said)?.index ?? said.length;
  const sentence = openings.reduce((text, [opening, words]) => text.replace(opening, words), said.slice(0, end));
  return `${which}${sentence}.`;
}
