import { CliError } from "../../process/exit-codes.ts";
import { rawKeys, type TerminalQuestion } from "../../process/raw-keys.ts";
import { terminalText } from "../../text/terminal-text.ts";

export type MenuRow = { label: string; detail: string };

const ESC = "\u001b";
const KEYS = new RegExp(`${ESC}[[O][ABHF]|[^]`, "g");
const MAX_DIGIT = 9;

/** A list of rows with a marked one, and the effect of keys on it. */
export class Menu {
  readonly #rows: readonly MenuRow[];
  marked = 0;

  constructor(rows: readonly MenuRow[]) {
    this.#rows = rows;
  }

  /** The row chosen by Enter or by its number; "left" for Esc or q; "interrupted" for Ctrl+C or Ctrl+D. */
  take(bytes: string): number | "left" | "interrupted" | undefined {
    for (const [key] of bytes.matchAll(KEYS)) {
      const taken = this.#key(key);
      if (taken !== undefined) return taken;
    }
    return undefined;
  }

  /** The rows for a terminal of this width; `plain` has numbers in place of a mark. */
  lines(columns: number, { plain }: { plain: boolean }): string[] {
    const width = Math.max(...this.#rows.map(({ label }) => label.length));
    return this.#rows.map(({ label, detail }, at) => {
      const mark = at === this.marked && !plain ? "›" : " ";
      const number = at < MAX_DIGIT ? `${at + 1}` : " ";
      const line = terminalText(`${mark} ${number}  ${label.padEnd(width)}  ${detail}`).trimEnd();
      return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
    });
  }

  #key(key: string): ReturnType<Menu["take"]> {
    const count = this.#rows.length;
    const digit = /^[1-9]$/.test(key) ? Number(key) : 0;
    // The last letter of an arrow's sequence, in both forms that terminals send.
    const arrow = key.length === 3 ? key.at(-1) : undefined;
    if (key === "\u0003" || key === "\u0004") return "interrupted";
    if (key === "\u001b" || key === "q") return "left";
    if (key === "\r" || key === "\n") return this.marked;
    if (digit > 0 && digit <= count) return digit - 1;
    if (arrow === "A" || key === "k") this.marked = (this.marked + count - 1) % count;
    else if (arrow === "B" || key === "j") this.marked = (this.marked + 1) % count;
    else if (arrow === "H") this.marked = 0;
    else if (arrow === "F") this.marked = count - 1;
    return undefined;
  }
}

/** Lets the user choose a row on the terminal, with arrows and Enter; undefined if none was chosen. */
export async function chooseOnTerminal(
  rows: readonly MenuRow[],
  asking: TerminalQuestion,
): Promise<number | undefined> {
  const { stderr } = process;
  const menu = new Menu(rows);
  const draw = (): void => {
    const lines = menu.lines(stderr.columns ?? 80, { plain: false });
    stderr.write(lines.map((line) => `\r${line}\u001b[K\n`).join(""));
  };
  const choosing = rawKeys<number | undefined>(asking.signal, undefined, (bytes) => {
    const taken = menu.take(bytes.toString("utf8"));
    if (taken === "interrupted") asking.interrupt();
    if (taken !== undefined) return { answer: typeof taken === "number" ? taken : undefined };
    stderr.write(`\u001b[${rows.length}A`);
    draw();
    return undefined;
  });
  stderr.write(`${asking.question}\n\n`);
  draw();
  const chosen = await choosing;
  stderr.write("\n");
  return chosen;
}

/** The row that a line names by its number or the beginning of its label. */
export function rowNamed(rows: readonly MenuRow[], text: string): number {
  const wanted = text.trim().toLowerCase();
  const byNumber = /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1;
  const named = rows.findIndex(({ label }) => wanted !== "" && label.toLowerCase().startsWith(wanted));
  const at = rows[byNumber] ? byNumber : named;
  if (at < 0) throw new CliError("usage", `There is no "${text.trim()}" in the list. Nothing was changed.`);
  return at;
}
