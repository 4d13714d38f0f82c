import { type Span, type Style, span } from "../../../text/style.ts";
import { isAscii } from "../../../text/width.ts";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Shorter words match only whole, as in the search. */
const MIN_BEGIN = 3;
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts without blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

type Range = { from: number; to: number };
/** A text without case and accents; `at[n]` is where its unit `n` comes from. */
type Plain = { text: string; at: readonly number[] | undefined };

/** The words of a search, as they are looked for in a text. */
export function queryWords(query: string): string[] {
  return [...new Set([...query.matchAll(WORD)].flatMap(([word]) => (word === undefined ? [] : plainOf(word).text)))];
}

/** Where the words of a search begin words of the text, or parts of one such as `parserCache`; in order, apart. */
export function foundWords(text: string, words: readonly string[]): Range[] {
  if (words.length === 0 || text === "") return [];
  const plain = plainOf(text);
  const found = words.flatMap((word) => placesOf(word, plain, text));
  const apart: Range[] = [];
  for (const range of found.sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else apart.push({ ...range });
  }
  return apart;
}

/** The text from a little before its first found word on, if that would not be within so many characters. */
export function fromFoundWord(text: string, words: readonly string[], room: number): string {
  const [first] = foundWords(text, words);
  if (!first || first.to < room) return text;
  const from = Math.max(0, first.from - Math.floor(room / 3));
  const blank = text.indexOf(" ", from);
  return `…${text.slice(blank >= 0 && blank < first.from ? blank + 1 : from)}`;
}

/** The text with the words of a search in another style. */
export function markedSpans(text: string, words: readonly string[], look: Style, marked: Style): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const range of foundWords(text, words)) {
    if (range.from > from) spans.push(span(text.slice(from, range.from), look));
    spans.push(span(text.slice(range.from, range.to), marked));
    from = range.to;
  }
  if (from < text.length || spans.length === 0) spans.push(span(text.slice(from), look));
  return spans;
}

function placesOf(word: string, plain: Plain, text: string): Range[] {
  const places: Range[] = [];
  const origin = (index: number): number => (plain.at ? (plain.at[index] ?? text.length) : index);
  for (let at = plain.text.indexOf(word); at >= 0; at = plain.text.indexOf(word, at + 1)) {
    const [from, to] = [origin(at), origin(at + word.length)];
    if (isBegin(text, from, word) && (word.length >= MIN_BEGIN || isEnd(text, to, word))) places.push({ from, to });
  }
  return places;
}

function isBegin(text: string, from: number, word: string): boolean {
  const before = text[from - 1] ?? "";
  if (!LETTER.test(before) || UNSPACED.test(word)) return true;
  const first = text[from] ?? "";
  return isUpper(first) ? !isUpper(before) : isDigit(first) !== isDigit(before);
}

function isEnd(text: string, to: number, word: string): boolean {
  return UNSPACED.test(word) || !LETTER.test(text[to] ?? "");
}

function isUpper(letter: string): boolean {
  return letter !== letter.toLowerCase();
}

function isDigit(letter: string): boolean {
  return /\p{N}/u.test(letter);
}

function plainOf(text: string): Plain {
  if (isAscii(text)) return { text: text.toLowerCase(), at: undefined };
  const at: number[] = [];
  let plain = "";
  let index = 0;
  for (const letter of text) {
    const small = letter
      .normalize("NFKD")
      .replace(/[\u0300-\u036f]/g, "")
      .toLowerCase();
    plain += small;
    for (let unit = 0; unit < small.length; unit += 1) at.push(index);
    index += letter.length;
  }
  at.push(text.length);
  return { text: plain, at };
}
