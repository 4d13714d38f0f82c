import type { FactPage, LoadedSession, SessionHeader, SessionLog, StoreProblem } from "@harness/core";
import type { Lock } from "@harness/host";
import type { SessionParent } from "@harness/protocol";
import type { DatedDigest } from "./meta-file.ts";
import type { SessionFolder } from "./session-folder.ts";
import type { StoredDigest } from "./stored-digest.ts";

export type ForkHeader = SessionHeader & { parent: SessionParent };

/** A stored session and its list entry. */
export type SessionReading = LoadedSession & {
  digest: StoredDigest;
  /** True for a number that no log has: a notice takes the place of the fact. */
  isGap?(seq: number): boolean;
};

/**
 * How sessions are stored in their folders. The store handles what all formats share: names, locks, lists, removal.
 * Unless stated otherwise, methods throw file system errors.
 */
export interface SessionFormat {
  /** True if the folder has a session of this format, or if that cannot be determined. Never throws. */
  isIn(folder: SessionFolder): boolean;
  /** Why a session can only be read: others may have written it. Throws file system errors. */
  ownerProblem(root: string, folder: SessionFolder): string | undefined;
  /** Nothing is written before the first fact. `takeLock` throws a `LogWriteError`. */
  create(folder: SessionFolder, header: SessionHeader, takeLock: () => Lock): SessionLog;
  /** A session that begins with its parent's facts, which stay in place. Otherwise like `create`. */
  fork(folder: SessionFolder, header: ForkHeader, takeLock: () => Lock): SessionLog;
  /**
   * Gives a fork its own copy of everything it shares, because its parent is about to be deleted; the caller holds the
   * lock. A crash leaves the fork as it was, or complete.
   */
  makeWhole(folder: SessionFolder): void;
  /**
   * The same, while another process holds the lock: makes a copy beside the log, in one step; `makeWhole` is due when
   * the session is opened.
   */
  copyShared(folder: SessionFolder): void;
  /** True after `copyShared`. Never throws. */
  hasSharedCopy(folder: SessionFolder): boolean;
  /** Opens it to continue it; the caller holds the lock. `checked`: each fact is checked against its schema. */
  open(
    folder: SessionFolder,
    lock: Lock,
    options: { checked: boolean },
  ): { log: SessionLog; loaded: LoadedSession } | StoreProblem;
  /** The last facts, at a cost that does not grow with the session; undefined if only `read` can tell. */
  tail(folder: SessionFolder, limit: number): FactPage | undefined;
  read(folder: SessionFolder, options: { checked: boolean }): SessionReading;
  /** True if the user has changed its files since the last look. Never throws. */
  hasChanges(folder: SessionFolder): boolean;
  /** Changes whenever reading the session would give something else. */
  stamp(folder: SessionFolder): string;
  /**
   * Its list entry; `known`: the previous one, which is returned if nothing has changed. Undefined if there is none.
   */
  digest(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined;
}
