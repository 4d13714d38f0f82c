/** ASCII in place of signs that old fonts and the Linux console lack; each as wide as the sign. */
const replacements: readonly (readonly [signs: string, ascii: string])[] = [
  ["─━═╌╍┄┅┈┉╴╶–—‐‑−", "-"],
  ["│┃║╎╏┆┇┊┋▍▎▌▐▏", "|"],
  ["┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬", "+"],
  ["•●◉◆▪■∙", "*"],
  ["◦○◯◇▫□◌·⋯", "."],
  ["✓✔☑", "v"],
  ["✗✘×☒⊘", "x"],
  ["☐", "o"],
  ["→▸▹▶❯›»↳⟩", ">"],
  ["←◂◀❮‹«⟨", "<"],
  ["↑▴▲", "^"],
  ["↓▾▼", "v"],
  ["…", "~"],
  ["≈", "~"],
  ["◐", "|"],
  ["◓", "/"],
  ["◑", "-"],
  ["◒", "\\"],
  ["⏎↵", "/"],
  ["“”„", '"'],
  ["‘’‚", "'"],
  ["█▉▊▋▓▇▆▅", "#"],
  ["▒▄▃░▂▁", "="],
];
const SPINNER = "|/-\\";

const asciiOf = new Map<string, string>(
  replacements.flatMap(([signs, ascii]) => [...signs].map((sign) => [sign, ascii] as const)),
);
const SIGNS = new RegExp(`[${[...asciiOf.keys()].join("")}\u2800-\u28ff⁰¹²³⁴⁵⁶⁷⁸⁹]`, "gu");

/** A text with ASCII in place of borders, marks, arrows and the spinner; its letters stay. */
export function withPlainGlyphs(text: string): string {
  return text.replace(SIGNS, (sign) => {
    const digit = "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign);
    if (digit >= 0) return String(digit);
    const code = sign.codePointAt(0) ?? 0;
    return code >= 0x2800 ? (SPINNER[code % SPINNER.length] ?? "*") : (asciiOf.get(sign) ?? "?");
  });
}
