import type { Fact, FolderLocation, SessionDigest, StoredFact } from "@harness/protocol";
import type { FactPages } from "./fact-pages.ts";

export type SessionHeader = {
  sessionId: string;
  cwd: string;
  createdAt: string;
  version: number;
  /** The client that began it; absent: an older version wrote it. */
  client?: string;
  /** How the folder is found again where it has been moved. */
  place?: FolderLocation;
};

/** A stored session as it is read. */
export type LoadedSession = FactPages & {
  header: SessionHeader;
  /** Text for people about lines that could not be read; all others are in the pages. */
  damage?: string;
};

/** The append-only log of one session with all its agents. One writer holds it. */
export interface SessionLog extends FactPages {
  readonly header: SessionHeader;
  /** False: the log may come from elsewhere, so answers recorded in it are not taken as the person's. */
  readonly isBegunHere: boolean;
  /**
   * Numbers the fact, writes it to the agent's own log and returns it; it is on disk then. Throws `LogWriteError` when
   * it could not be written: nothing was stored, `seq` was not used, and nothing may be announced.
   */
  append(entry: { agentId: string; turnId?: string; at: string; update: Fact }): StoredFact;
  /** Creates the log of a child below its parent's. Must come before its first fact. */
  addAgent(agentId: string, parentAgentId: string): void;
  /** The session's entry in lists; the log updates it with every fact. */
  readonly digest: Readonly<SessionDigest>;
  /** The folder of these files; undefined: there is none yet. */
  readonly savedTexts: string | undefined;
  /**
   * Is this one of the session's own saved texts: a file in its `blobs/`, by its name, and not a link? Any other path
   * named in a log may be anybody's file.
   */
  isOwnText(path: string): boolean;
  /** A new private file in the session's `blobs/`; returns its absolute path. */
  newBlob(suffix: string): string;
  /** The same with this text in it; `durable`: it is still there after a crash of the machine. Throws `LogWriteError`. */
  saveText(text: string, how?: { durable: boolean }): string;
  /** Writes the derived `meta.json` and releases the lock. */
  close(): void;
}

export class LogWriteError extends Error {
  override readonly name = "LogWriteError";
}
