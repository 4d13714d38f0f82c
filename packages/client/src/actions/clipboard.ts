/** The longest text that common terminals accept in OSC 52. */
const MAX_COPIED = 74_000;

/**
 * Makes the terminal put a text into the clipboard (OSC 52, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
 * No terminal confirms it. Returns what was copied, as a sentence.
 */
export function copyToTerminal(text: string, write: (data: string) => void): string {
  const kept = text.slice(0, MAX_COPIED).toWellFormed();
  write(`\u001b]52;c;${Buffer.from(kept).toString("base64")}\u001b\\`);
  const lines = kept.split("\n").length;
  const count = lines === 1 ? [...kept].length : lines;
  const what = `${count} ${lines === 1 ? "character" : "line"}${count === 1 ? "" : "s"}`;
  if (kept.length === text.length) return `Copied ${what}.`;
  return `Copied the first ${what}: terminals accept no more at once.`;
}
