import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemReason, writeOwnFile } from "@harness/host";
import type { RestoredFile } from "@harness/protocol";
import { BlobReader, ContentLostError } from "./blob-reader.ts";
import { type CurrentFile, currentFile } from "./current-file.ts";
import { HardLinks } from "./hard-links.ts";
import { ignoredBefore, isIgnoreFile } from "./ignored-before.ts";
import { FileChangedError, NotWrittenError, placeFile, removeEmptyFolders, removeFile } from "./place-file.ts";
import { GitError, type StoreGit } from "./store-git.ts";
import { treeSeenMs } from "./stored-tree.ts";
import { LINK, lacksStoredSide, type TreeDifference, type TreeFile } from "./tree-diff.ts";
import { beginRevert, SCRATCH, type UnfinishedRevert } from "./unfinished-revert.ts";

/** Files to process concurrently. */
const AT_ONCE = 16;
/** Up to this many files are flushed to disk individually. */
const MAX_FLUSHED = 500;

/** Allows for the rounding of times by file systems, with a margin. */
const CLOCKS_DIFFER_MS = 2_000;

/** A file may be modified while it is examined, also through another of its names. */
const MAX_LOOKS = 3;

type Outcome = Omit<RestoredFile, "path"> | undefined;

/**
 * Why files are changed. `redo`: the change was an undo, so the files that are removed now were restored by it.
 * `apply`: reversed, `before` is the work done in a copy of the files, and `after` is the state that the copy began
 * with.
 */
type RevertKind = "undo" | "redo" | "apply";

/** `isTrial`: changes nothing; the outcomes say what would happen. */
export type RevertWork = {
  root: string;
  before: string;
  differences: readonly TreeDifference[];
  kind: RevertKind;
  isTrial?: boolean;
};

/** Why a file that was changed since is left alone. */
const reasons = {
  deleted: "it was deleted after that",
  changed: "it was changed after it was created",
  created: "it was created again after that",
  link: "it was changed after that, and is a link",
  tangled: "later changes to it cannot be separated from those to undo",
};
const applyReasons: typeof reasons = {
  deleted: "it was deleted in the workspace in the meantime",
  changed: "it was changed in the workspace in the meantime",
  created: "another file of this name was created in the workspace in the meantime",
  link: "it was changed in the workspace in the meantime, and is a link",
  tangled: "the same lines were changed in the workspace in the meantime",
};

/** Reverts the differences of two trees in the current files, one file after another. */
export class Revert {
  readonly #git: StoreGit;
  readonly #root: string;
  readonly #blobs: BlobReader;
  readonly #links: HardLinks;
  /** Files that were written in place. */
  readonly #filled = new Set<bigint>();
  readonly #before: string;
  readonly #scratch: string;
  readonly #work: UnfinishedRevert;
  readonly #durable: boolean;
  readonly #isApply: boolean;
  readonly #isTrial: boolean;
  /** The time of the earlier state. */
  readonly #beforeMs: number;
  /** Contents of removed files that reappear under their own names when the revert is complete. */
  readonly #moved: ReadonlySet<string>;
  /** Paths to remove that were ignored then; undefined: the change does not depend on ignored files. */
  readonly #ignored: (() => Promise<Set<string>>) | undefined;
  #folders: Set<string> | undefined;
  #lostFolder: boolean | undefined;
  #merges = 0;
  #placed = 0;

  private constructor(git: StoreGit, { root, before, differences, kind, isTrial = false }: RevertWork) {
    this.#git = git;
    this.#root = root;
    this.#before = before;
    this.#isApply = kind === "apply";
    this.#isTrial = isTrial;
    this.#durable = differences.length <= MAX_FLUSHED;
    this.#beforeMs = treeSeenMs(git.place.gitDir, before) ?? 0;
    this.#moved = new Set(differences.flatMap(({ before: was, after }) => (was && !after ? [was.oid] : [])));
    this.#blobs = new BlobReader(git);
    this.#links = new HardLinks(git, root, before);
    const folders = differences.flatMap(({ path, before: was }) => (was ? [dirname(join(root, path))] : []));
    this.#work = beginRevert(git.place.gitDir, new Set(folders));
    this.#scratch = mkdtempSync(join(git.place.gitDir, SCRATCH));
    if (kind === "undo" && differences.some(({ path }) => isIgnoreFile(path)))
      this.#ignored = this.#askOnce(differences);
  }

  /**
   * Returns the outcome for each file below `root`, which is a real path; files that already have the earlier content
   * are not listed. A failure for one file does not stop the others.
   */
  static async run(git: StoreGit, wanted: RevertWork): Promise<RestoredFile[]> {
    const { differences } = wanted;
    const work = new Revert(git, wanted);
    // A file may have replaced a folder: deletions come first, the deepest of them before the others.
    const going = differences.filter(({ before: was }) => !was).reverse();
    const coming = differences.filter(({ before: was }) => was);
    const done = new Map<string, RestoredFile>();
    try {
      const take = async (difference: TreeDifference): Promise<void> => {
        const outcome = await work.#tryFile(difference);
        if (outcome) done.set(difference.path, { path: difference.path, ...outcome });
      };
      for (const difference of going) await take(difference);
      for (let at = 0; at < coming.length; at += AT_ONCE) await Promise.all(coming.slice(at, at + AT_ONCE).map(take));
    } finally {
      work.#blobs.close();
      rmSync(work.#scratch, { recursive: true, force: true });
      work.#work.done();
    }
    return differences.flatMap(({ path }) => done.get(path) ?? []);
  }

  async #tryFile(difference: TreeDifference): Promise<Outcome> {
    try {
      if (lacksStoredSide(difference)) return keptFile("it was too large or not readable, so it was not stored");
      // git itself never adds such a path.
      if (difference.path.split("/").some((each) => /^(?:\.git|\.\.?|)$/i.test(each)))
        return keptFile("it belongs to git");
      return await this.#fileAtRest(difference);
    } catch (error) {
      if (
        error instanceof ContentLostError ||
        (error instanceof NotWrittenError && !(error instanceof FileChangedError))
      )
        return keptFile(error.message.replace(/\.$/, ""));
      return { outcome: "failed", why: whyFailed(error) };
    }
  }

  async #fileAtRest(difference: TreeDifference): Promise<Outcome> {
    for (let look = 1; ; look += 1) {
      try {
        return await this.#file(difference);
      } catch (error) {
        if (!(error instanceof FileChangedError) || look === MAX_LOOKS) throw error;
      }
    }
  }

  async #file({ path, before, after }: TreeDifference): Promise<Outcome> {
    const now = currentFile(join(this.#root, path));
    if (now.kind === "unreadable") return { outcome: "failed", why: now.why };
    if (now.kind === "other") return keptFile(now.why);
    const current = now.kind === "file" ? now.tree : undefined;
    if (same(current, before)) {
      // Its content was written through another name of the file.
      return now.kind === "file" && this.#filled.has(now.ino) ? { outcome: "restored" } : undefined;
    }
    if (same(current, after)) return this.#restore(path, before, now);
    return this.#reconcile(path, { before, after }, now);
  }

  async #restore(path: string, before: TreeFile | undefined, now: CurrentFile): Promise<Outcome> {
    if (before) {
      const bytes = await this.#blobs.read(before.oid);
      await this.#place(path, bytes, before.mode, now);
      return { outcome: "restored" };
    }
    if (!this.#isApply && (await this.#wasThere(path, now)))
      return keptFile("it was there before, but it was ignored or has a name that is not stored");
    if (this.#isTrial) return { outcome: "deleted" };
    removeFile(this.#root, path, now);
    const folders = await this.#foldersBefore();
    removeEmptyFolders(this.#root, path, ({ name, sinceMs }) => {
      return folders.has(name) || (!this.#isApply && this.#isOlder(sinceMs) && !this.#hasLostFolder(folders));
    });
    return { outcome: "deleted" };
  }

  /**
   * A file without a checkpoint may be older than the turn: hidden by a `.gitignore`, even if the turn rewrote it, or
   * moved from an omitted name. Its content exists nowhere else.
   */
  async #wasThere(path: string, now: CurrentFile): Promise<boolean> {
    if (now.kind !== "file" || this.#moved.has(now.tree.oid)) return false;
    return this.#isOlder(now.sinceMs) || (await this.#ignored?.())?.has(path) === true;
  }

  #isOlder(sinceMs: number): boolean {
    return sinceMs < this.#beforeMs - CLOCKS_DIFFER_MS;
  }

  #askOnce(differences: readonly TreeDifference[]): () => Promise<Set<string>> {
    let answer: Promise<Set<string>> | undefined;
    const where = { git: this.#git, blobs: this.#blobs, root: this.#root, scratch: join(this.#scratch, "ignored") };
    return () => {
      const going = differences.flatMap(({ path, before }) => (before ? [] : [path]));
      answer ??= ignoredBefore(this.#before, going, where);
      return answer;
    };
  }

  /** The file was changed since: separable changes are reverted, all others stay. */
  async #reconcile(path: string, { before, after }: Pick<TreeDifference, "before" | "after">, now: CurrentFile) {
    const why = this.#isApply ? applyReasons : reasons;
    if (now.kind !== "file") return keptFile(why.deleted);
    if (!before) return keptFile(why.changed);
    if (!after) return keptFile(why.created);
    if ([before, after, now.tree].some(({ mode }) => mode === LINK)) return keptFile(why.link);
    const bytes = await this.#merged(before, after, now);
    if (!bytes) return keptFile(why.tangled);
    const mode = now.tree.mode === after.mode ? before.mode : now.tree.mode;
    if (bytes.equals(now.bytes) && mode === now.tree.mode) return undefined;
    await this.#place(path, bytes, mode, now);
    return { outcome: "merged" } as const;
  }

  /** Undefined if the changes overlap, or the file is not text. */
  async #merged(before: TreeFile, after: TreeFile, now: CurrentFile & { kind: "file" }): Promise<Buffer | undefined> {
    // Either side changed only the permission: the bytes need no merging.
    if (before.oid === after.oid) return now.bytes;
    if (now.tree.oid === after.oid) return this.#blobs.read(before.oid);
    if (now.tree.oid === before.oid) return now.bytes;
    const base = await this.#blobs.read(after.oid);
    const wanted = await this.#blobs.read(before.oid);
    if ([base, wanted, now.bytes].some((bytes) => bytes.includes(0))) return undefined;
    this.#merges += 1;
    const number = this.#merges;
    const names = { now: now.bytes, base, wanted };
    const paths = Object.entries(names).map(([name, bytes]) => {
      const file = join(this.#scratch, `${number}-${name}`);
      writeOwnFile(file, bytes, { mode: 0o600 });
      return file;
    });
    const { code, output } = await this.#git.tryRun(["merge-file", "-p", "-q", ...paths]);
    return code === 0 ? output : undefined;
  }

  async #place(path: string, bytes: Buffer, mode: string, now: CurrentFile): Promise<void> {
    if (this.#isTrial) return;
    this.#placed += 1;
    const temporary = `${this.#work.prefix}${this.#placed}`;
    const inPlace = await this.#keepsNames(now);
    if (inPlace && now.kind === "file") this.#filled.add(now.ino);
    placeFile(this.#root, path, { bytes, mode, now, durable: this.#durable, temporary, inPlace });
  }

  /**
   * True if the file itself must be written, so that its other names (hard links) get the content too. Not if the
   * change was a new link: content last written before the change belongs to its other names.
   */
  async #keepsNames(now: CurrentFile): Promise<boolean> {
    if (now.kind !== "file" || now.names < 2 || now.tree.mode === LINK) return false;
    if (!this.#isApply && this.#isOlder(now.writtenMs)) return false;
    return await this.#links.agree(now);
  }

  /**
   * True if a folder of the earlier state is missing. The change may have renamed it, so an old folder need not have
   * been empty before.
   */
  #hasLostFolder(folders: ReadonlySet<string>): boolean {
    this.#lostFolder ??= [...folders].some((name) => !existsSync(join(this.#root, name)));
    return this.#lostFolder;
  }

  /** Folders that were not empty before. */
  async #foldersBefore(): Promise<Set<string>> {
    if (!this.#folders) {
      const args = ["ls-tree", "-r", "-d", "-z", "--name-only", this.#before];
      this.#folders = new Set((await this.#git.run(args)).toString("utf8").split("\0"));
    }
    return this.#folders;
  }
}

function same(one: TreeFile | undefined, other: TreeFile | undefined): boolean {
  return one?.oid === other?.oid && one?.mode === other?.mode;
}

function whyFailed(error: unknown): string {
  if (error instanceof FileChangedError || error instanceof GitError) return error.message.replace(/\.$/, "");
  return systemReason(error);
}

function keptFile(why: string): { outcome: "kept"; why: string } {
  return { outcome: "kept", why };
}
