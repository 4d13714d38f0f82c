import type { CommitHistory } from "../history/commit-history.ts";
import type { StoredChunk } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";
import type { FileCandidate } from "./file-candidate.ts";
import type { SearchQuestion } from "./question.ts";

const MAX_WORDS = 5;
const MAX_SUBJECT = 60;
/** A history that adds less says little about the file. */
const TELLING_HISTORY = 0.3;
const ALIKE_VECTOR = 0.5;

type Ranking = {
  chunk: StoredChunk;
  file: FileCandidate;
  question: SearchQuestion;
  history: CommitHistory | undefined;
};

/** Why a chunk was found, in a few words each. */
export function reasonsFor({ chunk, file, question, history }: Ranking): string[] {
  const { evidence, symbol, companionOf } = file;
  const reasons: string[] = [];
  if (symbol !== undefined && chunk.names.includes(symbol)) reasons.push(`symbol: ${symbol}`);
  const words = typedIn(chunk, question);
  if (words.length > 0) reasons.push(`words: ${words.join(", ")}`);
  if ((evidence.vectors ?? 0) > ALIKE_VECTOR) reasons.push("similar meaning");
  if ((evidence.history ?? 0) > TELLING_HISTORY) {
    const subject = history?.subject(file.path, question.words);
    if (subject !== undefined) reasons.push(`history: "${shortened(subject)}"`);
  }
  if (companionOf !== undefined) reasons.push(`changes with ${companionOf}`);
  // The words are elsewhere in the file.
  return reasons.length > 0 ? reasons : ["the file as a whole"];
}

function typedIn({ text, names, path }: StoredChunk, { typed }: SearchQuestion): string[] {
  const there = new Set(wordsOf(`${path} ${names.join(" ")} ${text}`));
  return [...new Set([...typed].flatMap(([word, written]) => (there.has(word) ? [written] : [])))].slice(0, MAX_WORDS);
}

function shortened(subject: string): string {
  return subject.length <= MAX_SUBJECT ? subject : `${subject.slice(0, MAX_SUBJECT - 1).trimEnd()}…`;
}
