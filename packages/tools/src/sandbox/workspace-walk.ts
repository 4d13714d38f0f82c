import { type BigIntStats, type Dirent, lstatSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isProtected, isSecret } from "@harness/gate";

/** Checked before and after each command: checking an unchanged folder costs a few microseconds. */
const MAX_FOLDERS = 20_000;
/** Each needs a mount, and the time for mounts grows with the square of their number. */
const MAX_FINDS = 300;
const READ_AT_ONCE = 16;
const LOOKED_AT_ONCE = 500;
/** A change this soon after the last one may have the same time stamp. */
const SETTLED_NS = 100_000_000n;
const MAX_NPMRC_BYTES = 65_536;

export type WorkspaceFinds = {
  /** The paths that the gate protects. */
  fixed: string[];
  /** The links among them. */
  links: string[];
  /** Files and folders with secrets. */
  secrets: string[];
  /** Git folders: those called `.git`, and repositories without a working tree. */
  repositories: string[];
  /** Why there may be more. */
  problem?: string;
};

type Listing = WorkspaceFinds & { stamp: string; below: string[] };

/**
 * The protected and secret files of one workspace at any depth, except in `node_modules`. Not from a `FileList`, because
 * ignored files need the same protection. Follows no links. The findings in a folder are cached until the folder changes.
 */
export class WorkspaceWalk {
  readonly #root: string;
  #known = new Map<string, Listing>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The current state, nearest first. Never throws. */
  async look(): Promise<WorkspaceFinds> {
    const finds: WorkspaceFinds = { fixed: [], links: [], secrets: [], repositories: [] };
    const seen = new Map<string, Listing>();
    let level = [this.#root];
    while (level.length > 0 && seen.size < MAX_FOLDERS) {
      const folders = level.slice(0, MAX_FOLDERS - seen.size);
      if (folders.length < level.length) break;
      level = [];
      for (const listing of await this.#listings(folders, seen)) {
        for (const kind of ["fixed", "links", "secrets", "repositories"] as const) finds[kind].push(...listing[kind]);
        level.push(...listing.below);
      }
    }
    this.#known = seen;
    if (level.length > 0)
      return { ...finds, problem: `it has more than ${MAX_FOLDERS.toLocaleString("en-US")} folders` };
    const many =
      finds.fixed.length > MAX_FINDS
        ? "protected files"
        : finds.secrets.length > MAX_FINDS
          ? "files that may hold secrets"
          : "";
    return many === "" ? finds : { ...finds, problem: `it has more than ${MAX_FINDS} ${many}` };
  }

  async #listings(folders: readonly string[], seen: Map<string, Listing>): Promise<Listing[]> {
    const listings: (Listing | undefined)[] = [];
    const changed: { at: number; folder: string; stamp: string }[] = [];
    for (const [at, folder] of folders.entries()) {
      if (at % LOOKED_AT_ONCE === LOOKED_AT_ONCE - 1) await setImmediate();
      const stamp = stampOf(folder);
      const known = this.#known.get(folder);
      if (known && stamp !== "" && known.stamp === stamp) listings[at] = known;
      else changed.push({ at, folder, stamp });
    }
    for (let from = 0; from < changed.length; from += READ_AT_ONCE) {
      await Promise.all(
        changed.slice(from, from + READ_AT_ONCE).map(async ({ at, folder, stamp }) => {
          listings[at] = await this.#read(folder, stamp);
        }),
      );
    }
    const all = listings.filter((each) => each !== undefined);
    for (const [at, folder] of folders.entries()) {
      const listing = listings[at];
      if (listing) seen.set(folder, listing);
    }
    return all;
  }

  async #read(folder: string, stamp: string): Promise<Listing> {
    const listing: Listing = { stamp, below: [], fixed: [], links: [], secrets: [], repositories: [] };
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (isBare(entries) && folder !== this.#root) return { ...listing, repositories: [folder] };
    for (const entry of entries) await this.#sort(folder, entry, listing);
    return listing;
  }

  async #sort(folder: string, entry: Dirent, listing: Listing): Promise<void> {
    const path = join(folder, entry.name);
    const own = path.slice(this.#root === "/" ? 0 : this.#root.length);
    if (entry.name === ".git" && entry.isDirectory()) {
      listing.repositories.push(path);
      return;
    }
    const hides = await hidesIt(own, path, entry);
    if (hides) listing.secrets.push(path);
    if (isProtected(path, this.#root)) {
      listing.fixed.push(path);
      if (entry.isSymbolicLink()) listing.links.push(path);
    } else if (!hides && entry.isDirectory() && entry.name !== "node_modules") listing.below.push(path);
  }
}

/**
 * Folders are secret by location only, because many have a name that would only be suspicious for a file. npm reads an
 * `.npmrc` for every command, so only one with a password is hidden.
 */
async function hidesIt(own: string, path: string, entry: Dirent): Promise<boolean> {
  if (entry.isDirectory()) return isSecret(`${own}/-`);
  if (!isSecret(own)) return false;
  if (entry.name.toLowerCase() !== ".npmrc" || !entry.isFile()) return true;
  const text = await readFile(path, "utf8").catch(() => "");
  return text.length > MAX_NPMRC_BYTES || /_(?:auth|authtoken|password)\s*=\s*(?!\s*["']?\$\{)\S/i.test(text);
}

/** True for a folder that git accepts as a repository, whatever its name. */
function isBare(entries: readonly Dirent[]): boolean {
  const has = (name: string) => entries.some((entry) => entry.name === name);
  return has("HEAD") && ((has("objects") && has("refs")) || has("commondir"));
}

/** Changes whenever something in the folder is created, removed, renamed or replaced; "" if that is not certain. */
function stampOf(folder: string): string {
  let info: BigIntStats;
  try {
    info = lstatSync(folder, { bigint: true });
  } catch {
    return "";
  }
  const { dev, ino, ctimeNs, mtimeNs } = info;
  if (BigInt(Date.now()) * 1_000_000n - ctimeNs < SETTLED_NS) return "";
  return `${dev} ${ino} ${ctimeNs} ${mtimeNs}`;
}
