import { createHash, randomBytes } from "node:crypto";
import { constants, existsSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { copyOwnFile, syncFolder } from "@harness/host";
import { BlobReader } from "../blob-reader.ts";
import { GitError, type GitProgram, StoreGit } from "../store-git.ts";
import { EMPTY_TREE, storeTree, treePath, treeSeenMs } from "../stored-tree.ts";
import { NOT_STORED } from "../tree-diff.ts";

/** A state of files on its way to a different store: `from` as the facts name it, `tree` as the pack has it. */
export type PackedTree = { from: string; tree: string; seenMs: number };

/** `leftOut`: how many files have a secret. `lost`: how many states are no longer stored. */
export type CheckpointPack = { path: string; trees: PackedTree[]; leftOut: number; lost: number };

/** A longer session has its newest ones. */
const MAX_TREES = 2_000;
export const MAX_PACK_BYTES = 256 * 1024 * 1024;
/** Of all files in a pack together, each content once. */
const MAX_CONTENT_BYTES = 2 * 1024 * 1024 * 1024;
const PATIENCE_MS = 300_000;
const FILE_MODES: ReadonlySet<string> = new Set(["100644", "100755", "120000", NOT_STORED]);
const GENTLE = ["-c", "pack.window=3", "-c", "pack.threads=1", "-c", "core.bigFileThreshold=8m"];

/**
 * Writes states of files, and all that they have, into a pack below `folder`. A file whose content `hide` changes, because it has
 * a secret, becomes one whose content is not stored. Throws `GitError`.
 */
export async function writePack(
  git: StoreGit,
  wanted: readonly string[],
  { folder, hide }: { folder: string; hide(text: string): string },
): Promise<CheckpointPack> {
  const seen = wanted.map((from) => ({ from, seenMs: treeSeenMs(git.place.gitDir, from) }));
  const kept = seen.flatMap(({ from, seenMs }) => (seenMs === undefined ? [] : [{ from, seenMs }])).slice(-MAX_TREES);
  const contents = new ContentList(git);
  for (const { from } of kept) await contents.add(from);
  if (contents.paths.some((path) => hide(path) !== path))
    throw new GitError("The name of one of their files has a secret in it.");
  const secrets = await contents.secrets(hide);
  const trees: PackedTree[] = [];
  for (const { from, seenMs } of kept)
    trees.push({ from, tree: await withoutContents(git, from, { secrets, folder }), seenMs });
  const named = [...new Set(trees.map(({ tree }) => tree))].filter((tree) => tree !== EMPTY_TREE);
  const made = join(folder, "pack");
  const input = named.map((tree) => `${tree}\n`).join("");
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const name = (await git.run([...GENTLE, "pack-objects", "--revs", "-q", made], { input, signal })).toString("latin1");
  const path = `${made}-${name.trim()}.pack`;
  if (statSync(path).size > MAX_PACK_BYTES) throw new GitError("They have more than 256 MB, compressed.");
  return { path, trees, leftOut: secrets.size, lost: wanted.length - kept.length };
}

/**
 * Takes states of files from a pack that anybody may have written: git checks each object, and nothing gets into the store before all
 * are right. Returns the states that are stored now. Throws `GitError`.
 */
export async function takePack(
  git: StoreGit,
  path: string,
  { trees, program }: { trees: readonly PackedTree[]; program: GitProgram },
): Promise<PackedTree[]> {
  const { gitDir } = git.place;
  const incoming = join(gitDir, `incoming-${randomBytes(6).toString("hex")}`);
  mkdirSync(incoming, { mode: 0o700 });
  try {
    const apart = new StoreGit({ gitDir: incoming, workTree: incoming }, program);
    await apart.run(["init", "-q", "--template="]);
    const packs = join(incoming, "objects", "pack");
    mkdirSync(packs, { recursive: true, mode: 0o700 });
    const received = join(packs, "received.pack");
    await copyOwnFile(path, received, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const name = (await apart.run([...GENTLE, "index-pack", "--strict", received], { signal }))
      .toString("latin1")
      .trim();
    const contents = new ContentList(apart);
    for (const { tree } of trees.slice(0, MAX_TREES)) if (tree !== EMPTY_TREE) await contents.add(tree);
    contents.check();
    const target = join(gitDir, "objects", "pack");
    mkdirSync(target, { recursive: true, mode: 0o700 });
    for (const ending of ["pack", "idx"]) {
      const file = join(target, `pack-${name}.${ending}`);
      if (!existsSync(file)) renameSync(join(packs, `received.${ending}`), file);
    }
    syncFolder(target);
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  for (const { tree, seenMs } of trees.slice(0, MAX_TREES)) {
    const isKnown = treeSeenMs(gitDir, tree) !== undefined;
    storeTree(gitDir, tree);
    // Files in the folder that are older than this count as not made by the turn.
    const at = new Date(Math.min(seenMs, Date.now()));
    if (!isKnown) utimesSync(treePath(gitDir, tree), at, at);
  }
  return trees.slice(0, MAX_TREES);
}

/** The files of several states, each content once. */
class ContentList {
  /** Of each blob the number of bytes. */
  readonly #sizes = new Map<string, number>();
  readonly #paths = new Set<string>();
  readonly #odd: string[] = [];
  readonly #git: StoreGit;

  constructor(git: StoreGit) {
    this.#git = git;
  }

  get paths(): string[] {
    return [...this.#paths];
  }

  async add(tree: string): Promise<void> {
    const list = (await this.#git.run(["ls-tree", "-r", "-z", "-l", tree])).toString("utf8");
    // `<mode> <type> <oid> <size>` TAB `<path>` (git-ls-tree(1)).
    for (const [, mode = "", oid = "", size = "", path = ""] of list.matchAll(
      /(\d+) \w+ ([0-9a-f]{40})\s+(\d+|-)\t([^\0]+)\0/g,
    )) {
      this.#paths.add(path);
      if (mode !== NOT_STORED) this.#sizes.set(oid, Number(size) || 0);
      if (!FILE_MODES.has(mode) || path.split("/").some(isOddName)) this.#odd.push(path);
    }
  }

  /** Throws `GitError` for files that no checkpoint has. */
  check(): void {
    if (this.#odd.length > 0) throw new GitError(`They have a file that none may have: ${this.#odd[0]}.`);
    const bytes = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    if (bytes > MAX_CONTENT_BYTES) throw new GitError("They have more than 2 GB of files.");
  }

  /** The ids of the contents that have a secret. */
  async secrets(hide: (text: string) => string): Promise<ReadonlySet<string>> {
    this.check();
    const found = new Set<string>();
    const blobs = new BlobReader(this.#git);
    try {
      for (const oid of this.#sizes.keys()) if (hasSecret(await blobs.read(oid), hide)) found.add(oid);
    } finally {
      blobs.close();
    }
    return found;
  }
}

function isOddName(name: string): boolean {
  return name === "" || name === "." || name === ".." || name.toLowerCase() === ".git";
}

/** In characters of one byte, and of two in either order. */
function hasSecret(bytes: Buffer, hide: (text: string) => string): boolean {
  const isIn = (text: string) => hide(text) !== text;
  if (isIn(bytes.toString("latin1"))) return true;
  if (!bytes.includes(0)) return false;
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)));
  return isIn(even.toString("utf16le")) || isIn(even.swap16().toString("utf16le"));
}

/** The same state in which these contents are not stored; what stands for them says nothing about them. */
async function withoutContents(
  git: StoreGit,
  tree: string,
  { secrets, folder }: { secrets: ReadonlySet<string>; folder: string },
): Promise<string> {
  if (secrets.size === 0) return tree;
  const list = (await git.run(["ls-tree", "-r", "-z", tree])).toString("utf8").split("\0");
  const records = list.flatMap((line) => {
    const [, oid = "", path = ""] = /^\d+ \w+ ([0-9a-f]{40})\t(.+)$/s.exec(line) ?? [];
    if (!secrets.has(oid)) return [];
    const mark = createHash("sha1").update(`${folder}\0${oid}`).digest("hex");
    return [`${NOT_STORED} ${mark}\t${path}\0`];
  });
  if (records.length === 0) return tree;
  const index = join(folder, "index");
  rmSync(index, { force: true });
  await git.run(["read-tree", tree], { index });
  await git.run(["update-index", "-z", "--replace", "--index-info"], { index, input: records.join("") });
  return (await git.run(["write-tree"], { index })).toString("latin1").trim();
}
