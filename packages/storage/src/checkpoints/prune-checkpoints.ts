import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { takeLock, thisProcess, writeOwnFile } from "@harness/host";
import { type GitProgram, StoreGit } from "./store-git.ts";

const DAY_MS = 24 * 3600 * 1000;
/** States that were not used for this long are removed. */
export const RETENTION_DAYS = 14;
/** The most states to keep per folder, and the maximum size of a store. */
const MAX_STATES = 2_000;
const MAX_KIB = 2 * 1024 * 1024;
/** From this many loose objects or packs on, they are repacked. */
const MANY_OBJECTS = 3_000;
const MANY_PACKS = 30;
/** Late enough not to slow down the work that the checkpoint was taken for. */
const SOON_MS = 60_000;
const PATIENCE_MS = 300_000;

/** Returns a function that removes old states in the background, after a minute and at most once a day. */
export function createPruning(folder: string, report: (error: unknown, where: string) => void) {
  let isPlanned = false;
  return (git: GitProgram): void => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      pruneCheckpoints(folder, git, Date.now()).catch((error: unknown) => report(error, "checkpoints.tidy"));
    }, SOON_MS).unref();
  };
}

/** Removes old states of all folders. Does nothing within a day of the last run. */
export async function pruneCheckpoints(folder: string, git: GitProgram, now: number): Promise<void> {
  const stamp = join(folder, "tidied");
  const last = statSync(stamp, { throwIfNoEntry: false });
  if (last && now - last.mtimeMs < DAY_MS) return;
  writeOwnFile(stamp, "", { mode: 0o600 });
  for (const name of readdirSync(folder)) {
    const gitDir = join(folder, name);
    if (/^[0-9a-f]{64}$/.test(name)) await pruneStore(gitDir, git, now);
  }
}

async function pruneStore(gitDir: string, git: GitProgram, now: number): Promise<void> {
  const states = join(gitDir, "refs", "kept");
  const oldest = now - RETENTION_DAYS * DAY_MS;
  const newestFirst = existsSync(states) ? byTime(states) : [];
  const lastUsed = newestFirst[0]?.atMs ?? statSync(gitDir).mtimeMs;
  if (lastUsed < oldest) return removeStore(gitDir);
  const store = new StoreGit({ gitDir, workTree: gitDir }, git);
  const { kib, objects, packs } = await fillOf(store);
  const most = kib > MAX_KIB ? Math.ceil(newestFirst.length / 2) : MAX_STATES;
  const old = newestFirst.filter(({ atMs }, index) => index > 0 && (atMs < oldest || index >= most));
  for (const { name } of old) rmSync(join(states, name), { force: true });
  if (old.length === 0 && objects < MANY_OBJECTS && packs < MANY_PACKS) return;
  // Objects written within the last hours may belong to a checkpoint in progress.
  const gentle = ["-c", "pack.window=3", "-c", "pack.threads=1"];
  await store.run([...gentle, "gc", "--quiet", "--prune=2.hours.ago"], { signal: AbortSignal.timeout(PATIENCE_MS) });
}

function byTime(folder: string): { name: string; atMs: number }[] {
  return readdirSync(folder)
    .map((name) => ({ name, atMs: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.atMs - a.atMs);
}

/** See git-count-objects(1): loose objects, packs, and their total size in KiB. */
async function fillOf(store: StoreGit): Promise<{ kib: number; objects: number; packs: number }> {
  const output = (await store.run(["count-objects", "-v"])).toString("latin1");
  const number = (key: string) => Number(new RegExp(`^${key}: (\\d+)$`, "m").exec(output)?.[1] ?? 0);
  return { kib: number("size") + number("size-pack"), objects: number("count"), packs: number("packs") };
}

/** The store of a folder that was not used for long. */
async function removeStore(gitDir: string): Promise<void> {
  const path = join(dirname(gitDir), `${basename(gitDir)}.lock`);
  const lock = takeLock(path, thisProcess(`tidy-${process.pid}`, new Date().toISOString()));
  if (!("release" in lock)) return;
  try {
    await rm(gitDir, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
