import { type Dirent, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { realPathOf } from "@harness/host";
import { isBelow } from "../files/absolute-path.ts";

/** The number of names that one line may search; nobody can use a longer output. */
type NameBudget = { entries: number; names: number };
export const nameBudget = (): NameBudget => ({ entries: 100_000, names: 5_000 });

type Found = { shown: string; path: string };

/**
 * Expands a pattern of `*` and `?` to names, sorted, as bash does; but no link that leads out of the roots is followed
 * or listed, and where the first part is a pattern the names begin with `./`, so that none is a flag. Without a match:
 * the pattern itself. Undefined when there are more than the budget allows.
 */
export async function namesFor(
  pattern: string,
  folder: string,
  roots: readonly string[],
  budget: NameBudget,
): Promise<string[] | undefined> {
  const isAbsolute = pattern.startsWith("/");
  const segments = pattern.split("/").filter(Boolean);
  const endsInFolder = pattern.endsWith("/");
  let found: Found[] = [
    { shown: isAbsolute ? "/" : isPattern(segments[0] ?? "") ? "./" : "", path: isAbsolute ? "/" : folder },
  ];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    const onlyFolders = !isLast || endsInFolder;
    const end = onlyFolders ? "/" : "";
    if (!isPattern(segment)) {
      found = found.map(({ shown, path }) => ({ shown: `${shown}${segment}${end}`, path: join(path, segment) }));
      if (isLast) found = found.filter(({ path }) => exists(path));
      continue;
    }
    const next: Found[] = [];
    for (const { shown, path } of found) {
      const names = await matching(segment, path, roots, budget, onlyFolders);
      if (!names) return undefined;
      for (const name of names) next.push({ shown: `${shown}${name}${end}`, path: join(path, name) });
    }
    found = next;
  }
  budget.names -= found.length;
  if (budget.names < 0) return undefined;
  return found.length === 0 ? [pattern] : found.map(({ shown }) => shown).sort();
}

function isPattern(segment: string): boolean {
  return /[*?]/.test(segment);
}

function exists(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}

async function matching(
  pattern: string,
  folder: string,
  roots: readonly string[],
  budget: NameBudget,
  onlyFolders: boolean,
): Promise<string[] | undefined> {
  const inRoots = (path: string) => roots.some((root) => isBelow(path, root));
  if (!inRoots(await realPathOf(folder))) return [];
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  budget.entries -= entries.length;
  if (budget.entries < 0) return undefined;
  const names: string[] = [];
  for (const entry of entries) {
    // A name that is no UTF-8 cannot be handed on.
    if (!fits(entry.name, pattern) || entry.name.includes("\uFFFD")) continue;
    if (entry.isSymbolicLink()) {
      if (!inRoots(await realPathOf(join(folder, entry.name)))) continue;
      if (onlyFolders && !exists(join(folder, entry.name, "."))) continue;
    } else if (onlyFolders && !entry.isDirectory()) continue;
    names.push(entry.name);
  }
  return names;
}

/** Does the name fit the pattern? A first dot must be written. Goes back to the last star only: no worse than n × m. */
function fits(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const letters = [...name];
  const signs = [...pattern];
  let at = 0;
  let sign = 0;
  let star = -1;
  let starAt = 0;
  while (at < letters.length) {
    if (signs[sign] === "*") {
      star = sign++;
      starAt = at;
    } else if (signs[sign] === "?" || signs[sign] === letters[at]) {
      sign += 1;
      at += 1;
    } else if (star >= 0) {
      sign = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (signs[sign] === "*") sign += 1;
  return sign === signs.length;
}
