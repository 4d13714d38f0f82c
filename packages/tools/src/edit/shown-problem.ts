const words: readonly (readonly [RegExp, string])[] = [
  [/\bold_string and new_string\b/g, "the text to replace and the new text"],
  [/\bold_string\b/g, "the text to replace"],
  [/\bnew_string\b/g, "the new text"],
];

/** What people are shown of an edit that was not made: its first sentence, without the names of arguments. */
export function shownProblem(problem: string): string {
  const [line = ""] = problem.split("\n", 1);
  const end = /[.:](?= |$)/.exec(line)?.index ?? line.length;
  const sentence = words.reduce((text, [name, word]) => text.replace(name, word), line.slice(0, end));
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}
