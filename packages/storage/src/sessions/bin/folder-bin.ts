import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { CleanUp, SessionBin, SessionPage, SessionQuery, StoreProblem } from "@harness/core";
import { diskProblem, type Lock, type LockOwner, makePrivateFolder, syncFolder, takeLock } from "@harness/host";
import type { SessionSummary } from "@harness/protocol";
import type { IndexedSessions } from "../index/session-index.ts";
import { pageOf } from "../index/session-page.ts";
import { type SessionFolder, sessionFolder } from "../session-folder.ts";
import type { SessionsFolder } from "../sessions-folder.ts";
import type { SessionsFolderSet } from "../sessions-folder-set.ts";
import { guarded, notFound, sessionLockedProblem, single } from "../store-problems.ts";
import type { StoredDigest } from "../stored-digest.ts";
import { BinClock } from "./bin-clock.ts";
import { type BinEntry, binEntries, newEntry } from "./bin-entry.ts";
import { moveFolder } from "./move-folder.ts";
import { releaseForks } from "./release-forks.ts";

const DAY_MS = 24 * 3600 * 1000;
const KEPT_DAYS = 30;
const SLICE_MS = 8;

type BinDeps = { folder: string; folders: SessionsFolderSet; now(): number; owner(): LockOwner };

type Removal = { root: SessionsFolder; folder: SessionFolder; lock: Lock };

/**
 * The bin is a folder beside the sessions' folder. Each entry is a folder that holds the session's folder and a record
 * of its origin.
 */
export class FolderBin implements SessionBin {
  readonly #deps: BinDeps;
  readonly #clock: BinClock;

  constructor(deps: BinDeps) {
    this.#deps = deps;
    this.#clock = new BinClock(deps.folder, deps.now);
  }

  /** True if the bin has a session with this id. */
  has(sessionId: string): boolean {
    return binEntries(this.#deps.folder).entries.some((entry) => entry.sessionId === sessionId);
  }

  async put(sessionId: string): Promise<{ deleted: true } | StoreProblem> {
    const removal = this.#beginRemoval(sessionId);
    if ("problem" in removal) return removal;
    const { root, folder, lock } = removal;
    try {
      return await this.#take(root, folder);
    } catch (error) {
      const problem = diskProblem(error, `move session ${sessionId} to the bin`, this.#deps.folder);
      return { kind: "failed", problem: `${problem} With \`now\` it is deleted for good, without the bin.` };
    } finally {
      lock.release();
    }
  }

  /** Deletes the session at once, bypassing the bin. */
  remove(sessionId: string): { removed: true } | StoreProblem {
    const removal = this.#beginRemoval(sessionId);
    if ("problem" in removal) return removal;
    const { root, folder, lock } = removal;
    return guarded(`delete session ${sessionId}`, folder.dir, () => {
      try {
        root.discard(folder);
      } catch (error) {
        lock.release();
        throw error;
      }
      return { removed: true };
    });
  }

  async restore(name: string): Promise<{ sessionId: string; folder: string } | StoreProblem> {
    const entry = await this.#find(name);
    if ("problem" in entry) return entry;
    const { sessionId, path, dir, from } = entry;
    const place = this.#deps.folders.all().find((root) => root.path === from);
    const folder = join(from, sessionId);
    try {
      if (place === this.#deps.folders.own) makePrivateFolder(from);
      if (!existsSync(from))
        return {
          kind: "failed",
          problem: `Session ${sessionId} was in ${from}, which is gone. Create that folder again, then restore the session.`,
        };
      if (lstatSync(folder, { throwIfNoEntry: false }))
        return { kind: "taken", problem: `Session ${sessionId} was not restored: ${folder} already exists.` };
      await moveFolder(dir, folder);
      rmSync(path, { recursive: true, force: true });
      return { sessionId, folder };
    } catch (error) {
      return { kind: "failed", problem: diskProblem(error, `restore session ${sessionId}`, folder) };
    }
  }

  async list(query: SessionQuery): Promise<SessionPage> {
    const { entries, indexed, problems } = await this.#indexed();
    const page = pageOf(indexed, query, ({ sessionId }) => entries.get(sessionId)?.deletedAt ?? "");
    const all = [...(page.problems ?? []), ...problems];
    const { problems: _problems, parents, ...rest } = page;
    const elapsedMs = this.#clock.elapsedMs(newestMs([...entries.values()]));
    const inBin = (session: SessionSummary): SessionSummary => {
      const entry = entries.get(session.sessionId);
      if (!entry) return session;
      const waited = Math.max(elapsedMs - entry.deletedMs, 0) / DAY_MS;
      return { ...session, deleted: { at: entry.deletedAt, daysLeft: Math.max(Math.ceil(KEPT_DAYS - waited), 0) } };
    };
    return {
      ...rest,
      sessions: page.sessions.map(inBin),
      ...(parents ? { parents: parents.map(inBin) } : {}),
      ...(all.length > 0 ? { problems: all } : {}),
    };
  }

  async discard(sessionId: string, cleanUp: CleanUp): Promise<{ removed: true } | StoreProblem> {
    const entry = binEntries(this.#deps.folder).entries.find((each) => each.sessionId === sessionId);
    if (!entry) return notFound(sessionId);
    try {
      await this.#remove(entry, cleanUp);
      return { removed: true };
    } catch (error) {
      return { kind: "failed", problem: diskProblem(error, `delete session ${sessionId}`, entry.path) };
    }
  }

  async empty(signal: AbortSignal, cleanUp: CleanUp): Promise<void> {
    const { folder } = this.#deps;
    if (!existsSync(folder) || !this.#clock.isDue()) return;
    const { entries } = binEntries(folder);
    const elapsedMs = this.#clock.look(newestMs(entries));
    for (const entry of entries) {
      if (signal.aborted) return;
      if (elapsedMs - entry.deletedMs >= KEPT_DAYS * DAY_MS) await this.#remove(entry, cleanUp);
    }
    // Finishes removals that were interrupted.
    for (const name of readdirSync(folder))
      if (name.startsWith(".trash-") && !signal.aborted) await rm(join(folder, name), { recursive: true, force: true });
  }

  /** Takes the session's lock, which the caller then holds, and gives its forks their own copies. */
  #beginRemoval(sessionId: string): Removal | StoreProblem {
    const { folders, owner } = this.#deps;
    // An earlier place may have only other files of the session, such as its worktrees.
    const root = folders.at(sessionId)?.root ?? folders.withFolder(sessionId);
    if (!root) return notFound(sessionId);
    const folder = root.folder(sessionId);
    return guarded(`delete session ${sessionId}`, folder.dir, () => {
      const lock = takeLock(folder.lock, owner());
      if (!("release" in lock)) return sessionLockedProblem(sessionId, folder, lock);
      try {
        releaseForks(root, folder, owner());
        return { root, folder, lock };
      } catch (error) {
        lock.release();
        throw error;
      }
    });
  }

  /** Throws file system errors; the session then stays where it was. */
  async #take(root: SessionsFolder, folder: SessionFolder): Promise<{ deleted: true }> {
    const { folder: bin, now } = this.#deps;
    const { sessionId, dir } = folder;
    this.#makeWhole(root, folder);
    makePrivateFolder(bin);
    const deletedMs = this.#clock.look(newestMs(binEntries(bin).entries));
    const deletedAt = new Date(now()).toISOString();
    const entry = newEntry(bin, { sessionId, from: root.path, deletedAt, deletedMs });
    try {
      await moveFolder(dir, entry.dir);
    } catch (error) {
      rmSync(entry.path, { recursive: true, force: true });
      throw error;
    }
    // It was moved with the session's folder.
    rmSync(sessionFolder(entry.dir).lock, { force: true });
    return { deleted: true };
  }

  /** A restored fork may outlive its parent, so it takes along what both share. */
  #makeWhole(root: SessionsFolder, folder: SessionFolder): void {
    const format = root.formatIn(folder);
    if (!format) return;
    const { parent } = format.read(folder, { checked: false }).header;
    if (parent && parent.seq > 0) format.makeWhole(folder);
  }

  /** Renames the folder first, then deletes it piece by piece. Throws file system errors. */
  async #remove({ sessionId, path, dir }: BinEntry, cleanUp: CleanUp): Promise<void> {
    const { folder } = this.#deps;
    const finish = cleanUp({ sessionId, folder: dir });
    const trash = join(folder, `.trash-${sessionId}-${randomBytes(4).toString("hex")}`);
    renameSync(path, trash);
    syncFolder(folder);
    await rm(trash, { recursive: true, force: true });
    await finish();
  }

  async #find(name: string): Promise<BinEntry | StoreProblem> {
    const { entries, indexed } = await this.#indexed();
    const all = [...entries.values()];
    const exact = entries.get(name);
    if (exact) return exact;
    const begun = name === "" ? [] : all.filter(({ sessionId }) => sessionId.startsWith(name));
    const title = name.trim().toLowerCase();
    const digests = [...indexed.readable, ...indexed.unreadable.flatMap(({ digest }) => digest ?? [])];
    const named = digests.filter((digest) => title !== "" && digest.title?.trim().toLowerCase() === title);
    const ids = begun.length > 0 ? begun : named;
    const one = single(name, ids.map(({ sessionId }) => sessionId).sort());
    if ("problem" in one && one.kind === "not_found")
      return { kind: "not_found", problem: `There is no session "${name}" in the bin.` };
    return "problem" in one ? one : (entries.get(one.sessionId) ?? notFound(name));
  }

  /** Everything in the bin with its list entries; for a session that was deleted twice, the later one. */
  async #indexed(): Promise<{ entries: Map<string, BinEntry>; indexed: IndexedSessions; problems: string[] }> {
    const found = binEntries(this.#deps.folder);
    const entries = new Map(found.entries.toReversed().map((entry) => [entry.sessionId, entry]));
    const indexed: IndexedSessions = { readable: [], stamps: new Map(), unreadable: [] };
    let sliceEnd = performance.now() + SLICE_MS;
    for (const { sessionId, dir } of entries.values()) {
      try {
        const digest = this.#digest(sessionId, dir);
        if (digest) indexed.readable.push(digest);
      } catch (error) {
        indexed.unreadable.push({ sessionId, problem: diskProblem(error, `read session ${sessionId}`, dir) });
      }
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    return { entries, indexed, problems: found.problems };
  }

  /** In the bin it does not matter whether a session was archived. */
  #digest(sessionId: string, dir: string): StoredDigest | undefined {
    const { jsonl, markdown } = this.#deps.folders.own;
    const folder = sessionFolder(dir);
    const dated = jsonl.digest(sessionId, folder, undefined) ?? markdown.digest(sessionId, folder, undefined);
    if (!dated) return undefined;
    const { archived: _archived, ...digest } = dated.digest;
    return { ...digest, sessionId };
  }
}

function newestMs(entries: readonly BinEntry[]): number {
  return Math.max(0, ...entries.map(({ deletedMs }) => deletedMs));
}
