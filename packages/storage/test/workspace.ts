import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Checkpoints, RevertOptions } from "@harness/core";
import type { Clock } from "@harness/gate";
import type { RestoredFile } from "@harness/protocol";
import { walkedFiles } from "@harness/tools";
import { type CheckpointOptions, openCheckpoints } from "../src/checkpoints/open-checkpoints.ts";
import { treePath, treeSeenMs } from "../src/checkpoints/stored-tree.ts";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) =>
    void (await sleep(ms, undefined, { ...(signal ? { signal } : {}) }).catch(() => undefined)),
};

/** A folder with files and its checkpoints. For tests. */
export class Workspace {
  readonly base = mkdtempSync(join(tmpdir(), "checkpoints "));
  readonly root = join(this.base, "project");
  readonly store = join(this.base, "config", "checkpoints");
  readonly clock = clock;
  readonly files = walkedFiles;
  readonly checkpoints: Checkpoints;

  constructor(options: Partial<CheckpointOptions> = {}) {
    mkdirSync(this.root, { recursive: true });
    this.checkpoints = this.open(options);
  }

  /** Like another process with the same store. */
  open(options: Partial<CheckpointOptions> = {}): Checkpoints {
    return openCheckpoints({
      folder: this.store,
      roots: () => [this.root],
      leaveOut: [join(this.base, "config")],
      files: this.files,
      maxFileBytes: 100_000,
      clock,
      ...options,
    });
  }

  /**
   * Pretends that the state was seen this much later, so that everything created from now on is older than it by that.
   */
  seenLater(checkpointId: string, ms: number): void {
    const [, tree = ""] = checkpointId.split("-");
    for (const name of readdirSync(this.store).filter((each) => /^[0-9a-f]{64}$/.test(each))) {
      const then = (treeSeenMs(join(this.store, name), tree) ?? Date.now()) + ms;
      utimesSync(treePath(join(this.store, name), tree), then / 1000, then / 1000);
    }
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Buffer): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  has(name: string): boolean {
    return existsSync(this.path(name));
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true, force: true });
  }

  async take(): Promise<string> {
    const taken = await this.checkpoints.take();
    if ("problem" in taken) throw new Error(taken.problem);
    return taken.checkpointId;
  }

  async revert(before: string, after: string, options: RevertOptions = {}): Promise<RestoredFile[]> {
    const answer = await this.checkpoints.revert(before, after, options);
    if ("problem" in answer) throw new Error(answer.problem);
    return answer.files;
  }

  /** Every file with its bytes, mode and kind; folders end with a slash. Without `.git`. */
  snapshot(folder = this.root, below = ""): Record<string, string> {
    const all: Record<string, string> = {};
    for (const name of readdirSync(folder).sort()) {
      if (name === ".git") continue;
      const path = join(folder, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) Object.assign(all, { [`${below}${name}/`]: "" }, this.snapshot(path, `${below}${name}/`));
      else if (stat.isSymbolicLink()) all[below + name] = `-> ${readlinkSync(path)}`;
      else all[below + name] = `${(stat.mode & 0o777).toString(8)} ${readFileSync(path).toString("latin1")}`;
    }
    return all;
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"];
    return execFileSync("git", [...identity, ...args], { cwd: this.root, encoding: "utf8", stdio: "pipe" });
  }

  close(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Sets an attribute of a file that even root's writes obey. */
const attribute = (path: string, change: "+i" | "-i") => spawnSync("sh", ["-c", `chattr ${change} "$0"`, path]).status;

/** Makes the system refuse every change of a file, even to root; undefined if this machine cannot. */
export function refuseWrites(path: string): { allow(): void } | undefined {
  if (process.getuid?.() !== 0) {
    chmodSync(dirname(path), 0o555);
    return { allow: () => chmodSync(dirname(path), 0o755) };
  }
  if (attribute(path, "+i") !== 0) return undefined;
  return { allow: () => void attribute(path, "-i") };
}

/** True if this machine can refuse writes to a test. Root needs a file system that knows `chattr`. */
export function canRefuseWrites(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "refuse-"));
  writeFileSync(join(folder, "a"), "");
  const refused = refuseWrites(join(folder, "a"));
  refused?.allow();
  rmSync(folder, { recursive: true, force: true });
  return refused !== undefined;
}
