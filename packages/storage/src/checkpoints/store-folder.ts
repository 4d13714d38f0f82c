import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { UndoRules } from "@harness/core";
import { makePrivateFolder, othersProblem, readRegularFile, replaceOwnFile, writeOwnFile } from "@harness/host";
import { GitError, type GitProgram, StoreGit, type StoreLocation } from "./store-git.ts";
import { UNFINISHED } from "./unfinished-revert.ts";

/** A folder whose files are stored. */
export type StoredRoot = {
  place: StoreLocation;
  /** The folder itself, real and absolute. */
  root: string;
  /** The path of the folder in the work tree, without a trailing slash; "" for the work tree itself. */
  prefix: string;
};

/**
 * Files are stored byte for byte: no line-end conversion, filters, keywords or encodings, whatever a `.gitattributes`
 * says.
 */
const ATTRIBUTES = "* -text -eol -crlf -ident -filter -working-tree-encoding !diff !merge !delta\n";

/** Objects are on disk when git reports them; many objects share one flush. Nothing is removed unless we ask for it. */
const CONFIG = `
[core]
	bare = false
	autocrlf = false
	safecrlf = false
	hooksPath = /dev/null
	fsmonitor = false
	excludesFile = /dev/null
	attributesFile = /dev/null
	logAllRefUpdates = false
	preloadIndex = true
	compression = 1
	fsync = loose-object,pack,pack-metadata,reference
	fsyncMethod = batch
[gc]
	auto = 0
	autoDetach = false
	packRefs = false
[index]
	threads = true
[diff]
	renames = false
`;

/** Written last: a store without it was never finished. */
const READY = "harness-workspace";

/**
 * Throws `GitError` if one of harness's own folders is a link or writable for others, because its content cannot be
 * trusted. Creates a missing folder.
 */
export function needOwnFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isDirectory()) throw new GitError(`${folder} is not a folder of its own.`);
  const problem = othersProblem(folder, stats, "who could have harness change files in your name");
  if (problem !== undefined) throw new GitError(problem);
}

/** The name of a folder's store. */
export function storeName(root: string): string {
  return createHash("sha256").update(root).digest("hex");
}

/** The real path of the folder whose store name begins with `start`; undefined: there is no such store. */
export function rootOfStore(folder: string, start: string): string | undefined {
  const name = existsSync(folder) ? readdirSync(folder).find((each) => each.startsWith(start)) : undefined;
  const ready = join(folder, name ?? start, READY);
  return existsSync(ready) ? ownText(ready).replace(/\n$/, "") : undefined;
}

/** Creates the store of a folder, given by its real path, unless it exists. One at a time. Throws `GitError`. */
export async function makeStore(folder: string, root: string, git: GitProgram): Promise<void> {
  const gitDir = join(folder, storeName(root));
  if (!isMade(folder, root)) await initialise(gitDir, root, git, join(gitDir, READY));
}

function isMade(folder: string, root: string): boolean {
  return existsSync(join(folder, storeName(root), READY));
}

/**
 * Configures the store of a folder, given by its real path, for the files that the rules leave. In a repository the work
 * tree is the repository's, so that its `.gitignore` files apply, and only the folder is examined. Throws file system
 * errors.
 */
export function configureStore(folder: string, root: string, { top, exclude }: UndoRules): StoredRoot {
  const place = { gitDir: join(folder, storeName(root)), workTree: top };
  // Half-written files of a killed undo are not the user's.
  writeExclude(place, `${exclude}${UNFINISHED}*\n`);
  return { place, root, prefix: relative(top, root).split(sep).join("/") };
}

async function initialise(gitDir: string, root: string, git: GitProgram, ready: string): Promise<void> {
  // An interrupted creation, with undefined content.
  rmSync(gitDir, { recursive: true, force: true });
  makePrivateFolder(gitDir);
  await new StoreGit({ gitDir, workTree: root }, git).run(["init", "-q", "--template="]);
  const config = join(gitDir, "config");
  writeOwnFile(config, ownText(config) + CONFIG, { mode: 0o600 });
  makePrivateFolder(join(gitDir, "info"));
  writeOwnFile(join(gitDir, "info", "attributes"), ATTRIBUTES, { mode: 0o600 });
  replaceOwnFile(ready, `${root}\n`, { durable: "name" });
}

function writeExclude({ gitDir }: StoreLocation, text: string): void {
  const path = join(gitDir, "info", "exclude");
  if (existsSync(path) && ownText(path) === text) return;
  replaceOwnFile(path, text);
}

/** As much as the ignore files of a repository may have, and more. */
const MAX_TEXT_BYTES = 2_000_000;

/** A file of the store. */
function ownText(path: string): string {
  return readRegularFile(path, { maxBytes: MAX_TEXT_BYTES, followLinks: false }).toString("utf8");
}
