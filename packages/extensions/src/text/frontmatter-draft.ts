import { FENCE, fieldSpans, isBlank } from "./frontmatter.ts";

/** Lines with their ends: those of a field, or the blank lines and comments between two. */
type Part = { key?: string; lines: readonly string[] };

/** A Markdown file whose frontmatter is edited field by field: every other line stays as it is. */
export class FrontmatterDraft {
  readonly #lineEnd: string;
  readonly #open: string;
  readonly #close: string;
  #parts: Part[];
  #body: string;

  private constructor(lines: readonly string[], end: number) {
    this.#open = lines[0] ?? "";
    this.#lineEnd = this.#open.endsWith("\r\n") ? "\r\n" : "\n";
    this.#close = lines[end] ?? "";
    this.#parts = partsOf(lines.slice(1, end));
    this.#body = lines.slice(end + 1).join("");
  }

  /** Undefined if the text has no frontmatter. */
  static of(text: string): FrontmatterDraft | undefined {
    const lines = text.split(/(?<=\n)|(?<=\r)(?!\n)/);
    if (!FENCE.test(bare(lines[0] ?? "").replace(/^\ufeff/, ""))) return undefined;
    const end = lines.findIndex((line, at) => at > 0 && FENCE.test(bare(line)));
    return end < 0 ? undefined : new FrontmatterDraft(lines, end);
  }

  /** The lines of a field, including its key. */
  get(key: string): string[] | undefined {
    return this.#parts.find((part) => part.key === key)?.lines.map(bare);
  }

  /** Replaces a field in place; a new one is added at the end. */
  set(key: string, lines: readonly string[]): void {
    const part = { key, lines: lines.map((line) => line + this.#lineEnd) };
    const at = this.#parts.findIndex((each) => each.key === key);
    if (at < 0) this.#parts.push(part);
    else this.#parts[at] = part;
  }

  remove(key: string): void {
    this.#parts = this.#parts.filter((part) => part.key !== key);
  }

  /** Replaces the text below the frontmatter; the space around it stays. */
  setBody(text: string): void {
    const [space = this.#lineEnd] = /^\s*\n/.exec(this.#body) ?? [];
    this.#body = `${space}${text.replaceAll("\n", this.#lineEnd)}${this.#lineEnd}`;
  }

  get text(): string {
    const close = /[\r\n]$/.test(this.#close) ? this.#close : this.#close + this.#lineEnd;
    return [this.#open, ...this.#parts.flatMap(({ lines }) => lines), close, this.#body].join("");
  }
}

function partsOf(lines: readonly string[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { key, from, to } of fieldSpans(lines.map(bare))) {
    let end = to;
    // Comments after the last line of a value belong to the next field, or to none.
    while (end > from + 1 && isBlank(bare(lines[end - 1] ?? ""))) end -= 1;
    parts.push(
      { lines: lines.slice(at, from) },
      { ...(key === undefined ? {} : { key }), lines: lines.slice(from, end) },
    );
    at = end;
  }
  return [...parts, { lines: lines.slice(at) }];
}

function bare(line: string): string {
  return line.replace(/(?<![\r\n])[\r\n]+$/, "");
}
