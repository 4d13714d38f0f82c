/** The longest text that common terminals accept in OSC 52. */
const MAX_COPIED = 74_000;

/** The way of text to the clipboard. */
export type CopyTerminal = {
  write(data: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** tmux hands this to its terminal if its option `allow-passthrough` is on, and drops it otherwise. */
export function throughTmux(bytes: string): string {
  return `\u001bPtmux;${bytes.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
}

/**
 * Makes the terminal put a text into the clipboard (OSC 52, https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).
 * No terminal confirms it. Returns what was copied, as a sentence.
 */
export function copyToTerminal(text: string, { write, env }: CopyTerminal): string {
  const kept = text.slice(0, MAX_COPIED).toWellFormed();
  const bytes = `\u001b]52;c;${Buffer.from(kept).toString("base64")}\u001b\\`;
  // By itself tmux takes it only if its option `set-clipboard` is on.
  write(env.TMUX === undefined ? bytes : bytes + throughTmux(bytes));
  const lines = kept.split("\n").length;
  const count = lines === 1 ? [...kept].length : lines;
  const what = `${count} ${lines === 1 ? "character" : "line"}${count === 1 ? "" : "s"}`;
  if (kept.length === text.length) return `Copied ${what}.`;
  return `Copied the first ${what}: terminals accept no more at once.`;
}
