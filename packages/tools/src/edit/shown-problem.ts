/** Only at the beginning of a sentence that is about the argument: a file may have the same name. */
const openings: readonly (readonly [RegExp, string])[] = [
  [/^old_string and new_string(?= are the same| differ)/, "The text to replace and the new text"],
  [/^old_string(?= is (?:not in|missing|empty)\b| occurs )/, "The text to replace"],
  [/^(?:new_string|content)(?= is missing\b)/, "The new text"],
  [/^file_path(?= is missing\b)/, "The path"],
];

/** The display of a failed edit: the first sentence of its problem, without argument names. */
export function shownProblem(problem: string): string {
  const [line = ""] = problem.split("\n", 1);
  const [which = ""] = /^Edit \d+: /.exec(line) ?? [];
  const message = line.slice(which.length);
  const end = /[.:](?= |$)/.exec(message)?.index ?? message.length;
  const sentence = openings.reduce((text, [opening, words]) => text.replace(opening, words), message.slice(0, end));
  return `${which}${sentence}.`;
}
