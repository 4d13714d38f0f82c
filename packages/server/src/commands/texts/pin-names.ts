import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { FileList } from "@harness/core";
import type { PinnedFile } from "@harness/protocol";
import { filesNamed } from "@harness/workspace";

/** The most files that one name may match. */
const MAX_MATCHES = 50;
const MAX_SEARCH_MS = 10_000;
const LINES = /^(.+?)(?::|#L?)(\d{1,7})(?:-L?(\d{1,7}))?$/s;

/** Words between spaces; quotation marks hold a name with spaces together. */
export function splitNames(args: string): string[] {
  return [...args.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, bare = ""]) => quoted ?? bare);
}

/** A folder whose files are named. */
type ListedFolder = { cwd: string; list: FileList };

/** The files that a name stands for: a path, a path with lines as in `a.ts:10-40` or `a.ts#10-40`, or a pattern. */
export async function findPinnedFiles(name: string, folder: ListedFolder): Promise<PinnedFile[] | { problem: string }> {
  const { cwd } = folder;
  const path = resolve(cwd, name.replace(/^~(?=\/|$)/, homedir()));
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile()) return [{ path }];
  if (info?.isDirectory()) {
    return { problem: `${name} is a folder. Name its files, or a pattern such as ${name.replace(/\/$/, "")}/*` };
  }
  const [, file, from, to = from] = LINES.exec(name) ?? [];
  if (file !== undefined) {
    const [first, last] = [Number(from), Number(to)];
    if (first < 1 || last < first)
      return {
        problem: `${name} has no valid lines: count from 1, and name the first line before the last`,
      };
    const whole = resolve(cwd, file.replace(/^~(?=\/|$)/, homedir()));
    if ((await stat(whole).catch(() => undefined))?.isFile()) return [{ path: whole, lines: { first, last } }];
  }
  if (!/[*?[{]/.test(name)) return { problem: `${name} does not exist` };
  return matching(name, folder);
}

async function matching(pattern: string, folder: ListedFolder): Promise<PinnedFile[] | { problem: string }> {
  const found = await filesNamed(pattern, { ...folder, signal: AbortSignal.timeout(MAX_SEARCH_MS) });
  if ("problem" in found) return { problem: `${pattern} cannot be searched for: ${found.problem}` };
  if (found.length === 0) return { problem: `${pattern} matches no file` };
  if (found.length > MAX_MATCHES)
    return { problem: `${pattern} matches ${found.length} files; the limit is ${MAX_MATCHES}. Name fewer` };
  return found.map((path) => ({ path }));
}
