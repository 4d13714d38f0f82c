import { opendir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { isWithin } from "@harness/gate";
import { distance } from "fastest-levenshtein";
import { displayPath } from "./absolute-path.ts";

const MAX_NAMES = 5000;
const MAX_SHOWN = 4;
/** Names whose lengths differ by more are not compared. */
const MAX_LENGTH_GAP = 5;

/**
 * Why nothing may be written below a session's folder that no longer exists: a new folder in its place would not be the
 * same.
 */
export async function missingSessionFolder(path: string, cwd: string): Promise<string | undefined> {
  if (!isWithin(path, cwd) || (await isFolder(cwd))) return undefined;
  return `The session's folder ${cwd} no longer exists: it was moved or removed, so nothing was written. Tell the person, or use an absolute path elsewhere.`;
}

/** "No such file", with the names that a typo may have meant. Never throws. */
export async function missingFile(path: string, cwd: string): Promise<string> {
  const parent = dirname(path);
  const names = await namesIn(parent);
  if (isWithin(path, cwd) && !(await isFolder(cwd))) {
    return `The session's folder ${cwd} no longer exists: it was moved or removed. Tell the person, or use an absolute path elsewhere.`;
  }
  if (!names) {
    const existing = await deepestFolder(parent);
    return `There is no ${displayPath(path, cwd)}: its folder does not exist (${existing} does).`;
  }
  const wanted = basename(path);
  // Names are decoded as UTF-8: the replacement character for invalid bytes matches any.
  if (wanted.includes("\uFFFD") && names.includes(wanted)) {
    const pattern = wanted.replace(/\uFFFD+/g, "*");
    return `The name of ${wanted} in ${parent} is not UTF-8, so it cannot be given here: use bash with a pattern, such as ${pattern}.`;
  }
  const near = nearNames(wanted, names);
  const hint = near.length > 0 ? ` Close names there: ${near.join(", ")}.` : "";
  return `There is no ${displayPath(path, cwd)} in ${parent}.${hint}`;
}

/** Names that resemble `wanted`, best first; pure. */
function nearNames(wanted: string, names: readonly string[]): string[] {
  const small = wanted.toLowerCase();
  const stem = small.replace(/\.[^.]*$/, "");
  const scored: { name: string; far: number }[] = [];
  for (const name of names) {
    const other = name.toLowerCase();
    let far =
      Math.abs(small.length - other.length) > MAX_LENGTH_GAP ? Number.POSITIVE_INFINITY : distance(small, other);
    if (stem.length >= 3 && other.replace(/\.[^.]*$/, "") === stem) far = Math.min(far, 1);
    else if (stem.length >= 4 && other.includes(stem)) far = Math.min(far, 3);
    if (far <= Math.max(2, Math.floor(small.length / 4))) scored.push({ name, far });
  }
  scored.sort((a, b) => a.far - b.far || (a.name < b.name ? -1 : 1));
  return scored.slice(0, MAX_SHOWN).map((row) => row.name);
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  try {
    const names: string[] = [];
    for await (const entry of await opendir(folder)) {
      names.push(entry.name);
      if (names.length >= MAX_NAMES) break;
    }
    return names;
  } catch {
    return undefined;
  }
}

async function deepestFolder(path: string): Promise<string> {
  let at = path;
  while (at !== dirname(at) && !(await isFolder(at))) at = dirname(at);
  return at;
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
