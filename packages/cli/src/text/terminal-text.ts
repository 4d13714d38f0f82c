const ESC = "\\u001b";

/** Whole escape sequences (ECMA-48): CSI with its parameters, and the strings OSC, DCS, SOS, PM, APC to their end. */
const sequences = new RegExp(
  `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]|(?:${ESC}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|\\u009c|${ESC}\\\\)?|${ESC}[ -/]*[0-~]`,
  "gu",
);

/** What steers a terminal, reverses its writing, or cannot be seen: controls, bidi, zero-width, line separators. */
const hidden = /[\p{Cc}\p{Bidi_Control}\u200b\u2028\u2029\u2060-\u2064\ufeff]/gu;

/**
 * Text of a model, a tool or a file as it may go to a terminal: it can neither move the cursor, nor set the title, nor
 * reach the clipboard, nor look like another text. Line feeds and tabs stay.
 */
export function terminalText(text: string): string {
  return text
    .toWellFormed()
    .replace(sequences, "")
    .replace(hidden, (character) => (character === "\n" || character === "\t" ? character : ""));
}
