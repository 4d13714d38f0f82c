/**
 * Converts terminal output to text for a model: removes escape sequences, control characters, and text overwritten by
 * carriage returns or backspaces. Every loop is linear, whatever the output.
 */
export function plainText(text: string): string {
  return text
    .replace(LINE_ERASED, ERASED)
    .replace(TO_START, "\r")
    .replace(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map(lastPainted)
    .join("\n")
    .replace(CONTROLS, "");
}

/** The cursor goes to the start of the line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const TO_START = /\x1b\[[01]?[G`]/g;
/** The line is erased, as a whole or from its start. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const LINE_ERASED = /\r\x1b\[0?K|\x1b\[2K/g;
/** An empty line after the erased one; the control character is dropped at the end. */
const ERASED = "\r\x01";

/** CSI; OSC, DCS, SOS, PM and APC up to their end; then any other sequence (ECMA-48, 5.3 to 5.6). */
const ESCAPES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/g;

/** A progress bar rewrites its line: only its last state is kept. */
function lastPainted(line: string): string {
  const ended = line.endsWith("\r") ? line.slice(0, -1) : line;
  const shown = ended.slice(ended.lastIndexOf("\r") + 1);
  if (!shown.includes("\b")) return shown;
  const kept: string[] = [];
  for (const char of shown) {
    if (char === "\b") kept.pop();
    else kept.push(char);
  }
  return kept.join("");
}
