import type { Search } from "./recall.ts";

export type SourceFile = { path: string; text: string };

const FEWEST_CHARACTERS = 3;
const SATURATION = 1.2;
const SLOPE = 0.75;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z0-9_]+/g) ?? [];

/** As with ripgrep: the files that contain most of the words, then those that contain them most often. */
export function grepSearch(files: readonly SourceFile[]): Search {
  const texts = files.map(({ path, text }) => ({ path, text: text.toLowerCase() }));
  return (question) => {
    const words = [...new Set(wordsIn(question))].filter((word) => word.length >= FEWEST_CHARACTERS);
    const hits = texts.map(({ path, text }) => {
      const counts = words.map((word) => text.split(word).length - 1);
      return { path, words: counts.filter((count) => count > 0).length, total: counts.reduce((a, b) => a + b, 0) };
    });
    return hits
      .filter(({ words: found }) => found > 0)
      .sort((a, b) => b.words - a.words || b.total - a.total)
      .map(({ path }) => path);
  };
}

/** BM25 over whole files by their words as they are. */
export function wholeFileSearch(files: readonly SourceFile[]): Search {
  const documents = files.map(({ path, text }) => {
    const counts = new Map<string, number>();
    const words = wordsIn(text);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { path, counts, length: words.length };
  });
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(documents.length, 1);
  return (question) => {
    const rarities = [...new Set(wordsIn(question))].map((word) => {
      const having = documents.filter(({ counts }) => counts.has(word)).length;
      return { word, rarity: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) };
    });
    const scored = documents.map(({ path, counts, length }) => {
      const norm = SATURATION * (1 - SLOPE + (SLOPE * length) / average);
      const score = rarities.reduce((sum, { word, rarity }) => {
        const count = counts.get(word) ?? 0;
        return sum + (rarity * count) / (count + norm);
      }, 0);
      return { path, score };
    });
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ path }) => path);
  };
}
