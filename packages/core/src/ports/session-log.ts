import type { Fact, FolderLocation, SessionDigest, SessionParent, StoredFact } from "@harness/protocol";
import type { FactPages } from "./fact-pages.ts";

export type SessionHeader = {
  sessionId: string;
  cwd: string;
  createdAt: string;
  version: number;
  /** The client that created it; absent if an older version wrote it. */
  client?: string;
  /** How to find the folder again if it was moved. */
  place?: FolderLocation;
  /** The session that it was forked from: the facts up to `seq` are in its logs. */
  parent?: SessionParent;
};

export type LoadedSession = FactPages & {
  header: SessionHeader;
  /** Text for people about lines that could not be read; all others are in the pages. */
  damage?: string;
  /** The folders of its saved texts: its own, and those of the sessions that it was forked from. */
  savedTexts?: readonly string[];
  /** Opening it stored the user's edits of its files: the facts after this `seq`, which no client has heard of. */
  editsAfter?: number;
};

/** The session's folder, and the file with its facts. */
export type LogLocation = { folder: string; log: string };

/** A fact that was not caused by the session itself. */
export type OutsideChange = { agentId: string; update: Fact };

/** The append-only log of one session with all its agents. It has one writer. */
export interface SessionLog extends FactPages {
  readonly header: SessionHeader;
  /** False if the log may come from elsewhere, so that answers recorded in it are not taken as the user's. */
  readonly isBegunHere: boolean;
  /**
   * Numbers the fact, writes it to the agent's own log and returns it; it is on disk then. Throws `LogWriteError` if it
   * could not be written: then nothing was stored, `seq` was not used, and nothing may be announced.
   */
  append(entry: { agentId: string; turnId?: string; at: string; update: Fact }): StoredFact;
  /** Creates the log of a child below its parent's. Must be called before its first fact. */
  addAgent(agentId: string, parentAgentId: string): void;
  /**
   * Changes that a user has made in the session's files since the last time, as facts to append one after another before
   * anything else. Empty for a log that is not edited.
   */
  outsideChanges(): readonly OutsideChange[];
  /** The number of the file with the message that a fact has; absent: messages have no files. */
  messageNumber?(seq: number): string | undefined;
  /** The session's entry in lists; the log updates it with every fact. */
  readonly digest: Readonly<SessionDigest>;
  /** Its place on disk, for programs of the user; undefined: it is only in memory. */
  readonly location: LogLocation | undefined;
  /** The folders of its saved texts; a fork has those of its parents, too. Empty: there are none yet. */
  readonly savedTexts: readonly string[];
  /**
   * True if this is one of the session's own saved texts: a file in its `blobs/`, by its name, and not a link. Any
   * other path named in a log could be any file.
   */
  isOwnText(path: string): boolean;
  /** Creates a private file in the session's `blobs/`; returns its absolute path. */
  newBlob(suffix: string): string;
  /** The same with this text in it; `durable`: it survives a crash of the machine. Throws `LogWriteError`. */
  saveText(text: string, how?: { durable: boolean }): string;
  /**
   * Writes the derived `meta.json` and releases the lock. The facts of an import come to the disk only now: throws
   * `LogWriteError` if that fails, and is closed all the same.
   */
  close(): void;
}

export class LogWriteError extends Error {
  override readonly name = "LogWriteError";
}
