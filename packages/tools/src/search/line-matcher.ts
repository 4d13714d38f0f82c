import { setImmediate as nextTurn } from "node:timers/promises";
import { errorCode, LinearRegex } from "@harness/host";

/**
 * Where a line matched: the position of its file in the batch, its number from 1, and the character the match begins
 * at.
 */
type Hit = { file: number; line: number; column: number };

/** Neither the language nor our own matching finishes with the pattern on this text. */
export class TooSlowError extends Error {}

export interface LineMatcher {
  /** Matching lines, file by file; stops after `most`. Throws `TooSlowError`. */
  match(texts: readonly string[], most: number): Hit[];
}

/** The language gets this long for a slice of text, which takes a few milliseconds unless the pattern backtracks. */
const SLOW_MS = 20;
/** Slices that may time out before the language's own engine is abandoned. */
const MAX_SLOW = 3;
const SLICE_CHARS = 64 * 1024;
const PLAIN = /^[^\\^$.*+?()[\]{}|]+$/;

/** Compiles a pattern, or says why it is not a regular expression. */
export async function createLineMatcher(pattern: string): Promise<LineMatcher | { problem: string }> {
  if (PLAIN.test(pattern)) return plainMatcher(pattern);
  const expression = compiled(pattern);
  if (!(expression instanceof RegExp)) return expression;
  const inLanguage = await languageMatcher(expression);
  const linear = linearMatcher(expression);
  let slow = 0;
  return {
    match(texts, most) {
      const found = slow < MAX_SLOW ? inLanguage(texts, most) : undefined;
      if (found) return found;
      slow += 1;
      if (linear) return linear(texts, most);
      // A second try: the machine may have been busy with something else.
      const again = slow < MAX_SLOW ? inLanguage(texts, most) : undefined;
      if (again) return again;
      throw new TooSlowError();
    },
  };
}

/** As `match`, in slices between which other work gets its turn. */
export async function matchInTurns(matcher: LineMatcher, texts: readonly string[], most: number): Promise<Hit[]> {
  const found: Hit[] = [];
  for (const { file, line, text } of slices(texts)) {
    const hits = matcher.match(text, most - found.length);
    for (const hit of hits)
      found.push({ file: file + hit.file, line: (hit.file === 0 ? line : 0) + hit.line, column: hit.column });
    if (found.length >= most) break;
    await nextTurn();
  }
  return found;
}

/** `file`, `line`: where a slice begins. Small texts are combined, large ones are cut after a line. */
function* slices(texts: readonly string[]): Generator<{ file: number; line: number; text: string[] }> {
  let [first, together, length] = [0, [] as string[], 0];
  for (const [file, text] of texts.entries()) {
    if (length + text.length > SLICE_CHARS && together.length > 0) {
      yield { file: first, line: 0, text: together };
      [together, length] = [[], 0];
    }
    if (together.length === 0) first = file;
    if (text.length <= SLICE_CHARS) {
      together.push(text);
      length += text.length;
      continue;
    }
    let line = 0;
    for (let at = 0; at < text.length; ) {
      const cut = text.indexOf("\n", at + SLICE_CHARS);
      const slice = text.slice(at, cut === -1 ? text.length : cut + 1);
      yield { file, line, text: [slice] };
      line += slice.split("\n").length - 1;
      at += slice.length;
    }
  }
  if (together.length > 0) yield { file: first, line: 0, text: together };
}

/**
 * Undefined: it timed out, since expressions such as (a+)+$ take exponential time on some lines. Only a `vm` can be
 * stopped in the middle of one.
 */
async function languageMatcher(
  expression: RegExp,
): Promise<(...of: Parameters<LineMatcher["match"]>) => Hit[] | undefined> {
  const { createContext, Script } = await import("node:vm");
  const script = new Script(SEARCH);
  const shared = { expression, texts: [] as readonly string[], most: 0, found: [] as number[] };
  const context = createContext(shared);
  return (texts, most) => {
    const found: number[] = [];
    Object.assign(shared, { texts, most, found });
    try {
      script.runInContext(context, { timeout: SLOW_MS });
    } catch (error) {
      if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
      throw error;
    }
    return hits(found);
  };
}

/** Slower than the language, but equally fast for any pattern. */
function linearMatcher({ source, flags }: RegExp): LineMatcher["match"] | undefined {
  const regex = LinearRegex.read(source, flags);
  if ("problem" in regex) return undefined;
  return (texts, most) => {
    const found: Hit[] = [];
    for (const [file, text] of texts.entries()) {
      const lines = text.split("\n");
      if (lines.at(-1) === "") lines.pop();
      for (const [at, line] of lines.entries()) {
        const column = regex.search(line.endsWith("\r") ? line.slice(0, -1) : line);
        if (column === undefined) throw new TooSlowError();
        if (column >= 0 && found.push({ file, line: at + 1, column }) >= most) return found;
      }
    }
    return found;
  };
}

// Looking up globals of the context is slow, so all work is done inside a function.
const SEARCH = `(function (expression, texts, most, found) {
files: for (let file = 0; file < texts.length; file++) {
  const lines = texts[file].split("\\n");
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].endsWith("\\r") ? lines[i].slice(0, -1) : lines[i];
    if (i === lines.length - 1 && line === "") break;
    const match = expression.exec(line);
    if (!match) continue;
    found.push(file, i + 1, match.index);
    if (found.length / 3 >= most) break files;
  }
}
})(expression, texts, most, found)`;

function hits(found: readonly number[]): Hit[] {
  const all: Hit[] = [];
  for (let i = 0; i + 2 < found.length; i += 3) {
    all.push({ file: found[i] ?? 0, line: found[i + 1] ?? 0, column: found[i + 2] ?? 0 });
  }
  return all;
}

function plainMatcher(pattern: string): LineMatcher {
  return {
    match(texts, most) {
      const found: Hit[] = [];
      for (const [file, text] of texts.entries()) {
        let line = 1;
        let lineStart = 0;
        for (let at = text.indexOf(pattern); at !== -1 && found.length < most; ) {
          for (let end = text.indexOf("\n", lineStart); end !== -1 && end < at; end = text.indexOf("\n", lineStart)) {
            line++;
            lineStart = end + 1;
          }
          found.push({ file, line, column: at - lineStart });
          const next = text.indexOf("\n", at);
          at = next === -1 ? -1 : text.indexOf(pattern, next);
        }
      }
      return found;
    },
  };
}

/** Leading inline flags are accepted as in ripgrep: `(?i)name`. */
function compiled(pattern: string): RegExp | { problem: string } {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const source = inline ? pattern.slice(inline[0].length) : pattern;
  const flags = new Set(inline?.[1]);
  if (/\\[pP]\{/.test(source)) flags.add("u");
  try {
    return new RegExp(source, [...flags].join(""));
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
