import { WildcardPattern } from "@harness/gate";
import { globParts } from "./glob-parts.ts";

/** No path is longer, so a longer rule cannot match. */
const MAX_RULE_CHARS = 4_096;

type IgnoreRule = {
  /** Its position in the file: the last matching rule counts. */
  place: number;
  ignores: boolean;
  onlyFolders: boolean;
  matches(path: string): boolean;
};

/**
 * The rules of one file, as git reads it: the last match says whether a path is ignored; undefined: no rule matches.
 */
export class IgnoreFile {
  /** Most rules are plain names, looked up by name; the others from last to first. */
  readonly #names = new Map<string, IgnoreRule[]>();
  readonly #patterns: IgnoreRule[] = [];

  constructor(text: string, { inAnyCase }: { inAnyCase: boolean }) {
    const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
    for (const [place, line] of lines.entries()) this.#add(line, place, inAnyCase);
    this.#patterns.reverse();
  }

  get isEmpty(): boolean {
    return this.#names.size === 0 && this.#patterns.length === 0;
  }

  /** The most comparisons that a path may take. */
  get cost(): number {
    return 1 + this.#patterns.length;
  }

  /** `path`: relative to the folder of the file. */
  ignores(path: string, { isFolder }: { isFolder: boolean }): boolean | undefined {
    const applies = ({ onlyFolders }: IgnoreRule) => isFolder || !onlyFolders;
    const named = this.#names.get(path.slice(path.lastIndexOf("/") + 1))?.findLast(applies);
    const after = named?.place ?? -1;
    for (const rule of this.#patterns) {
      if (rule.place < after) break;
      if (applies(rule) && rule.matches(path)) return rule.ignores;
    }
    return named?.ignores;
  }

  #add(line: string, place: number, inAnyCase: boolean): void {
    if (line.startsWith("#")) return;
    const ignores = !line.startsWith("!");
    const written = withoutLastBlanks(ignores ? line : line.slice(1));
    const onlyFolders = written.endsWith("/");
    const pattern = onlyFolders ? written.slice(0, -1) : written;
    if (pattern === "" || pattern.length > MAX_RULE_CHARS) return;
    const isName = !pattern.includes("/");
    if (isName && !inAnyCase && !/[*?[\\]/.test(pattern)) {
      const known = this.#names.get(pattern) ?? [];
      this.#names.set(pattern, known);
      known.push({ place, ignores, onlyFolders, matches: () => true });
      return;
    }
    const parts = globParts(pattern.replace(/^\//, ""), "nothing");
    if (!parts) return;
    const wildcard = new WildcardPattern(parts, { inAnyCase });
    const matches = (path: string) => wildcard.test(isName ? path.slice(path.lastIndexOf("/") + 1) : path);
    this.#patterns.push({ place, ignores, onlyFolders, matches });
  }
}

/** A trailing blank counts if a backslash protects it. */
function withoutLastBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
}

function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (start > 0 && line[start - 1] === "\\") start -= 1;
  return (at - start) % 2 === 1;
}
