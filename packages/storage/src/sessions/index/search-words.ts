/** A piece of a text that counts as one word; `from` and `to` are offsets in the text. */
export type PlacedWord = { word: string; from: number; to: number };

/** The words of a query, in order. `isBegin`: the last one may be the beginning of a longer word. */
export type SearchTerm = { words: string[]; isBegin: boolean };

/** In scripts without spaces between words, each letter counts as a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}])[\p{L}\p{N}\p{M}])+/gu;
const HUMP = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+/gu;
/** Longer words are data: nobody types them, and their beginning is enough to find them. */
const MAX_WORD = 64;
const MAX_TERMS = 20;
/** Shorter beginnings would match too many words. */
const MIN_BEGIN = 3;

function* wordsOf(text: string): Generator<PlacedWord, void> {
  for (const { 0: found, index } of text.matchAll(WORD)) {
    yield { word: plain(found.slice(0, MAX_WORD)), from: index, to: index + found.length };
  }
}

/** The text to index: plain words, then the parts of words such as `parserCache`. */
export function indexedText(text: string): string {
  const words: string[] = [];
  const parts: string[] = [];
  for (const { word, from, to } of wordsOf(text)) {
    words.push(word);
    for (const part of partsOf(text.slice(from, Math.min(to, from + MAX_WORD)))) parts.push(part);
  }
  return [...words, ...parts].join(" ");
}

/** The terms of a search: one per word of the query, or per text in double quotes. */
export function termsOf(query: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const known = new Set<string>();
  for (const { 0: typed, 1: quoted } of query.matchAll(/"([^"]*)"?|[^\s"]+/g)) {
    const words = Array.from(wordsOf(quoted ?? typed), ({ word }) => word);
    const last = words.at(-1) ?? "";
    const key = words.join(" ");
    if (key === "" || known.has(key) || terms.length === MAX_TERMS) continue;
    known.add(key);
    terms.push({ words, isBegin: quoted === undefined && last.length >= MIN_BEGIN });
  }
  return terms;
}

/** The places of a term in a text. */
export function termPlaces({ words, isBegin }: SearchTerm, text: readonly PlacedWord[]): number[] {
  const last = words.length - 1;
  const fits = (at: number) =>
    words.every((word, index) => {
      const other = text[at + index]?.word;
      return other !== undefined && (index === last && isBegin ? other.startsWith(word) : other === word);
    });
  return text.flatMap(({ from }, at) => (fits(at) ? [from] : []));
}

/** The words of a text, each with its parts. */
export function searchedWords(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  const parts: PlacedWord[] = [];
  for (const placed of wordsOf(text)) {
    words.push(placed);
    const { from, to } = placed;
    for (const part of partsOf(text.slice(from, Math.min(to, from + MAX_WORD)))) parts.push({ word: part, from, to });
  }
  return [...words, ...parts];
}

function partsOf(word: string): string[] {
  // A word has parts only if a capital letter or a digit follows other characters.
  if (!/.[\p{Lu}\p{N}]/u.test(word)) return [];
  const parts = word.match(HUMP) ?? [];
  return parts.length > 1 ? parts.map(plain) : [];
}

/** Ignores case and accents, but keeps vowels that some scripts write as marks. */
function plain(word: string): string {
  return word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
}
