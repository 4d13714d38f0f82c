import { skipSpace, usualStarts } from "../calls/text-call.ts";
import { formsOf } from "../forms/call-forms.ts";
import { bareStarts, fenced } from "../forms/fenced.ts";
import { HeldBlock } from "./held-block.ts";
import { type Mark, MarkupScan, type ScanResult } from "./markup-scan.ts";

/** Longer markup is shown, but its calls are still read. */
const MAX_HELD = 256 * 1024;
/** The number of characters after a mark that decide whether it begins a block. */
const HEAD = 256;

/**
 * Keeps the markup of calls off the screen while a reply streams: text is held back from a mark that begins a block,
 * and released if it turns out not to be one. Nothing is lost: `push` and `end` together return the whole input. This
 * is only an estimate; `readTextCalls` decides.
 */
export class MarkupFilter {
  readonly #names: readonly string[];
  readonly #scan = new MarkupScan();
  #pending = "";
  /** Position in the pending or held text at which the scan continues. */
  #from = 0;
  /** A mark at the beginning of the pending text that cannot be identified yet. */
  #waiting: (ScanResult & { mark: Mark }) | undefined;
  #held: HeldBlock | undefined;
  #phase: "start" | "reading" | "open" = "start";

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** Returns the text that may be shown now. */
  push(delta: string): string {
    if (this.#phase === "open") return delta;
    if (this.#held) return this.#add(this.#held, delta);
    const text = this.#pending + delta;
    this.#pending = "";
    if (this.#phase === "start" && this.#isWholeMessage(text)) return "";
    return this.#phase === "reading" ? this.#look(text) : "";
  }

  /** Returns the text that is still held. */
  end(): string {
    const rest = this.#held ? this.#held.whole() : this.#pending;
    this.#held = undefined;
    this.#pending = "";
    this.#phase = "open";
    return rest;
  }

  /** A message may consist only of a call. Leaves the phase if it does not, or once that can be decided. */
  #isWholeMessage(text: string): boolean {
    const first = skipSpace(text, 0);
    const isBracket = text[first] === "{" || text[first] === "[";
    const isOpen = first >= text.length ? text.length < HEAD : isBracket;
    const verdict = isBracket ? beginsLike(text, first, bareStarts(this.#names)) : isOpen ? "maybe" : "no";
    if (verdict === "maybe") {
      this.#pending = text;
      return true;
    }
    this.#phase = "reading";
    if (verdict === "no") return false;
    this.#held = new HeldBlock([]);
    this.#held.add(text);
    return true;
  }

  /** Shows the text up to a mark that begins a block. */
  #look(text: string): string {
    for (;;) {
      const { mark, to } = this.#waiting ?? this.#scan.scan(text, this.#from);
      this.#waiting = undefined;
      if (!mark) return this.#keep(text, to, to);
      const forms = mark.isFence ? [fenced] : formsOf(mark.opener);
      const starts = forms.flatMap(({ starts = usualStarts }) => starts(this.#names));
      const verdict = beginsLike(text, mark.at + mark.opener.length, starts);
      this.#from = to;
      if (verdict === "no") continue;
      if (verdict === "maybe") {
        this.#waiting = { mark: { ...mark, at: 0 }, to: to - mark.at };
        return this.#keep(text, mark.at, to);
      }
      this.#from = to - mark.at;
      const closers = mark.isFence ? [fenceEnd(mark.opener)] : forms.flatMap((form) => form.closers);
      this.#held = new HeldBlock(closers);
      return text.slice(0, mark.at) + this.#add(this.#held, text.slice(mark.at), mark.opener.length);
    }
  }

  #keep(text: string, shownTo: number, scannedTo: number): string {
    this.#pending = text.slice(shownTo);
    this.#from = scannedTo - shownTo;
    return text.slice(0, shownTo);
  }

  #add(held: HeldBlock, delta: string, openerLength = 0): string {
    const isBlock = held.add(delta, openerLength);
    if (isBlock && held.length <= MAX_HELD) return "";
    if (isBlock) return this.end();
    this.#held = undefined;
    return this.#pass(held.whole());
  }

  /** Shows all of it; the scan passes over it to know the context of what follows, and searches for no marks. */
  #pass(text: string): string {
    let { to } = this.#scan.scan(text, this.#from);
    for (let last = -1; to < text.length && to !== last; ) {
      last = to;
      to = this.#scan.scan(text, to).to;
    }
    return this.#keep(text, to, to);
  }
}

function fenceEnd(line: string): string {
  return `\n${/^(?:`+|~+)/.exec(line)?.[0] ?? ""}`;
}

/** Whether the text begins with one of these, ignoring white space. */
function beginsLike(text: string, at: number, starts: readonly string[]): "yes" | "no" | "maybe" {
  const head = text.slice(at, at + HEAD);
  const compact = head.replace(/\s+/g, "");
  if (starts.some((each) => compact.startsWith(each))) return "yes";
  return head.length < HEAD && starts.some((each) => each.startsWith(compact)) ? "maybe" : "no";
}
