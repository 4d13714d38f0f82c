import type { ShellCommand, ShellWord } from "../../ports/shell-grammar.ts";

/** Stands for any number of words that are only known at run time. */
export const ANY_WORDS: ShellWord = { text: "$@", literal: false };

/**
 * The text that a command reads from its input, if the line shows it: `echo text | cmd`, `cmd <<< text`, a
 * here-document.
 */
export function stdinText({ inputFrom, redirects }: ShellCommand): string | undefined {
  const redirect = redirects.filter(({ operator }) => operator.includes("<")).at(-1);
  if (redirect)
    return /^\d*<<[-<]?$/.test(redirect.operator) && redirect.target.literal ? redirect.target.text : undefined;
  const [first, ...rest] = inputFrom ?? [];
  if (!/^(?:echo|printf)$/.test(first?.text ?? "") || !rest.every(({ literal }) => literal)) return undefined;
  const words = rest.map(({ text }) => text);
  // A format is filled in; the treatment of options and backslashes by `echo` varies.
  if (first?.text === "printf") return words.length === 1 ? unescaped(words[0] ?? "") : spokenFormat(words);
  return unescaped(words.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(" "));
}

function unescaped(text: string): string | undefined {
  if (/%|\\[^nt"'\\ ]/.test(text)) return undefined;
  return text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");
}

function spokenFormat([format = "", ...values]: readonly string[]): string | undefined {
  return /^(?:%s(?:\\n|\\0| )?)+$/.test(format) && !values.some((value) => value.includes("\\"))
    ? values.join("\n")
    : undefined;
}

/**
 * The commands that a program makes from its input: all words at the end, each alone, or each in place of a sign.
 * `parts`: words or whole lines.
 */
export function withInput(
  template: readonly ShellWord[],
  sign: string | undefined,
  text: string | undefined,
  parts: "words" | "lines",
): ShellWord[][] {
  const holds = (word: ShellWord) => sign !== undefined && sign !== "" && word.text.includes(sign);
  const filled = (value: string, literal: boolean) =>
    template.map((word) => (holds(word) ? { text: word.text.replaceAll(sign ?? "", () => value), literal } : word));
  const hasSign = template.some(holds);
  if (text === undefined) return hasSign ? [filled("$1", false)] : [[...template, ANY_WORDS]];
  const words = inputWords(text);
  const lines = text.split("\n").map((line) => line.trim());
  const each = [...(hasSign || parts === "lines" ? lines : []), ...(parts === "words" ? words : [])];
  const values = [...new Set(each)].filter(Boolean).slice(0, MAX_VALUES);
  // Too many words to examine one by one: anything may come of them.
  if (template.length * values.length > MAX_WORDS) return withInput(template, sign, undefined, parts);
  if (hasSign) return values.map((value) => filled(value, true));
  const literal = (value: string): ShellWord => ({ text: value, literal: true });
  return [[...template, ...words.map(literal)], ...values.map((value) => [...template, literal(value)])];
}

/** More input adds nothing new about the resulting commands. */
const MAX_VALUES = 40;
const MAX_WORDS = 2000;

/** Split as xargs does it: at blanks and line ends, with quotes and backslashes. */
function inputWords(text: string): string[] {
  return [...text.slice(0, 2000).matchAll(/(?:'[^'\n]*'|"[^"\n]*"|\\[\s\S]|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(
      /'([^'\n]*)'|"([^"\n]*)"|\\([\s\S])/g,
      (_all, single, double, escaped) => single ?? double ?? escaped ?? "",
    ),
  );
}
