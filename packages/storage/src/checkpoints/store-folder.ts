import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  makePrivateFolder,
  othersProblem,
  readRegularFile,
  realPathOrSame,
  replaceOwnFile,
  writeOwnFile,
} from "@harness/host";
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

/** Generated folders, for work trees without a `.gitignore`. */
const madeByPrograms = [
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".cache",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".gradle",
  ".next",
  ".nuxt",
  ".terraform",
  ".direnv",
  "bower_components",
];

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
 * Configures the store of a folder, given by its real path; the files of the `leaveOut` folders are never stored. In a
 * repository the work tree is the repository's, so that its `.gitignore` files apply, and only the folder is examined.
 * Throws `GitError` and file system errors.
 */
export async function configureStore(
  folder: string,
  root: string,
  leaveOut: string[],
  git: GitProgram,
  signal?: AbortSignal,
): Promise<StoredRoot> {
  const gitDir = join(folder, storeName(root));
  const repository = repositoryRoot(root);
  if (repository !== undefined && repository !== root) {
    const place = { gitDir, workTree: repository };
    const prefix = relative(repository, root).split(sep).join("/");
    writeExclude(place, repository, leaveOut);
    const question = ["check-ignore", "-q", "--no-index", "--", `./${prefix}/`];
    const ignored = await new StoreGit(place, git).tryRun(question, { cwd: repository, signal });
    if (ignored.code !== 0) return { place, root, prefix };
  }
  const place = { gitDir, workTree: root };
  writeExclude(place, repository, leaveOut);
  return { place, root, prefix: "" };
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

/** The nearest folder that has a `.git`, from the folder itself upward. */
export function repositoryRoot(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false })) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

function writeExclude({ gitDir, workTree }: StoreLocation, repository: string | undefined, leaveOut: string[]): void {
  const lines = leaveOut.flatMap((each) => {
    const path = relative(workTree, realPathOrSame(each));
    return path === "" || path.startsWith("..") || isAbsolute(path) ? [] : [`/${literally(path)}`];
  });
  // Conversations are not part of the work in their folder.
  lines.push(".harness/sessions/");
  // Half-written files of a killed undo.
  lines.push(`${UNFINISHED}*`);
  if (repository === undefined) lines.push(...madeByPrograms.map((name) => `${name}/`));
  const own = repository === workTree ? personsExclude(repository) : "";
  const text = `${own}\n${lines.join("\n")}\n`;
  const path = join(gitDir, "info", "exclude");
  if (existsSync(path) && ownText(path) === text) return;
  replaceOwnFile(path, text);
}

/** The `info/exclude` of the user's repository; for a worktree, of the repository it belongs to. */
function personsExclude(repository: string): string {
  try {
    const dotGit = join(repository, ".git");
    let gitDir = dotGit;
    if (statSync(dotGit).isFile()) {
      const target = /^gitdir: (.+)$/m.exec(personsText(dotGit))?.[1];
      if (!target) return "";
      gitDir = resolve(repository, target);
      const common = join(gitDir, "commondir");
      if (existsSync(common)) gitDir = resolve(gitDir, personsText(common).trim());
    }
    return personsText(join(gitDir, "info", "exclude"));
  } catch {
    // It does not exist or cannot be read.
    return "";
  }
}

const MAX_TEXT_BYTES = 100_000;

/** A file of the store. */
function ownText(path: string): string {
  return readRegularFile(path, { maxBytes: MAX_TEXT_BYTES, followLinks: false }).toString("utf8");
}

/** A file of the user's repository, which anyone may have written: it may be a named pipe, or endless. */
function personsText(path: string): string {
  return readRegularFile(path, { maxBytes: MAX_TEXT_BYTES, followLinks: true }).toString("utf8");
}

/** The pattern that matches exactly this path in a `.gitignore`. */
function literally(path: string): string {
  return path
    .split(sep)
    .join("/")
    .replace(/[\\*?[\]! #]/g, "\\$&");
}
