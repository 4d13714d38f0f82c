import { expressionPart } from "./expression-part.ts";

/**
 * sed scripts that only print, delete and replace in any sed (POSIX sed; GNU's manual). Excluded is everything that
 * runs (`e`), writes (`w`) or opens (`r`), labels and blocks, and syntax that two seds could parse differently.
 */
export function isHarmlessSed(script: string): boolean {
  if (script.length > 2000 || script === "") return false;
  for (let at = 0; ; ) {
    command.lastIndex = at;
    const [text] = command.exec(script) ?? [];
    if (text === undefined) return false;
    at += text.length;
    end.lastIndex = at;
    const [separator] = end.exec(script) ?? [];
    if (separator === undefined) return false;
    at += separator.length;
    if (at === script.length) return true;
  }
}

const text = (delimiter: string) => String.raw`(?:[^${delimiter}\\\n]|\\[^\n])*`;
const address = String.raw`(?:\d+|\$|/${expressionPart("/")}+/I?)`;
const addresses = String.raw`(?:${address}(?: *, *(?:${address}|\+\d+))? *!? *)?`;
const replaces = ["/", "|", ",", "#", ":", "@"].map((delimiter) => {
  const d = delimiter === "|" ? String.raw`\|` : delimiter;
  return `s${d}${expressionPart(d)}+${d}${text(d)}${d}[gpiI0-9]*`;
});
/** One letter, or several in braces: `5{p;q}`. */
const letters = String.raw`[pdq=]|\{ *[pdq=](?: *; *[pdq=])* *;? *\}`;
const command = new RegExp(String.raw`[ \t\n;]*${addresses}(?:${letters}|${replaces.join("|")})`, "y");
/** Everything between a command and the next one, or the end. */
const end = /[ \t]*(?:[;\n][ \t\n;]*|$)/y;

/** The effects of a script apart from changing text. */
type SedScript = {
  /** Commands that it passes to a shell, by `e command`. */
  runs: string[];
  /** It passes its text to a shell, by a lone `e` or `s/…/…/e`. */
  runsInput: boolean;
  writes: string[];
  reads: string[];
};

/** Addresses and blocks before a command. */
const beforeCommand = /(?:[\s;{}!,+~0-9$]|\/(?:[^/\\\n]|\\.)*\/[IM]*|\\([^\n])(?:(?!\1)[^\\\n]|\\.)*\1[IM]*)*/y;

/** Follows GNU sed's manual, "sed scripts"; unknown parts are skipped line by line. */
export function readSed(script: string): SedScript {
  const found: SedScript = { runs: [], runsInput: false, writes: [], reads: [] };
  if (isHarmlessSed(script)) return found;
  let at = 0;
  while (at < script.length) {
    beforeCommand.lastIndex = at;
    at += beforeCommand.exec(script)?.[0].length ?? 0;
    const command = script[at] ?? "";
    at += 1;
    if (command === "s" || command === "y") at = substitution(script, at, found);
    else if (/[#ewWrRaicbtTQqlLvF:=]/.test(command)) at = rest(script, at, command, found);
  }
  return found;
}

/** Commands that take the rest of the line. */
function rest(script: string, at: number, command: string, found: SedScript): number {
  if (/[btTQqlLvF=]/.test(command)) return at;
  const end = script.indexOf("\n", at);
  const stop = end < 0 ? script.length : end;
  const text = script.slice(at, stop).trim();
  if (command === "e") {
    // `e;p` and `e}` continue after it.
    if (/^(?:[;}]|$)/.test(text)) found.runsInput = true;
    else found.runs.push(text);
  } else if (/[wW]/.test(command) && text !== "") found.writes.push(text);
  else if (/[rR]/.test(command) && text !== "") found.reads.push(text);
  return stop + 1;
}

function substitution(script: string, start: number, found: SedScript): number {
  const delimiter = script[start] ?? "";
  let at = start + 1;
  for (let parts = 0; parts < 2 && at < script.length; at += 1) {
    if (script[at] === "\\") at += 1;
    else if (script[at] === delimiter) parts += 1;
  }
  const flags = /^[gpiImM0-9e]*/.exec(script.slice(at, at + 20))?.[0] ?? "";
  if (flags.includes("e")) found.runsInput = true;
  at += flags.length;
  return script[at] === "w" ? rest(script, at + 1, "w", found) : at;
}

/** The words of a call that are scripts, not files. */
export function sedScripts(words: readonly string[]): string[] {
  const scripts = words.flatMap((word, index) => {
    if (/^(?:-[nErsuz]*e|--expression)$/.test(word)) return [words[index + 1] ?? ""];
    const attached = /^(?:-[nErsuz]*e|--expression=)([\s\S]+)$/.exec(word)?.[1];
    return attached === undefined ? [] : [attached];
  });
  if (scripts.length > 0 || words.some((word) => /^(?:-[nErsuz]*f|--file)/.test(word))) return scripts;
  return words.filter((word) => !/^-./.test(word)).slice(0, 1);
}
