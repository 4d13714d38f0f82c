import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { IgnoreRules } from "@harness/core";
import { isWithin } from "@harness/gate";
import { excludeText } from "./exclude-file.ts";
import { IgnoreFile } from "./ignore-file.ts";

const MAX_RULE_FILE_BYTES = 1_000_000;
/** Names that are skipped at any depth, whatever the rules. */
export const NEVER_LISTED: ReadonlySet<string> = new Set([".git", "node_modules", "__pycache__"]);
/** Comparisons of names with rules before yielding to other work. */
const COMPARISONS_AT_ONCE = 20_000;

/** The rules that apply in one folder: its own, then those of the folders above. */
type Chain = { folder: string; rules: IgnoreFile | undefined; above: Chain | undefined };

/**
 * Follows nested `.gitignore` files as git reads them. A folder given by name is searched even if its parents ignore
 * it.
 */
export function createIgnoreRules(cwd: string): IgnoreRules {
  const chains = new Map<string, Promise<Chain>>();

  const chainOf = (folder: string): Promise<Chain> => {
    let chain = chains.get(folder);
    if (!chain) {
      const above = chains.get(dirname(folder));
      chain = above !== undefined ? above.then((found) => extend(found, folder)) : entryChain(folder, cwd);
      chains.set(folder, chain);
    }
    return chain;
  };
  return {
    async visible(folder, entries) {
      const chain = await chainOf(folder);
      const cost = costOf(chain);
      const visible: (typeof entries)[number][] = [];
      for (const [place, entry] of entries.entries()) {
        if (NEVER_LISTED.has(entry.name)) continue;
        if (Math.floor((place * cost) / COMPARISONS_AT_ONCE) < Math.floor(((place + 1) * cost) / COMPARISONS_AT_ONCE))
          await nextTurn();
        if (!ignored(chain, join(folder, entry.name), entry.isDirectory())) visible.push(entry);
      }
      return visible;
    },
  };
}

/** True if rules above ignore this folder: a search that starts in it does not follow them. */
export async function isIgnoredFolder(folder: string, cwd: string): Promise<boolean> {
  let chain: Chain | undefined;
  for (const step of await pathFromTop(folder, cwd)) {
    if (chain && ignored(chain, step, true)) return true;
    chain = await extend(chain, step);
  }
  return false;
}

/** The chain of a folder that a search starts in. Rules that ignore the folder itself are omitted. */
async function entryChain(folder: string, cwd: string): Promise<Chain> {
  let chain: Chain | undefined;
  for (const step of await pathFromTop(folder, cwd)) {
    if (chain && ignored(chain, step, true)) chain = undefined;
    chain = await extend(chain, step);
  }
  return chain ?? { folder, rules: undefined, above: undefined };
}

/** The folders whose rules may apply in this one: from the top of the repository down. */
async function pathFromTop(folder: string, cwd: string): Promise<string[]> {
  const top = (await repositoryTop(folder)) ?? (isWithin(folder, cwd) ? cwd : folder);
  const path = [folder];
  for (let at = folder; at !== top; at = dirname(at)) path.unshift(dirname(at));
  return path;
}

/** The nearest folder that has a `.git`, from the folder itself upward. */
export async function repositoryTop(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await lstat(join(at, ".git")).catch(() => undefined);
    if (found) return at;
    if (at === dirname(at)) return undefined;
  }
}

async function extend(above: Chain | undefined, folder: string): Promise<Chain> {
  const text = (await excludeText(folder)) + (await ruleText(join(folder, ".gitignore")));
  const rules = new IgnoreFile(text, { inAnyCase: ["darwin", "win32"].includes(process.platform) });
  return { folder, rules: rules.isEmpty ? undefined : rules, above };
}

function costOf(chain: Chain): number {
  let cost = 0;
  for (let at: Chain | undefined = chain; at; at = at.above) cost += at.rules?.cost ?? 0;
  return cost;
}

async function ruleText(path: string): Promise<string> {
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size > MAX_RULE_FILE_BYTES) return "";
    // Flags and a second check, in case it has become a file that blocks readers.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return (await file.stat()).isFile() ? `${await file.readFile("utf8")}\n` : "";
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}

function ignored(chain: Chain, path: string, folder: boolean): boolean {
  for (let at: Chain | undefined = chain; at; at = at.above) {
    if (!at.rules) continue;
    const verdict = at.rules.ignores(relative(at.folder, path), { isFolder: folder });
    if (verdict !== undefined) return verdict;
  }
  return false;
}
