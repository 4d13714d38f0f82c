import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import type { StoredRoot } from "../store-folder.ts";
import type { StoreGit } from "../store-git.ts";

/** The contents of files by their absolute paths, as an editor has them and the disk does not. */
export type UnsavedContents = ReadonlyMap<string, Uint8Array>;

/** The state `tree` of a folder with these contents of files that are stored in it. */
export async function unsavedTree(
  git: StoreGit,
  { place, root, tree }: StoredRoot & { tree: string },
  { unsaved, signal }: { unsaved: UnsavedContents; signal: AbortSignal | undefined },
): Promise<string> {
  const records: string[] = [];
  for (const [path, bytes] of unsaved) {
    const name = relative(root, path);
    const listed = await git.run(["ls-tree", "-z", "--full-tree", tree, "--", `:(top,literal)${name}`], { signal });
    // Ignored and secret files are not in it, and large ones have another mode.
    const mode = /^(100644|100755) blob /.exec(listed.toString("latin1"))?.[1];
    if (mode === undefined || name.startsWith("..")) continue;
    const oid = (await git.run(["hash-object", "-w", "--stdin"], { input: Buffer.from(bytes), signal })).toString();
    records.push(`${mode} ${oid.trim()}\t${name}\0`);
  }
  if (records.length === 0) return tree;
  // The store's own index stays as the disk is.
  const index = join(place.gitDir, "index-unsaved");
  try {
    await git.run(["read-tree", tree], { signal, index });
    await git.run(["update-index", "-z", "--index-info"], { input: records.join(""), signal, index });
    return (await git.run(["write-tree"], { signal, index })).toString("latin1").trim();
  } finally {
    rmSync(index, { force: true });
  }
}
