import { errorCode } from "@harness/host";

/** Where a line matched: position of its file in the batch, its number from 1, and the character the match begins at. */
type Hit = { file: number; line: number; column: number };

/** The matcher ran into a pattern that would take hours on this text. */
export class TooSlow extends Error {}

export interface LineMatcher {
  /** Lines that match, file by file; stops after `most`. Throws `TooSlow`. */
  match(texts: readonly string[], most: number): Hit[];
}

const SLOW_MS = 1000;
const PLAIN = /^[^\\^$.*+?()[\]{}|]+$/;

/** Compiles a pattern, or says why it is not a regular expression. */
export async function createLineMatcher(pattern: string): Promise<LineMatcher | { problem: string }> {
  if (PLAIN.test(pattern)) return plainMatcher(pattern);
  const expression = compiled(pattern);
  if (!(expression instanceof RegExp)) return expression;
  // Expressions such as (a+)+$ take exponential time on some lines. Only a `vm` can be stopped in the middle of one.
  const { createContext, Script } = await import("node:vm");
  const script = new Script(SEARCH);
  const shared = { expression, texts: [] as readonly string[], most: 0, found: [] as number[] };
  const context = createContext(shared);
  return {
    match(texts, most) {
      const found: number[] = [];
      Object.assign(shared, { texts, most, found });
      try {
        script.runInContext(context, { timeout: SLOW_MS });
      } catch (error) {
        if (errorCode(error) === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new TooSlow();
        throw error;
      }
      return hits(found);
    },
  };
}

// Names of the context are slow to look up: all work is done in a function.
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

/** Leading inline flags, as ripgrep has them, are taken over: `(?i)name`. */
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
