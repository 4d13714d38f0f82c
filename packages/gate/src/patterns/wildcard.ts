import { type Advance, type PositionSet, rememberMoves } from "./known-moves.ts";

/** One part of a pattern with wildcards. */
export type WildPart =
  /** One character: this one, any that fits, or with "?" any but a slash. */
  | { kind: "one"; fits: string | ((char: string) => boolean) }
  /** Any number of characters; `within` a folder: no slash. */
  | { kind: "run"; within: boolean }
  /** Any number of folders, each with its slash. */
  | { kind: "folders" }
  /** Everything below a folder, or nothing; only at the end. */
  | { kind: "below" };

/** There is at least one word. */
type Bits = Uint32Array & { readonly 0: number };

const MAX_KNOWN_CHARACTERS = 512;
/** After this many characters, transitions are worth remembering. */
const MANY_CHARACTERS = 1000;

/**
 * A pattern with wildcards. All positions that a text may have reached are tracked in parallel, as bits of words: the
 * time is the length of the text times a thirty-second of the pattern's length, whoever wrote them. It never
 * backtracks.
 */
export class WildcardPattern {
  readonly #ones: (WildPart & { kind: "one" })["fits"][] = [];
  readonly #words: number;
  /** Positions where any character may follow, where any but a slash may, and where folders may begin. */
  readonly #stays: Uint32Array;
  readonly #staysWithin: Uint32Array;
  readonly #mayBegin: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #isInAnyCase: boolean;
  /** By character: the positions from which it leads on. */
  readonly #leadsOn = new Map<number, Bits>();
  readonly #ascii: Bits[] = [];
  /** The number of characters compared so far. */
  #characters = 0;
  #known: Advance | undefined;

  constructor(parts: readonly WildPart[], options: { inAnyCase?: boolean } = {}) {
    this.#isInAnyCase = options.inAnyCase === true;
    // "folders" takes two more positions, "below" one.
    const most = parts.reduce((sum, { kind }) => sum + (kind === "one" || kind === "below" ? 1 : 2), 1);
    this.#words = (most + 31) >>> 5;
    const bits = () => new Uint32Array(this.#words);
    [this.#stays, this.#staysWithin, this.#mayBegin, this.#ends] = [bits(), bits(), bits(), bits()];
    for (const part of parts) this.#add(part);
    set(this.#ends, this.#ones.length);
    if (parts.at(-1)?.kind === "below") set(this.#ends, this.#ones.length - 1);
  }

  /** True if it matches the whole text. */
  test(text: string): boolean {
    return this.isWhole(this.advance(this.start(), text));
  }

  /** For a pattern that ends with "below": whether it matches the text itself, or the text is below it. */
  cover(text: string): "whole" | "below" | undefined {
    const reached = this.advance(this.start(), text);
    const whole = this.#ones.length - 1;
    if (((reached[whole >>> 5] ?? 0) & (1 << (whole & 31))) !== 0) return "whole";
    return this.isWhole(reached) ? "below" : undefined;
  }

  /** The state before any text, for text that comes in parts, as a path does. */
  start(): PositionSet {
    const reached = new Uint32Array(this.#words);
    reached[0] = 1;
    this.#begin(reached);
    return reached;
  }

  /** The state after more of the text. */
  advance(from: PositionSet, text: string): PositionSet {
    this.#characters += text.length;
    if (this.#characters <= MANY_CHARACTERS) return this.#move(from, text);
    this.#known ??= rememberMoves((reached, char) => this.#move(reached, char));
    return this.#known(from, text);
  }

  #move(from: PositionSet, text: string): PositionSet {
    return this.#words === 1 ? this.#inOneWord(from, text) : this.#inWords(from, text);
  }

  /** A faster path that is enough for most patterns. */
  #inOneWord(from: PositionSet, text: string): PositionSet {
    const [stays = 0, within = 0, begins = 0] = [this.#stays[0], this.#staysWithin[0], this.#mayBegin[0]];
    let word = from[0] ?? 0;
    for (let at = 0; at < text.length && word !== 0; at += 1) {
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) at += 1;
      const moved = word & ((code < 128 ? this.#ascii[code] : this.#leadsOn.get(code)) ?? this.#learn(code))[0];
      word = (moved << 1) | (word & (code === 47 ? stays : stays | within));
      for (let open = word & begins; open !== 0; ) {
        const more = (open << 1) | (open << 2);
        open = more & begins & ~word;
        word |= more;
      }
    }
    return Uint32Array.of(word);
  }

  #inWords(from: PositionSet, text: string): PositionSet {
    const [words, stays, within] = [this.#words, this.#stays, this.#staysWithin];
    const hasFolders = this.#mayBegin.some((word) => word !== 0);
    let [now, next] = [from.slice(), new Uint32Array(words)];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at) ?? 0;
      if (code > 0xffff) at += 1;
      const on = (code < 128 ? this.#ascii[code] : this.#leadsOn.get(code)) ?? this.#learn(code);
      let [carry, any] = [0, 0];
      for (let n = 0; n < words; n += 1) {
        const word = now[n] ?? 0;
        const moved = word & (on[n] ?? 0);
        const kept = (stays[n] ?? 0) | (code === 47 ? 0 : (within[n] ?? 0));
        const reached = (moved << 1) | carry | (word & kept);
        carry = moved >>> 31;
        next[n] = reached;
        any |= reached;
      }
      if (any === 0) return next;
      if (hasFolders) this.#begin(next);
      [now, next] = [next, now];
    }
    return now;
  }

  isWhole(reached: PositionSet): boolean {
    return reached.some((word, at) => (word & (this.#ends[at] ?? 0)) !== 0);
  }

  /** True if anything that follows could complete the match. */
  isOpen(reached: PositionSet): boolean {
    return reached.some((word) => word !== 0);
  }

  #add(part: WildPart): void {
    const here = this.#ones.length;
    if (part.kind === "run") set(part.within ? this.#staysWithin : this.#stays, here);
    else if (part.kind === "one") this.#ones.push(part.fits);
    else if (part.kind === "below") {
      this.#ones.push("/");
      set(this.#stays, here + 1);
    } else {
      set(this.#mayBegin, here);
      set(this.#stays, here + 1);
      this.#ones.push(() => false, "/");
    }
  }

  /**
   * Where folders may begin, they may also be skipped. From left to right, because one may lead to the start of the
   * next.
   */
  #begin(reached: PositionSet): void {
    for (let at = 0; at < this.#words; at += 1) {
      let done = 0;
      for (;;) {
        const begins = (reached[at] ?? 0) & (this.#mayBegin[at] ?? 0) & ~done;
        if (begins === 0) break;
        done |= begins;
        reached[at] = (reached[at] ?? 0) | (begins << 1) | (begins << 2);
        const over = (begins >>> 31) | (begins >>> 30);
        if (over !== 0 && at + 1 < this.#words) reached[at + 1] = (reached[at + 1] ?? 0) | over;
      }
    }
  }

  #learn(code: number): Bits {
    const char = String.fromCodePoint(code);
    const folded = this.#isInAnyCase ? inOneCase(char) : char;
    const bits = new Uint32Array(this.#words) as Bits;
    for (const [at, fits] of this.#ones.entries()) if (this.#fits(fits, char, folded)) set(bits, at);
    if (this.#leadsOn.size >= MAX_KNOWN_CHARACTERS) this.#leadsOn.clear();
    if (code < 128) this.#ascii[code] = bits;
    else this.#leadsOn.set(code, bits);
    return bits;
  }

  #fits(fits: (WildPart & { kind: "one" })["fits"], char: string, folded: string): boolean {
    if (typeof fits === "string") return fits === char || (this.#isInAnyCase && inOneCase(fits) === folded);
    return fits(char) || (this.#isInAnyCase && (fits(char.toLowerCase()) || fits(char.toUpperCase())));
  }
}

/** Any character of a name. */
export const anyOfName = (char: string): boolean => char !== "/";

function set(bits: Uint32Array, at: number): void {
  bits[at >>> 5] = (bits[at >>> 5] ?? 0) | (1 << (at & 31));
}

/** Maps letters that differ only in case to the same one. */
function inOneCase(char: string): string {
  if (char < "\u0080") return char.toLowerCase();
  const upper = char.toUpperCase();
  const folded = (isOne(upper) ? upper : char).toLowerCase();
  return isOne(folded) ? folded : char;
}

function isOne(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);
}
