import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, lstat } from "node:fs/promises";
import { join } from "node:path";
import type { FileList } from "@harness/core";
import { OmittedFiles } from "./omitted-files.ts";
import type { StoredRoot } from "./store-folder.ts";
import { GitError, type StoreGit } from "./store-git.ts";
import { NOT_STORED } from "./tree-diff.ts";

/** Files added at a time: what was added stays if time runs out. */
const BATCH = 2_000;
/** From this number on, objects go into one pack instead of separate files. */
const PACK_FROM = 200;
/** If new and changed files exceed this in total, they are not stored: they would fill the disk turn by turn. */
const MAX_BYTES = 2_000_000_000;
/** Files to examine concurrently. */
const AT_ONCE = 64;
/** A folder with more files is not a project. */
const MAX_FILES = 200_000;
/** Files may vanish or change their kind while they are read; after this many, something else is wrong. */
const MAX_TRIES = 20;

const SMALLER = "Start harness in a project's folder, or list in a .gitignore what need not be stored.";

type RefreshLimits = Pick<FileList, "isSecret"> & { maxFileBytes: number; signal?: AbortSignal | undefined };

type IndexChanges = { add: string[]; gone: string[]; notStored: { path: string; oid: string }[] };

/**
 * Updates the index to the current files, at a cost that depends on the number of changes. Which files there are follows
 * from the `FileList`: its rules are the store's `info/exclude`, by which git lists what differs from its index. Throws
 * `GitError`.
 */
export async function refreshIndex(
  git: StoreGit,
  { prefix }: StoredRoot,
  limits: RefreshLimits,
): Promise<OmittedFiles> {
  const { signal } = limits;
  // Otherwise files that were only touched would be read again each time.
  await git.tryRun(["update-index", "-q", "--refresh"], { signal });
  await forget(git, await foldersTakenForFiles(git, signal), signal);
  const leftOut = new OmittedFiles(limits.maxFileBytes);
  const paths = await changedPaths(git, prefix, leftOut, signal);
  if (paths.size > MAX_FILES) {
    throw new GitError(
      `There are ${paths.size.toLocaleString("en")} files to store, more than ${MAX_FILES.toLocaleString("en")}. ${SMALLER}`,
    );
  }
  const sorted = await sortPaths(git.place.workTree, paths, limits, leftOut);
  await forget(git, sorted.gone, signal);
  const records = sorted.notStored.map(({ path, oid }) => `${NOT_STORED} ${oid}\t${path}\0`);
  await putInIndex(git, records, signal);
  for (let at = 0; at < sorted.add.length; at += BATCH)
    await add(git, sorted.add.slice(at, at + BATCH), leftOut, signal);
  return leftOut;
}

/**
 * Folders that git treats as nested repositories and never looks into, although the index has an unstored file there.
 */
async function foldersTakenForFiles(git: StoreGit, signal: AbortSignal | undefined): Promise<string[]> {
  const list = (await git.run(["ls-files", "-z", "-s"], { signal })).toString("latin1");
  const found: string[] = [];
  // `<mode> <oid> <stage>` TAB `<path>` (git-ls-files(1)).
  for (const [, bytes = ""] of list.matchAll(notStoredRecord)) {
    const path = Buffer.from(bytes, "latin1").toString("utf8");
    const stat = await lstat(join(git.place.workTree, path)).catch(() => undefined);
    if (stat?.isDirectory()) found.push(path);
  }
  return found;
}

const notStoredRecord = new RegExp(`(?<=^|\\0)${NOT_STORED} [0-9a-f]{40} \\d\\t([^\\0]+)`, "g");

function forget(git: StoreGit, paths: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  const records = paths.map((path) => `0 0000000000000000000000000000000000000000\t${path}\0`);
  return putInIndex(git, records, signal);
}

async function putInIndex(git: StoreGit, records: string[], signal: AbortSignal | undefined): Promise<void> {
  if (records.length === 0) return;
  await git.run(["update-index", "-z", "--replace", "--index-info"], { input: records.join(""), signal });
}

/** Paths that are new, changed or gone; true: the path is not in the index. */
type ChangedPaths = Map<string, boolean>;

async function changedPaths(git: StoreGit, prefix: string, leftOut: OmittedFiles, signal: AbortSignal | undefined) {
  const scope = prefix === "" ? [] : ["--", `:(top,literal)${prefix}`];
  const list = ["ls-files", "-z", "-t", "-o", "--exclude-standard"];
  const paths: ChangedPaths = new Map();
  const nested = readPaths(await git.run([...list, "-m", "-d", ...scope], { signal }), paths, leftOut);
  // git does not look into a nested repository by itself: it is listed separately once, then its files are in the
  // index.
  for (const folder of nested) {
    const where = { workTree: join(git.place.workTree, folder), index: join(git.place.gitDir, "no-index"), signal };
    const inside: ChangedPaths = new Map();
    const deeper = readPaths(await git.run(list, where), inside, leftOut);
    nested.push(...deeper.map((each) => folder + each));
    for (const path of inside.keys()) paths.set(folder + path, true);
  }
  return paths;
}

/** Adds the paths to `into` and returns the repositories among them, which end with a slash. */
function readPaths(output: Buffer, into: ChangedPaths, leftOut: OmittedFiles): string[] {
  const nested: string[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    if (end < 0) break;
    // A status letter, a space, the path; `?` means that it is not in the index.
    const isNew = output[start] === 0x3f;
    try {
      const path = decoder.decode(output.subarray(start + 2, end));
      if (path.endsWith("/")) nested.push(path);
      else into.set(path, isNew);
    } catch {
      leftOut.add("name", output.toString("utf8", start + 2, end));
    }
    start = end + 1;
  }
  return nested;
}

async function sortPaths(
  workTree: string,
  paths: ChangedPaths,
  { maxFileBytes, isSecret, signal }: RefreshLimits,
  leftOut: OmittedFiles,
) {
  const sorted: IndexChanges = { add: [], gone: [], notStored: [] };
  let bytes = 0;
  const sort = async ([path, isNew]: [string, boolean]): Promise<void> => {
    const stat = await lstat(join(workTree, path)).catch(() => undefined);
    const secret = isSecret(`/${path}`);
    if (secret && stat) leftOut.add("secret", path);
    if (secret || !stat || !(stat.isFile() || stat.isSymbolicLink())) {
      if (!isNew) sorted.gone.push(path);
    } else if (stat.isFile() && stat.size > maxFileBytes) notStored("large", path, stat);
    else if (stat.isFile() && !(await isReadable(join(workTree, path), stat))) notStored("unreadable", path, stat);
    else {
      bytes += stat.size;
      sorted.add.push(path);
    }
  };
  const notStored = (why: "large" | "unreadable", path: string, stat: Stats): void => {
    leftOut.add(why, path);
    sorted.notStored.push({ path, oid: stateOf(stat) });
  };
  const all = [...paths];
  for (let at = 0; at < all.length; at += AT_ONCE) {
    if (signal?.aborted) throw new GitError("It took too long.");
    await Promise.all(all.slice(at, at + AT_ONCE).map(sort));
    if (bytes > MAX_BYTES) throw new GitError(`There are more than 2 GB of files to store. ${SMALLER}`);
  }
  return sorted;
}

async function isReadable(path: string, { uid, mode }: Stats): Promise<boolean> {
  // The owner's permission bits answer this without another system call.
  if (uid === process.getuid?.()) return (mode & 0o400) !== 0;
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}

/** Changes with the bytes of the file, as far as can be determined without reading them. */
function stateOf({ ino, size, mtimeMs }: Stats): string {
  return createHash("sha1").update(`${ino} ${size} ${mtimeMs}`).digest("hex");
}

/** Files may change while they are read: one that cannot be added is omitted, the others are added. */
async function add(
  git: StoreGit,
  paths: string[],
  leftOut: OmittedFiles,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pack = paths.length >= PACK_FROM ? ["-c", "core.bigFileThreshold=1"] : [];
  const left = new Set(paths);
  for (let attempt = 1; left.size > 0; attempt += 1) {
    try {
      const input = `${[...left].join("\0")}\0`;
      await git.run([...pack, "update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { input, signal });
      return;
    } catch (error) {
      const path = error instanceof GitError ? /Unable to process path (.+)/.exec(error.output)?.[1] : undefined;
      if (path === undefined || !left.delete(path) || attempt > MAX_TRIES) throw error;
      leftOut.add("unreadable", path);
    }
  }
}
