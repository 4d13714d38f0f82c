import { opendir, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { shownPath } from "./absolute-path.ts";

const MAX_NAMES = 5000;
const MAX_SHOWN = 4;

/** "No such file", with what a typing mistake may have meant. Never throws. */
export async function missingFile(path: string, cwd: string): Promise<string> {
  const parent = dirname(path);
  const names = await namesIn(parent);
  if (!names) {
    const existing = await deepestFolder(parent);
    return `There is no ${shownPath(path, cwd)}: its folder does not exist (${existing} does).`;
  }
  const near = nearNames(basename(path), names);
  const hint = near.length > 0 ? ` Close names there: ${near.join(", ")}.` : "";
  return `There is no ${shownPath(path, cwd)} in ${parent}.${hint}`;
}

/** Names that resemble `wanted`, best first; pure. */
function nearNames(wanted: string, names: readonly string[]): string[] {
  const small = wanted.toLowerCase();
  const stem = small.replace(/\.[^.]*$/, "");
  const scored: { name: string; distance: number }[] = [];
  for (const name of names) {
    const other = name.toLowerCase();
    let distance = editDistance(small, other);
    if (stem.length >= 3 && other.replace(/\.[^.]*$/, "") === stem) distance = Math.min(distance, 1);
    else if (stem.length >= 4 && other.includes(stem)) distance = Math.min(distance, 3);
    if (distance <= Math.max(2, Math.floor(small.length / 4))) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, MAX_SHOWN).map((row) => row.name);
}

/** Levenshtein distance; names that differ much in length count as far apart without being compared. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 5) return 99;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 99;
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
  while (at !== dirname(at)) {
    try {
      if ((await stat(at)).isDirectory()) return at;
    } catch {
      // Not there either: look one level up.
    }
    at = dirname(at);
  }
  return at;
}
