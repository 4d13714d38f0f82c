import { expressionPart } from "./expression-part.ts";

/**
 * Scripts for sed that only print, delete and replace, whichever sed reads them (POSIX sed; GNU's manual). Not among them:
 * what runs (`e`), writes (`w`) or opens (`r`), labels and blocks, and whatever two seds could take apart in different ways.
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
/** One letter, or some in braces: `5{p;q}`. */
const letters = String.raw`[pdq=]|\{ *[pdq=](?: *; *[pdq=])* *;? *\}`;
const command = new RegExp(String.raw`[ \t\n;]*${addresses}(?:${letters}|${replaces.join("|")})`, "y");
/** Also in the middle: what stands behind a command until the next one. */
const end = /[ \t]*(?:[;\n][ \t\n;]*|$)/y;
