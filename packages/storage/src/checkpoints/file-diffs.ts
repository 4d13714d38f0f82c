import type { DiffPage, FileDiffs } from "@harness/core";
import { lineDiff } from "@harness/host";
import type { FileDiff } from "@harness/protocol";
import type { CheckpointFolder } from "./checkpoint-folder.ts";
import { lacksStoredSide, type TreeDifference } from "./tree-diff.ts";

/** Per file. */
const MAX_LINES = 1_000;
/** A page ends with the file that exceeds this. */
const MAX_PAGE_CHARS = 250_000;
/** Longer files are not compared line by line. */
const MAX_FILE_BYTES = 2_000_000;
/** Files that changed several times are counted exactly up to this number. */
const MAX_RECOUNTED = 200;

/** A changed file of one folder; `shown`: its path for people. */
type FileChangeOf = TreeDifference & { folder: CheckpointFolder; shown: string; isJoined?: true };

/** Joins the differences of several periods: each file from its first state to its last. */
export class FileDiffList {
  readonly #files = new Map<string, FileChangeOf>();

  /** Adds the differences between two states of a folder; with `paths`, only for those files. */
  collect(paths: readonly string[] | undefined) {
    return async (folder: CheckpointFolder, before: string, after: string, shown: (path: string) => string) => {
      for (const difference of await folder.compare(before, after)) {
        const path = shown(difference.path);
        if (!paths || paths.includes(path)) this.#add(folder, path, difference);
      }
    };
  }

  #add(folder: CheckpointFolder, shown: string, difference: TreeDifference): void {
    const before = this.#files.get(shown);
    if (!before) this.#files.set(shown, { ...difference, folder, shown });
    else {
      const { after, added, removed } = difference;
      const sums = { added: before.added + added, removed: before.removed + removed };
      this.#files.set(shown, { ...before, after, ...sums, isJoined: true });
    }
  }

  /** Throws `GitError` and file system errors. */
  async page({ offset, limit }: DiffPage): Promise<FileDiffs> {
    const all = [...this.#files.values()].filter(isChange).sort((a, b) => (a.shown < b.shown ? -1 : 1));
    const wanted = new Set([...all.slice(offset, offset + limit), ...all.filter(isJoined).slice(0, MAX_RECOUNTED)]);
    const diffs = new Map<FileChangeOf, FileDiff>();
    for (const folder of new Set([...wanted].map((file) => file.folder))) {
      const files = [...wanted].filter((file) => file.folder === folder);
      const contents = await folder.contents(files.flatMap(({ before, after }) => [before, after]));
      for (const [i, file] of files.entries()) {
        diffs.set(file, await diffOf(file, contents[2 * i], contents[2 * i + 1]));
      }
    }
    const page = fitting(all.slice(offset, offset + limit).flatMap((file) => diffs.get(file) ?? []));
    const end = offset + page.length;
    const sum = (key: "added" | "removed") => all.reduce((total, file) => total + (diffs.get(file) ?? file)[key], 0);
    return {
      files: page,
      ...(end < all.length ? { nextOffset: end } : {}),
      changedFiles: all.length,
      added: sum("added"),
      removed: sum("removed"),
    };
  }
}

function isChange({ before, after }: FileChangeOf): boolean {
  return before?.oid !== after?.oid || before?.mode !== after?.mode;
}

function isJoined(file: FileChangeOf): boolean {
  return file.isJoined === true;
}

async function diffOf(file: FileChangeOf, before: Buffer | undefined, after: Buffer | undefined): Promise<FileDiff> {
  const { shown: path, added, removed } = file;
  const change = !file.before ? "create" : file.after ? "modify" : "delete";
  const without = (note: string): FileDiff => ({ path, change, added, removed, hunks: "", note });
  if (lacksStoredSide(file)) return without("it was not stored");
  if (before?.includes(0) || after?.includes(0)) return without("it is not text");
  if ((before?.length ?? 0) + (after?.length ?? 0) > MAX_FILE_BYTES) return without("it is too long to compare");
  if (before && after && before.equals(after)) {
    return without(`its mode changed from ${file.before?.mode} to ${file.after?.mode}`);
  }
  const { type: _type, ...diff } = await lineDiff(path, before?.toString(), after?.toString(), { maxLines: MAX_LINES });
  return diff;
}

/** At least one, and no more than fit on a page. */
function fitting(diffs: readonly FileDiff[]): FileDiff[] {
  let chars = 0;
  const end = diffs.findIndex(({ hunks }) => {
    chars += hunks.length;
    return chars > MAX_PAGE_CHARS;
  });
  return diffs.slice(0, end < 0 ? diffs.length : Math.max(1, end));
}
