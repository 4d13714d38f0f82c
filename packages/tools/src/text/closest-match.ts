import { amount } from "@harness/protocol";
import { anchoredStretch, similarStretch } from "./similar-stretch.ts";

const MAX_TEXT_CHARS = 4_000_000;
const MAX_OLD_CHARS = 100_000;
const SHOWN_LINES = 12;
const SHOWN_CHARS = 300;

/** A normalization that removes one kind of difference and keeps the number of lines. */
type Normalization = { difference: string; apply(text: string): string };

// Lines are trimmed one by one, because an expression such as / +$/ takes quadratic time on a long run of blanks.
const looks: readonly Normalization[] = [
  { difference: "spaces or tabs at the end of lines", apply: (text) => eachLine(text, (line) => line.trimEnd()) },
  { difference: "tabs where the file has spaces, or spaces where it has tabs", apply: expandTabs },
  { difference: "the indentation", apply: (text) => eachLine(text, (line) => line.trim()) },
  { difference: "the number of blanks between words", apply: withoutBlanks },
  { difference: "typographic quotes, dashes or blanks", apply: plainPunctuation },
  { difference: "how accented letters are encoded (Unicode NFC and NFD)", apply: (text) => text.normalize("NFC") },
  { difference: "capital and small letters", apply: (text) => text.toLowerCase() },
  {
    difference: "blanks and typographic characters",
    apply: (text) => withoutBlanks(plainPunctuation(text.normalize("NFC"))),
  },
];

/** Repairs of typical mistakes in a model's `old` text: the mistake is in the call, not in the file. */
const slips: readonly { slip: string; repair(old: string): string }[] = [
  {
    slip: "it has the line numbers that read puts before each line; leave them out",
    repair: (old) => old.replace(/^ *\d+(?:\t|→|\| ?)/gm, ""),
  },
  {
    slip: 'it has backslash sequences such as \\n or \\" written out; give the characters themselves',
    repair: (old) => old.replace(/\\([nt"'\\])/g, (_, c: string) => (c === "n" ? "\n" : c === "t" ? "\t" : c)),
  },
  { slip: "it is wrapped in a code fence; leave the fence out", repair: withoutFence },
  { slip: "it has empty lines at its start or end that the file lacks", repair: withoutOuterBlankLines },
];

/** Says why `old` is not in `text` and what comes closest, for a model that will try again. Changes nothing. */
export function closestMatch(rawText: string, rawOld: string, argument = "old_string"): string {
  const text = rawText.replaceAll("\r\n", "\n");
  const old = rawOld.replaceAll("\r\n", "\n");
  if (text.length > MAX_TEXT_CHARS || old.length > MAX_OLD_CHARS) return "Read the place again and copy it exactly.";
  for (const { slip, repair } of slips) {
    const repaired = repair(old);
    if (repaired === old || repaired.trim() === "") continue;
    const line = lineOf(text, repaired);
    if (line !== undefined) return `Without a slip it would match at line ${line}: ${slip}.`;
  }
  for (const { difference, apply } of looks) {
    const wanted = apply(old);
    if (wanted.trim() === "") continue;
    const seen = apply(text);
    const line = lineOf(seen, wanted);
    if (line === undefined) continue;
    const others = seen.split(wanted).length - 2;
    const also = others > 0 ? ` and in ${amount(others, "more place")}` : "";
    const head = `At line ${line}${also} the file differs from ${argument} only in ${difference}.`;
    return `${head} The file has:\n${excerpt(text, line, lineCount(old))}`;
  }
  const anchored = anchoredStretch(text, old);
  if (anchored) {
    const { line, lines } = anchored;
    const head = `Only lines ${line}-${line + lines - 1} begin and end as ${argument} does.`;
    return `${head} The file has:\n${excerpt(text, line, lines)}`;
  }
  const near = similarStretch(text, old);
  if (!near) return "Nothing in the file resembles it: read the file again.";
  return [
    `The closest place is line ${near.line}; the first line that differs is ${near.differsAt}.`,
    `${argument} has: ${quoted(near.given)}`,
    `the file has:   ${quoted(near.found)}`,
    `There the file reads:\n${excerpt(text, near.line, near.lines)}`,
  ].join("\n");
}

function eachLine(text: string, change: (line: string) => string): string {
  return text.split("\n").map(change).join("\n");
}

function withoutBlanks(text: string): string {
  return text.replace(/[ \t\r]+/g, "");
}

function withoutFence(old: string): string {
  const lines = old.trimEnd().split("\n");
  const fenced = lines.length > 2 && lines[0]?.startsWith("```") && lines.at(-1)?.trim() === "```";
  return fenced ? lines.slice(1, -1).join("\n") : old;
}

function withoutOuterBlankLines(old: string): string {
  const lines = old.split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return lines.slice(Math.max(0, first), last + 1).join("\n");
}

function expandTabs(text: string): string {
  return text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll("\t", "    "));
}

function plainPunctuation(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, " ")
    .replaceAll("\u2026", "...");
}

function lineOf(text: string, part: string): number | undefined {
  const at = text.indexOf(part);
  if (at === -1) return undefined;
  return text.slice(0, at).split("\n").length;
}

function lineCount(text: string): number {
  return text.replace(/\n$/, "").split("\n").length;
}

function excerpt(text: string, line: number, lines: number): string {
  const rows = text.split("\n").slice(line - 1, line - 1 + Math.min(lines, SHOWN_LINES));
  const shown = rows.map((row, i) => `${String(line + i).padStart(6)}\t${cut(row)}`);
  if (lines > SHOWN_LINES) shown.push(`       … ${lines - SHOWN_LINES} more lines`);
  return shown.join("\n");
}

/** Makes whitespace visible that cannot be distinguished otherwise. */
function quoted(line: string | undefined): string {
  return line === undefined ? "(nothing: it ends before)" : JSON.stringify(cut(line));
}

function cut(line: string): string {
  return line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS).toWellFormed()}…`;
}
