const ESC = "\\u001b";

/** Whole escape sequences (ECMA-48): CSI with parameters, and the strings OSC, DCS, SOS, PM and APC to their end. */
const sequences = new RegExp(
  `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]|(?:${ESC}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|\\u009c|${ESC}\\\\)?|${ESC}[ -/]*[0-~]`,
  "gu",
);

/** Characters that control a terminal, reverse its writing direction, or are invisible. */
const hidden = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2064\ufeff]/gu;

/**
 * Makes text of a model, a tool or a file safe for a terminal: it cannot move the cursor, set the title, reach the
 * clipboard, or look like another text. Newlines and tabs stay.
 */
export function terminalText(text: string): string {
  return text
    .toWellFormed()
    .replace(sequences, "")
    .replace(hidden, (character) => (character === "\n" || character === "\t" ? character : ""));
}
