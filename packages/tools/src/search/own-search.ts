import { join } from "node:path";
import { contentOfFile } from "../encodings/file-content.ts";
import { openFile } from "../files/open-file.ts";
import { createLineMatcher, type LineMatcher, matchInTurns, TooSlowError } from "./line-matcher.ts";
import { COUNTED_MORE, isSkipped, type MatchList, matchLine, type Search } from "./match-list.ts";

const MAX_FILE_BYTES = 10_000_000;
/** Files read at a time, and the amount of text searched at once. */
const BATCH_FILES = 16;

/** The search for machines without ripgrep: a JavaScript regular expression, line by line. */
export async function ownSearch(search: Search): Promise<MatchList | { problem: string }> {
  const matcher = await createLineMatcher(search.pattern);
  if ("problem" in matcher) return { problem: `The pattern is not a valid regular expression: ${matcher.problem}.` };
  const { files, secrets, incomplete } = await candidates(search);
  const list: MatchList = { matches: [], more: 0, least: false, secrets, tooLarge: 0, unproven: 0 };
  try {
    await searchFiles(search, matcher, files, list);
    list.least ||= incomplete;
  } catch (error) {
    if (error instanceof TooSlowError) {
      return { problem: "The pattern takes too long on some line: avoid repeating what is repeated, as in (a+)+." };
    }
    throw error;
  }
  return list;
}

/** Adds the matches in these files, relative to the base, to the list. Throws `TooSlowError`. */
export async function searchFiles(
  search: Search,
  matcher: LineMatcher,
  files: readonly string[],
  list: MatchList,
): Promise<void> {
  const most = search.limit + COUNTED_MORE;
  for (let at = 0; at < files.length && !list.least && !search.signal.aborted; at += BATCH_FILES) {
    const left = most - list.matches.length - list.more;
    await searchBatch(search, matcher, files.slice(at, at + BATCH_FILES), left, list);
    list.least = list.matches.length + list.more >= most;
  }
}

async function candidates(search: Search): Promise<{ files: string[]; secrets: string[]; incomplete: boolean }> {
  // A file named directly is searched whatever its name: the gate has let it pass.
  if (!search.folder) return { files: [""], secrets: [], incomplete: false };
  const { base, cwd, signal } = search;
  const found = await search.list.find({ base, patterns: searchedWith(search.patterns), cwd, signal });
  const files: string[] = [];
  const secrets: string[] = [];
  for (const file of found.files) (isSkipped(join(base, file), search) ? secrets : files).push(file);
  return { files, secrets, incomplete: found.incomplete };
}

/** With exclusions only, everything else matches. A name without a slash is excluded at any depth. */
function searchedWith(patterns: readonly string[]): string[] {
  const all = patterns.map((each) => (/^!(?!.*\/)/.test(each) ? `!**/${each.slice(1)}` : each));
  return all.every((each) => each.startsWith("!")) ? ["**/*", ...all] : all;
}

async function searchBatch(
  search: Search,
  matcher: LineMatcher,
  files: readonly string[],
  left: number,
  list: MatchList,
): Promise<void> {
  const texts = await Promise.all(
    files.map((file) => textOf(file === "" ? search.base : join(search.base, file), search)),
  );
  list.tooLarge += texts.filter((text) => text === "too large").length;
  const searched = texts.map((text) => (typeof text === "string" ? "" : (text?.text ?? "")));
  const lines = new Map<number, string[]>();
  for (const hit of await matchInTurns(matcher, searched, left)) {
    if (list.matches.length >= search.limit) {
      list.more++;
      continue;
    }
    const all = lines.get(hit.file) ?? (searched[hit.file] ?? "").split("\n");
    lines.set(hit.file, all);
    const text = matchLine(all[hit.line - 1] ?? "", hit.column);
    list.matches.push({ file: files[hit.file] ?? "", line: hit.line, text });
  }
}

/** Undefined: nothing to search, because it is binary, gone, or not ours to read. */
async function textOf(path: string, search: Search): Promise<{ text: string } | "too large" | undefined> {
  const file = await openFile(path, { cwd: search.cwd, below: search.base });
  if ("problem" in file) return undefined;
  try {
    // A link on the way may have led to a file with a different name, which must be checked too.
    if (search.folder && file.realPath !== path && isSkipped(file.realPath, search)) return undefined;
    if (file.sizeBytes > MAX_FILE_BYTES) return "too large";
    const bytes = await file.handle.readFile({ signal: search.signal });
    const content = await contentOfFile(file, search.settings);
    return content.kind === "text" ? { text: new TextDecoder(content.encoding).decode(bytes) } : undefined;
  } catch {
    return undefined;
  } finally {
    await file.handle.close();
  }
}
