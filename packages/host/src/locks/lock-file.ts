import { closeSync, linkSync, lstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { putInPlace, removeIfThere } from "../files/atomic-write.ts";
import { errorCode } from "../files/error-code.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { hasEnded, readStat } from "../process/process-stat.ts";

/** The holder of a lock. `startTime` distinguishes a process from a later one with the same id; absent if unknown. */
export type LockOwner = { pid: number; startTime?: string; host: string; instanceId: string; at: string };

export type Lock = { release(): void };

/** A lock held by another owner; `owner` is undefined if its file could not be read (just being written). */
export type HeldLock = { owner: LockOwner | undefined };

const MAX_LOCK_BYTES = 4_096;
/** A lock file that cannot be read is being written by its owner, or its owner died then: after this long, the latter. */
const UNREADABLE_STALE_MS = 1_000;
const PAUSE_MS = 20;

export function thisProcess(instanceId: string, at: string): LockOwner {
  const startTime = startOf(process.pid);
  return { pid: process.pid, ...(startTime ? { startTime } : {}), host: hostname(), instanceId, at };
}

/**
 * Takes the lock at `path`, even from an owner that has exited. Time alone makes no lock stale, and an owner on another
 * host is never declared dead. Throws the file system's errors.
 */
export function takeLock(path: string, me: LockOwner): Lock | HeldLock {
  const content = JSON.stringify(me);
  const until = performance.now() + 2 * UNREADABLE_STALE_MS;
  // Three tries: the owner may release it, or another process may be faster. More if it may be in the process of being
  // written.
  for (let attempt = 0; attempt < 3 || (isUnreadable(path) && performance.now() < until); attempt += 1) {
    if (attempt >= 3) pause();
    if (createWhole(path, content, me)) return { release: () => release(path, me) };
    const found = readLock(path);
    if (found === "absent") continue;
    if (!isStale(path, found, me)) {
      if (found) return { owner: found };
      continue;
    }
    if (takeOver(path, found, content, me)) return { release: () => release(path, me) };
  }
  const last = readLock(path);
  return { owner: last === "absent" ? undefined : last };
}

/** True if a process that still runs holds the lock, or one on another host. Throws the file system's errors. */
export function isLocked(path: string): boolean {
  const found = readLock(path);
  return found !== "absent" && !isStale(path, found, thisProcess("", ""));
}

/** True if the lock, or the guard of its takeover, is a file that names no owner. */
function isUnreadable(path: string): boolean {
  return readLock(path) === undefined || readLock(guardOf(path)) === undefined;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function guardOf(path: string): string {
  return `${path}.takeover`;
}

/** Describes the holder, as part of a sentence. */
export function describeOwner(owner: LockOwner | undefined): string {
  if (!owner) return "another process";
  const where = owner.host === hostname() ? "" : ` on the computer "${owner.host}"`;
  return `process ${owner.pid}${where}, since ${localTime(owner.at)}`;
}

/** For example `2026-11-23 08:27`, by the clock of this computer. */
function localTime(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? at : date.toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

/**
 * Takes over the lock of a dead owner. A guard file ensures that only one of two takers wins, and that the loser does
 * not remove the winner's lock.
 */
function takeOver(path: string, stale: LockOwner | undefined, content: string, me: LockOwner): boolean {
  const guard = guardOf(path);
  if (!createWhole(guard, content, me)) {
    const taker = readLock(guard);
    if (taker === "absent" || !isStale(guard, taker, me)) return false;
    removeIfThere(guard);
    if (!createWhole(guard, content, me)) return false;
  }
  try {
    const now = readLock(path);
    if (now === "absent" || JSON.stringify(now) !== JSON.stringify(stale)) return false;
    const fresh = `${path}.${me.instanceId}`;
    putInPlace({ path, temporary: fresh, make: () => writeFileSync(fresh, content, { mode: 0o600 }) });
    return true;
  } finally {
    removeIfThere(guard);
  }
}

/** Creates the file with its whole content at once; returns false if it exists. */
function createWhole(path: string, content: string, me: LockOwner): boolean {
  const whole = `${path}.${me.instanceId}`;
  try {
    writeFileSync(whole, content, { mode: 0o600 });
    linkSync(whole, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!hasNoLinks(error)) throw error;
    return createExclusive(path, content);
  } finally {
    removeIfThere(whole);
  }
}

function hasNoLinks(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "EACCES"].includes(errorCode(error) ?? "");
}

/** For file systems without hard links: the file is empty for a moment. */
function createExclusive(path: string, content: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, "wx", 0o600);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeFileSync(fd, content);
  } finally {
    closeSync(fd);
  }
  return true;
}

function readLock(path: string): LockOwner | undefined | "absent" {
  let text: string;
  try {
    text = readRegularFile(path, { maxBytes: MAX_LOCK_BYTES, followLinks: false }).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "absent";
    if (errorCode(error) !== undefined && errorCode(error) !== "ELOOP") throw error;
    // Not a file, or far too large: no process that takes this lock has written it.
    return undefined;
  }
  try {
    const value = JSON.parse(text) as Partial<LockOwner> | null;
    const { pid, startTime, host, instanceId, at } = value ?? {};
    if (
      !Number.isSafeInteger(pid) ||
      pid === undefined ||
      pid < 1 ||
      typeof host !== "string" ||
      typeof instanceId !== "string"
    )
      return undefined;
    return { pid, ...(typeof startTime === "string" ? { startTime } : {}), host, instanceId, at: String(at) };
  } catch {
    return undefined;
  }
}

function isStale(path: string, owner: LockOwner | undefined, me: LockOwner): boolean {
  if (!owner) {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > UNREADABLE_STALE_MS;
  }
  return owner.host === me.host && isGone(owner);
}

function isGone({ pid, startTime }: LockOwner): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return errorCode(error) !== "EPERM";
  }
  const now = startOf(pid);
  return now === "dead" || (now !== undefined && startTime !== undefined && now !== startTime);
}

/**
 * When a process started, in the kernel's ticks and with its boot id; "dead" for one that has ended and only waits for
 * its parent to notice. Undefined if there is no /proc.
 */
function startOf(pid: number): string | "dead" | undefined {
  const stat = readStat(pid);
  if (!stat) return undefined;
  if (hasEnded(stat)) return "dead";
  try {
    return `${stat.start}@${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").slice(0, 8)}`;
  } catch {
    return undefined;
  }
}

function release(path: string, me: LockOwner): void {
  try {
    const owner = readLock(path);
    if (owner !== "absent" && owner?.instanceId === me.instanceId && owner.pid === me.pid) removeIfThere(path);
  } catch {
    // Unreadable now: it becomes stale with this process.
  }
}
