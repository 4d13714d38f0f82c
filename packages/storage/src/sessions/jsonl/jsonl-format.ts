import { lstatSync } from "node:fs";
import type { FactPage, FactPages, LoadedSession, SessionHeader, StoreProblem } from "@harness/core";
import { fileStamp, type Lock, makePrivateFolder, replaceOwnFile } from "@harness/host";
import type { Disk } from "../disk.ts";
import { type DatedDigest, readMeta } from "../meta-file.ts";
import type { OwnSessions } from "../own-sessions.ts";
import { agentFolders, type SessionFolder } from "../session-folder.ts";
import type { ForkHeader, SessionFormat } from "../session-format.ts";
import { ownerProblem } from "../session-owner.ts";
import { newStoredDigest } from "../stored-digest.ts";
import { jsonlDigest } from "./jsonl-digest.ts";
import { JsonlSessionLog } from "./jsonl-session-log.ts";
import { lastPage } from "./log-end.ts";
import { copyShared, makeWhole, writeForkLog } from "./make-whole.ts";
import { sharedFacts } from "./shared-facts.ts";
import { hasSharedCopy, parentFolder, textPaths } from "./shared-history.ts";
import { noFacts, StoredFacts } from "./stored-facts.ts";
import { LOG_VERSION, readStoredSession, type StoredSession } from "./stored-session.ts";

type JsonlDeps = { disk: Disk; own: OwnSessions; now(): number };

/**
 * Sessions as append-only logs: `log.jsonl` (facts, the truth), `meta.json` (derived), and `subagent/<agentId>/` with a log
 * of its own, recursively.
 */
export class JsonlFormat implements SessionFormat {
  readonly #deps: JsonlDeps;

  constructor(deps: JsonlDeps) {
    this.#deps = deps;
  }

  /** Also true if the log is lost or cannot be examined: opening it says why. */
  isIn({ log, meta }: SessionFolder): boolean {
    try {
      return lstatSync(log, { throwIfNoEntry: false }) !== undefined || (readMeta(meta)?.digest.turns ?? 0) > 0;
    } catch {
      return true;
    }
  }

  ownerProblem(root: string, folder: SessionFolder): string | undefined {
    return ownerProblem(root, folder);
  }

  create(folder: SessionFolder, wanted: SessionHeader, takeLock: () => Lock): JsonlSessionLog {
    return this.#create(folder, wanted, { takeLock, isBegunHere: true });
  }

  /** For a session read from files that anyone may have written. */
  createFor(folder: SessionFolder, wanted: SessionHeader, takeLock: () => Lock): JsonlSessionLog {
    return this.#create(folder, wanted, { takeLock, isBegunHere: false });
  }

  #create(
    folder: SessionFolder,
    wanted: SessionHeader,
    { takeLock, isBegunHere }: { takeLock: () => Lock; isBegunHere: boolean },
  ): JsonlSessionLog {
    const header = { ...wanted, version: LOG_VERSION };
    const { disk, own, now } = this.#deps;
    const lookAgain = () => this.#read(folder, true).places;
    const facts = new StoredFacts(noFacts(header.createdAt), lookAgain);
    const onDisk = { isNew: true, isBegunHere, facts, agents: [], lock: undefined, own, sharedBlobs: [] };
    return new JsonlSessionLog({ folder, header, digest: newStoredDigest(header), disk, now, takeLock, onDisk });
  }

  fork(folder: SessionFolder, wanted: ForkHeader, takeLock: () => Lock): JsonlSessionLog {
    const header = { ...wanted, version: LOG_VERSION };
    const { disk, own, now } = this.#deps;
    const { isBegunHere } = this.#read(parentFolder(folder.dir, header.parent), false);
    const { places, digest: shared, blobs } = sharedFacts(folder.dir, header.parent, { checked: !isBegunHere });
    const facts = new StoredFacts(places, () => this.#read(folder, true).places);
    const { sessionId, cwd, createdAt, parent } = header;
    const digest = { ...shared, sessionId, cwd, createdAt, updatedAt: createdAt, parent };
    const onDisk = { isNew: true, isBegunHere, facts, agents: [], lock: undefined, own, sharedBlobs: blobs };
    return new JsonlSessionLog({ folder, header, digest, disk, now, takeLock, onDisk });
  }

  /**
   * A fork with its own copy of everything it shares. `before`: called before the copy is made, for work that must
   * reach the disk first.
   */
  forkAsCopy(
    folder: SessionFolder,
    wanted: ForkHeader,
    { takeLock, before }: { takeLock: () => Lock; before: (shared: FactPages) => void },
  ): JsonlSessionLog {
    const parent = this.#read(parentFolder(folder.dir, wanted.parent), true);
    makePrivateFolder(folder.dir);
    const lock = takeLock();
    try {
      before(upTo(parent, wanted.parent.seq));
      writeForkLog(folder, { ...wanted, version: LOG_VERSION }, parent);
      const opened = this.open(folder, lock, { checked: true });
      if ("problem" in opened) throw new Error(opened.problem);
      return opened.log;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Returns the former folders of its saved texts. */
  makeWhole(folder: SessionFolder): string[] {
    return makeWhole(folder, this.#deps.own);
  }

  copyShared(folder: SessionFolder): void {
    copyShared(folder, this.#deps.own);
  }

  hasSharedCopy({ dir }: SessionFolder): boolean {
    return hasSharedCopy(dir);
  }

  open(
    folder: SessionFolder,
    lock: Lock,
    { checked }: { checked: boolean },
  ): { log: JsonlSessionLog; loaded: LoadedSession } | StoreProblem {
    const stored = this.#read(folder, checked);
    const { header, facts, agents, isBegunHere, digest } = stored;
    if (header.version > LOG_VERSION) return newerProblem(header);
    if (stored.damagedPieces.length > 0) keepDamaged(folder, stored.damagedPieces);
    const { disk, own, now } = this.#deps;
    const onDisk = {
      isNew: false,
      isBegunHere,
      facts,
      agents,
      lock,
      own,
      sharedBlobs: textPaths(stored.inheritedBlobs),
    };
    const log = new JsonlSessionLog({ folder, header, digest, disk, now, takeLock: () => lock, onDisk });
    log.repair();
    return { log, loaded: stored };
  }

  tail({ dir }: SessionFolder, limit: number): FactPage | undefined {
    return lastPage(dir, limit);
  }

  read(folder: SessionFolder, { checked }: { checked: boolean }): StoredSession {
    return this.#read(folder, checked);
  }

  /** Nobody edits a log. */
  hasChanges(): boolean {
    return false;
  }

  stamp({ dir }: SessionFolder): string {
    return agentFolders(dir)
      .map(({ log }) => `${log} ${fileStamp(log)}`)
      .join("\n");
  }

  digest(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined {
    return jsonlDigest(sessionId, folder, known);
  }

  #read({ dir }: SessionFolder, checked: boolean): StoredSession {
    return readStoredSession(dir, { own: this.#deps.own, checked });
  }
}

function upTo(pages: FactPages, seq: number): FactPages {
  return {
    read: (range = {}) => pages.read({ ...range, before: Math.min(range.before ?? Number.POSITIVE_INFINITY, seq + 1) }),
  };
}

function newerProblem({ sessionId, version }: SessionHeader): StoreProblem {
  return {
    kind: "newer",
    problem: `Session ${sessionId} was written by a newer version of harness (format ${version}, this one knows ${LOG_VERSION}). It can be read here; update harness to continue it.`,
  };
}

/**
 * A copy of the damaged bytes, for people who want to examine them. The log keeps them too, so a failure does not
 * matter.
 */
function keepDamaged(folder: SessionFolder, pieces: Buffer[]): void {
  const lf = Buffer.from("\n");
  try {
    replaceOwnFile(folder.damaged, Buffer.concat(pieces.flatMap((piece) => [piece, lf])));
  } catch {
    // The disk is full, or another file is in the way.
  }
}
