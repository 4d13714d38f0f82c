import { type Dirent, realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { anyOfName, isWithin, WildcardPattern, type WildPart } from "@harness/gate";
import { realPathOf } from "@harness/host";

/** How many names a single line may search; nobody can use longer output. */
type NameBudget = { entries: number; names: number };
export const nameBudget = (): NameBudget => ({ entries: 100_000, names: 5_000 });

type FoundProgram = { shown: string; path: string };

/**
 * Expands a pattern of `*` and `?` to sorted names, as bash does, with two differences: links that lead out of the
 * roots are neither followed nor listed, and if the first part is a pattern, the names begin with `./` so that none is
 * a flag. Without a match: the pattern itself. Undefined if there are more than the budget allows.
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
  let found: FoundProgram[] = [
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
    const next: FoundProgram[] = [];
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
  const inRoots = (path: string) => roots.some((root) => isWithin(path, root));
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
  const fits = namePattern(pattern);
  for (const entry of entries) {
    // A name that is not UTF-8 cannot be passed on.
    if (!fits(entry.name) || entry.name.includes("\uFFFD")) continue;
    if (entry.isSymbolicLink()) {
      if (!inRoots(await realPathOf(join(folder, entry.name)))) continue;
      if (onlyFolders && !exists(join(folder, entry.name, "."))) continue;
    } else if (onlyFolders && !entry.isDirectory()) continue;
    names.push(entry.name);
  }
  return names;
}

/** Matches names as a shell does: a leading dot must be written. */
function namePattern(pattern: string): (name: string) => boolean {
  const parts = [...pattern].map((sign): WildPart => {
    if (sign === "*") return { kind: "run", within: true };
    return { kind: "one", fits: sign === "?" ? anyOfName : sign };
  });
  const wild = new WildcardPattern(parts);
  const isHidden = pattern.startsWith(".");
  return (name) => (isHidden || !name.startsWith(".")) && wild.test(name);
}
