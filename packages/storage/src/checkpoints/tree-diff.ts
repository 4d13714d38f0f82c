import type { Changes } from "@harness/core";
import type { FileChange } from "@harness/protocol";
import type { StoreGit } from "./store-git.ts";

/** A file in a tree: `mode` as git writes it (`100644`, `100755`, `120000`), `oid` of its bytes. */
export type TreeFile = { mode: string; oid: string };
/** A path in two trees; undefined: it does not exist there. `added` and `removed` count lines. */
export type TreeDifference = {
  path: string;
  before: TreeFile | undefined;
  after: TreeFile | undefined;
  added: number;
  removed: number;
  /** Without it, its lines are counted. */
  binary?: true;
};

export const LINK = "120000";
/** Marks a file whose bytes are not stored: git's mode for a nested repository, which it never looks into. */
export const NOT_STORED = "160000";

const MAX_LISTED = 500;
const NOTHING = "0000000000000000000000000000000000000000";

/** Lists the differences of two trees in path order. Throws `GitError`. */
export async function diffTrees(git: StoreGit, before: string, after: string): Promise<TreeDifference[]> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--raw", "--numstat"];
  const words = (await git.run([...args, before, after])).toString("utf8").split("\0");
  const found = new Map<string, TreeDifference>();
  // Raw records have two fields, `:mode mode oid oid status` and the path; counts have one, `added TAB removed TAB
  // path`.
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word.startsWith(":")) {
      const [oldMode = "", newMode = "", oldOid = "", newOid = ""] = word.slice(1).split(" ");
      at += 1;
      const path = words[at] ?? "";
      found.set(path, { path, before: fileOf(oldMode, oldOid), after: fileOf(newMode, newOid), added: 0, removed: 0 });
      continue;
    }
    const counts = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(word);
    const difference = found.get(counts?.[3] ?? "");
    if (!counts || !difference || lacksStoredSide(difference)) continue;
    difference.added = Number(counts[1]) || 0;
    difference.removed = Number(counts[2]) || 0;
    if (counts[1] === "-") difference.binary = true;
  }
  return [...found.values()];
}

function fileOf(mode: string, oid: string): TreeFile | undefined {
  return oid === NOTHING ? undefined : { mode, oid };
}

/** True if one side of it is not stored. */
export function lacksStoredSide({ before, after }: TreeDifference): boolean {
  return before?.mode === NOT_STORED || after?.mode === NOT_STORED;
}

/** The differences in the form that is shown to people. */
export function changesOf(differences: readonly TreeDifference[]): Changes {
  const files = differences.slice(0, MAX_LISTED).map(
    ({ path, before, after, added, removed, binary }): FileChange => ({
      path,
      change: !before ? "create" : after ? "modify" : "delete",
      added,
      removed,
      ...(binary && { binary }),
    }),
  );
  const sum = (key: "added" | "removed") => differences.reduce((total, each) => total + each[key], 0);
  return { files, moreFiles: differences.length - files.length, added: sum("added"), removed: sum("removed") };
}
