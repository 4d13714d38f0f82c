import type { BigIntStats, Dirent } from "node:fs";
import { lstat, opendir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { IgnoreRules } from "@harness/core";
import { isWithin } from "@harness/gate";
import { openRealFolder } from "../files/opened-place.ts";

/** A folder with more entries is read partially. */
const MAX_READ = 100_000;
const STATS_AT_ONCE = 64;

type EntryOrder = "name" | "size" | "modified";

export type TreeEntry = {
  name: string;
  /** `unknown`: it disappeared before it was checked, or its name cannot be represented. */
  kind: "folder" | "file" | "link" | "FIFO" | "socket" | "device" | "unknown";
  sizeBytes?: number;
  leadsTo?: string;
  /** The folder's content, if it was read. */
  inside?: FolderListing;
};
export type FolderListing = {
  entries: TreeEntry[];
  /** Names that git ignores. */
  ignored: string[];
  /** Entries beyond the limit; `isLeast`: there may be even more. */
  more: number;
  isLeast: boolean;
};

export type TreeRequest = {
  /** Absolute, without links; nothing outside is read. */
  base: string;
  depth: number;
  isHiddenShown: boolean;
  order: EntryOrder;
  isReversed?: boolean;
  maxEntries: number;
  rules: IgnoreRules;
  signal: AbortSignal;
};

/**
 * Reads a folder and the folders below it level by level, so that a limit cuts off the deepest ones. Links are not
 * followed. Throws disk errors of the first folder; unreadable folders below it stay closed.
 */
export async function readTree(request: TreeRequest): Promise<FolderListing> {
  const budget = { left: request.maxEntries };
  const top = await readFolder(request.base, request, budget);
  let level = [{ path: request.base, listing: top }];
  for (let depth = 1; depth < request.depth && !request.signal.aborted; depth += 1) {
    const next: typeof level = [];
    for (const { path, listing } of level) {
      for (const entry of listing.entries) {
        if (entry.kind !== "folder" || budget.left <= 0 || request.signal.aborted) continue;
        const inner = join(path, entry.name);
        const inside = await readFolder(inner, request, budget).catch(() => undefined);
        if (!inside) continue;
        entry.inside = inside;
        next.push({ path: inner, listing: inside });
      }
    }
    level = next;
  }
  return top;
}

async function readFolder(path: string, request: TreeRequest, budget: { left: number }): Promise<FolderListing> {
  const { base, order, isReversed, rules, signal } = request;
  const found: Dirent[] = [];
  const opened = await openRealFolder(path);
  try {
    if (!isWithin(opened.realPath, base)) return { entries: [], ignored: [], more: 0, isLeast: false };
    for await (const entry of await opendir(opened.path)) {
      found.push(entry);
      if (found.length >= MAX_READ || signal.aborted) break;
    }
  } finally {
    await opened.close();
  }
  const visible = await rules.visible(path, found);
  const kept = new Set(visible);
  const ignored = found.filter((entry) => !kept.has(entry)).map(({ name }) => name);
  const shown = request.isHiddenShown ? visible : visible.filter(({ name }) => !name.startsWith("."));
  const ordered = await inOrder(path, shown, order);
  const sorted = isReversed ? ordered.toReversed() : ordered;
  const first = sorted.slice(0, budget.left);
  budget.left -= first.length;
  const entries = await Promise.all(first.map((entry) => treeEntry(path, entry)));
  return { entries, ignored, more: sorted.length - first.length, isLeast: found.length >= MAX_READ };
}

/** Folders first for the order by name; otherwise the largest or latest first. */
async function inOrder(path: string, entries: readonly Dirent[], order: EntryOrder): Promise<Dirent[]> {
  const byName = entries.toSorted(
    (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1),
  );
  if (order === "name") return byName;
  const keyed: { entry: Dirent; key: bigint }[] = [];
  for (let at = 0; at < byName.length; at += STATS_AT_ONCE) {
    const part = byName.slice(at, at + STATS_AT_ONCE);
    const stats = await Promise.all(part.map(({ name }) => statsOf(join(path, name))));
    for (const [i, entry] of part.entries()) keyed.push({ entry, key: keyOf(stats[i], entry, order) });
  }
  return keyed.sort((a, b) => (a.key === b.key ? 0 : a.key > b.key ? -1 : 1)).map(({ entry }) => entry);
}

/** The size that a file system reports for a folder means nothing. */
function keyOf(stats: BigIntStats | undefined, entry: Dirent, order: EntryOrder): bigint {
  if (!stats) return -1n;
  if (order === "modified") return stats.mtimeNs;
  return entry.isFile() ? stats.size : -1n;
}

function statsOf(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined);
}

async function treeEntry(folder: string, entry: Dirent): Promise<TreeEntry> {
  const { name } = entry;
  const path = join(folder, name);
  try {
    // A name that is not UTF-8 was decoded to a name that does not exist.
    if (name.includes("\uFFFD")) await lstat(path);
    if (entry.isDirectory()) return { name, kind: "folder" };
    if (entry.isSymbolicLink()) return { name, kind: "link", leadsTo: await readlink(path) };
    if (entry.isFile()) return { name, kind: "file", sizeBytes: (await lstat(path)).size };
  } catch {
    return { name, kind: "unknown" };
  }
  return { name, kind: entry.isFIFO() ? "FIFO" : entry.isSocket() ? "socket" : "device" };
}
