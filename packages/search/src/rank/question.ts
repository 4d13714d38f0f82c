import type { QueryWord } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";
import { kindsAsked } from "./path-kinds.ts";

export type SearchQuestion = {
  words: QueryWord[];
  /** By word: how the person wrote it. */
  typed: ReadonlyMap<string, string>;
  /** Parts of the project that it names first, as in `fix(client): …` or `tsdb: …`, in lower case. */
  scopes: string[];
  /** Names as they are written in code. */
  names: string[];
  /** The kinds of files that it asks for. */
  kinds: ReadonlySet<string>;
};

/** Of the lines after the first, which explain. */
const LATER_WEIGHT = 0.6;
/** Of words that say what to do, not where. */
const ACTION_WEIGHT = 0.5;
/** Of two words written as one: `file system` is `filesystem` too. */
const JOINED_WEIGHT = 0.5;
const MAX_WORDS = 128;
const MAX_NAMES = 8;

const actions: ReadonlySet<string> = new Set(
  wordsOf(
    "fix fixes bug add added remove removed make makes allow support improve update change changes feat feature " +
      "refactor chore perf implement ensure avoid handle move rename replace better correct correctly properly proper " +
      "issue error cleanup clean simplify new introduce prevent minor small unused unnecessary missing wrong optimize " +
      "expose drop find show code file function where",
  ),
);
/** The first words of subjects that are not a part of the project (conventionalcommits.org). */
const TYPE =
  /^(?:fix|feat|feature|perf|refactor|chore|docs?|style|tests?|build|ci|revert|bug|bugfix|security|wip|hotfix|types?|deps|improve|enhance|enhancement|question|todo|note|warning|error)$/i;
const SCOPE = /^(?:\[([\w@/.+ -]{2,40})\]|([\w@/.,+ -]{2,40}?)(?:\(([^)]{1,60})\))?!?:)\s/;
/** `camelCase`, `snake_case`, `a.b`, `a::b`, `f()`, `$x`. */
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const IS_NAME = /\p{Ll}\p{Lu}|[_$]|\p{Lu}{2}\p{Ll}|\p{L}\d/u;
const QUOTED = /[`"']([\p{L}_$][\p{L}\p{N}_$.:#-]*)[`"']/gu;
const CALLED = /([\p{L}_$][\p{L}\p{N}_$]*)\(/gu;
const QUALIFIED = /[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)+/gu;

export function readQuestion(text: string): SearchQuestion {
  return {
    words: wordsIn(text),
    typed: typedWords(text),
    scopes: scopesIn(text),
    names: namesIn(text),
    kinds: kindsAsked(text),
  };
}

function wordsIn(text: string): QueryWord[] {
  const weights = new Map<string, number>();
  const joined: QueryWord[] = [];
  for (const [line, said] of text.trim().split("\n").entries()) {
    const place = line === 0 ? 1 : LATER_WEIGHT;
    const words = wordsOf(said);
    for (const [at, word] of words.entries()) {
      const weight = place * (actions.has(word) ? ACTION_WEIGHT : 1);
      weights.set(word, Math.max(weights.get(word) ?? 0, weight));
      const next = words[at + 1];
      if (next !== undefined) joined.push({ word: `${word}${next}`, weight: place * JOINED_WEIGHT });
    }
  }
  for (const { word, weight } of joined) if (!weights.has(word)) weights.set(word, weight);
  return [...weights].map(([word, weight]) => ({ word, weight })).slice(0, MAX_WORDS);
}

function typedWords(text: string): Map<string, string> {
  const typed = new Map<string, string>();
  for (const [run] of text.matchAll(NAME)) {
    const words = wordsOf(run);
    const [first] = words;
    if (words.length === 1 && first !== undefined && !actions.has(first)) typed.set(first, run.toLowerCase());
    else for (const word of words) if (!typed.has(word) && !actions.has(word)) typed.set(word, run);
  }
  return typed;
}

function scopesIn(text: string): string[] {
  const [, bracketed, first = "", inParentheses] = SCOPE.exec(text.trimStart()) ?? [];
  const scope = bracketed ?? inParentheses ?? (TYPE.test(first) ? "" : first);
  return scope
    .toLowerCase()
    .split(/[,\s]+/)
    .filter((part) => part !== "" && !TYPE.test(part));
}

function namesIn(text: string): string[] {
  const names = new Set<string>();
  for (const [, quoted = ""] of text.matchAll(QUOTED)) names.add(quoted.split(/[.:#-]+/).at(-1) ?? quoted);
  for (const [, called = ""] of text.matchAll(CALLED)) names.add(called);
  for (const [qualified] of text.matchAll(QUALIFIED)) for (const [part] of qualified.matchAll(NAME)) names.add(part);
  for (const [name] of text.matchAll(NAME)) if (IS_NAME.test(name)) names.add(name);
  // A question of one word asks for that name.
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(text.trim())) names.add(text.trim());
  names.delete("");
  return [...names].filter((name) => name.length > 2).slice(0, MAX_NAMES);
}
