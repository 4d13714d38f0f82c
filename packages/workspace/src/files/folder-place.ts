import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { gitOutput, readRegularFile, realPathOrSame } from "@harness/host";
import type { FolderLocation } from "@harness/protocol";
import { gitEnv } from "./git-env.ts";
import { commonDir, findRepository, readHead } from "./git-state.ts";

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const MAX_REFS_BYTES = 4 * 1024 * 1024;

/** Identifies this folder. Starts no git; undefined: it does not exist. */
export async function folderPlace(cwd: string): Promise<FolderLocation | undefined> {
  const found = await stat(cwd, { bigint: true }).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  // The inode number alone is reused by the next folder once this one is removed.
  const id = `${found.dev} ${found.ino} ${found.birthtimeNs}`;
  const repository = await findRepository(cwd);
  const commit = repository && (await commitOf(repository.gitDir));
  if (!repository || commit === undefined) return { id };
  return { id, commit, below: relative(realPathOrSame(repository.root), realPathOrSame(cwd)) };
}

/** The given commits that the folder's repository contains. */
export async function commitsIn(cwd: string, commits: readonly string[]): Promise<ReadonlySet<string>> {
  const hashes = [...new Set(commits)].filter((each) => HASH.test(each));
  if (hashes.length === 0 || !(await findRepository(cwd))) return new Set();
  const output = await gitOutput({
    ...{ command: "git", args: ["cat-file", "--batch-check=%(objectname) %(objecttype)"], cwd, env: gitEnv(cwd) },
    ...{ input: `${hashes.join("\n")}\n`, timeoutMs: 2_000, maxOutputBytes: 1 << 20 },
  });
  const lines = (output ?? "").split("\n").filter((line) => line.endsWith(" commit"));
  return new Set(lines.map((line) => line.split(" ")[0] ?? ""));
}

async function commitOf(gitDir: string): Promise<string | undefined> {
  const head = await readHead(gitDir);
  if (HASH.test(head)) return head;
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined || ref.split("/").includes("..")) return undefined;
  const shared = await commonDir(gitDir);
  const loose = textOf(join(shared, ref)).trim();
  if (HASH.test(loose)) return loose;
  const packed = textOf(join(shared, "packed-refs"));
  const line = packed.split("\n").find((each) => each.endsWith(` ${ref}`));
  const hash = line?.split(" ")[0] ?? "";
  return HASH.test(hash) ? hash : undefined;
}

function textOf(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: MAX_REFS_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return "";
  }
}
