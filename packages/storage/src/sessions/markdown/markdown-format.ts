import { createHash } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import {
  type FactPage,
  type FactPages,
  factsOf,
  type LoadedSession,
  type SessionHeader,
  type SessionLog,
  type StoreProblem,
} from "@harness/core";
import { fileStamp, isLocked, type Lock, sweepDrafts } from "@harness/host";
import { digestView, ROOT_AGENT } from "@harness/protocol";
import type { JsonlFormat } from "../jsonl/jsonl-format.ts";
import { LOG_VERSION } from "../jsonl/stored-session.ts";
import type { DatedDigest } from "../meta-file.ts";
import { type SessionFolder, sidecarFolder } from "../session-folder.ts";
import type { ForkHeader, SessionFormat, SessionReading } from "../session-format.ts";
import { dateOfId } from "../session-id.ts";
import { ownerProblem } from "../session-owner.ts";
import { newStoredDigest, type StoredDigest } from "../stored-digest.ts";
import { compareFiles, isUpToDate } from "./compare-files.ts";
import { confEdits, editableConf } from "./conf/conf-edits.ts";
import { confOf, confPath } from "./conf/session-conf.ts";
import { asStored, confFacts, editedConfFacts, withTail } from "./facts-from-files.ts";
import { FileTable } from "./file-table.ts";
import { MarkdownSessionLog } from "./markdown-session-log.ts";
import { MessageFolder } from "./message-folder.ts";
import { type OutsideFact, outsideFacts } from "./outside-changes.ts";
import { TalkHistory } from "./talk-history.ts";

/**
 * Sessions that people and other programs read and edit: `session.conf`, and a file in `messages/` for each message of the main
 * agent. `.harness/` beside them has all facts as a log, and may be deleted.
 */
export class MarkdownFormat implements SessionFormat {
  readonly #jsonl: JsonlFormat;
  readonly #now: () => number;
  readonly #isOurs: boolean;

  /** `isOurs`: agents cannot write in the folders of its sessions. */
  constructor({ jsonl, now, isOurs }: { jsonl: JsonlFormat; now(): number; isOurs: boolean }) {
    this.#jsonl = jsonl;
    this.#now = now;
    this.#isOurs = isOurs;
  }

  isIn(folder: SessionFolder): boolean {
    try {
      return [confPath(folder.dir), join(folder.dir, "messages"), sidecarFolder(folder).dir].some(
        (path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined,
      );
    } catch {
      return true;
    }
  }

  ownerProblem(root: string, folder: SessionFolder): string | undefined {
    return ownerProblem(root, sidecarFolder(folder), [
      folder.dir,
      join(folder.dir, "messages"),
      join(folder.dir, "images"),
    ]);
  }

  create(folder: SessionFolder, header: SessionHeader, takeLock: () => Lock): SessionLog {
    const facts = this.#isOurs
      ? this.#jsonl.create(sidecarFolder(folder), header, takeLock)
      : this.#jsonl.createFor(sidecarFolder(folder), header, takeLock);
    return new MarkdownSessionLog({ folder, facts, isNew: true, isOurs: this.#isOurs });
  }

  fork(folder: SessionFolder, header: ForkHeader, takeLock: () => Lock): SessionLog {
    const sidecar = sidecarFolder(folder);
    // Where agents can write, a log could name any session as its parent: none is read with it.
    const facts = this.#isOurs
      ? this.#jsonl.fork(sidecar, header, takeLock)
      : this.#jsonl.forkAsCopy(sidecar, header, { takeLock, before: (shared) => expectFiles(sidecar, shared) });
    return new MarkdownSessionLog({ folder, facts, isNew: true, isOurs: this.#isOurs });
  }

  makeWhole(folder: SessionFolder): void {
    const sidecar = sidecarFolder(folder);
    const from = this.#jsonl.makeWhole(sidecar);
    // A message that differs from its fact counts as edited.
    if (from.length > 0) new MessageFolder(folder.dir).replaceText(from, sidecar.blobs);
  }

  copyShared(folder: SessionFolder): void {
    this.#jsonl.copyShared(sidecarFolder(folder));
  }

  hasSharedCopy(folder: SessionFolder): boolean {
    return this.#jsonl.hasSharedCopy(sidecarFolder(folder));
  }

  open(
    folder: SessionFolder,
    lock: Lock,
    { checked }: { checked: boolean },
  ): { log: SessionLog; loaded: LoadedSession } | StoreProblem {
    const sidecar = sidecarFolder(folder);
    sweepDrafts(sidecar.dir);
    const opened = existsSync(sidecar.log)
      ? this.#jsonl.open(sidecar, lock, { checked })
      : { log: this.#jsonl.createFor(sidecar, headerOf(folder), () => lock), loaded: undefined };
    if ("problem" in opened) return opened;
    const isBegun = opened.loaded !== undefined;
    const log = new MarkdownSessionLog({ folder, facts: opened.log, isNew: false, isOurs: this.#isOurs });
    log.repair();
    const at = new Date(this.#now()).toISOString();
    const begun = isBegun ? [] : confFacts(confOf(folder.dir));
    for (const update of begun) log.append({ agentId: ROOT_AGENT, at, update });
    const edits = log.outsideFacts().filter((change) => isBegun || !isCount(change));
    const stored = edits.map(({ agentId, at: own, update }) => log.append({ agentId, at: own || at, update }));
    const { header, damage } = opened.loaded ?? { header: log.header };
    const [first] = isBegun ? stored : [];
    const told = { ...(damage === undefined ? {} : { damage }), ...(first && { editsAfter: first.seq - 1 }) };
    return { log, loaded: { header, ...told, read: (range) => log.read(range) } };
  }

  /** Undefined also if a person may have edited its files. */
  tail(folder: SessionFolder, limit: number): FactPage | undefined {
    const sidecar = sidecarFolder(folder);
    const table = new FileTable(sidecar.dir);
    const edits = confEdits(confOf(folder.dir), { last: table.conf, now: editableConf({}) });
    const hasEdits = Object.keys(edits).length > 0 || !isAsSeen(folder, table);
    return hasEdits ? undefined : this.#jsonl.tail(sidecar, limit);
  }

  read(folder: SessionFolder, { checked }: { checked: boolean }): SessionReading {
    const sidecar = sidecarFolder(folder);
    if (!existsSync(sidecar.log)) return readFiles(folder);
    const stored = this.#jsonl.read(sidecar, { checked });
    // Its writer is about to bring the two together.
    return isLocked(folder.lock) ? stored : (this.#withEdits(folder, stored) ?? stored);
  }

  /** Undefined: nothing was edited since the session was last open. */
  #withEdits(folder: SessionFolder, stored: ReturnType<JsonlFormat["read"]>): SessionReading | undefined {
    const { facts: messages } = changesIn(folder, stored);
    const changes = [...messages, ...this.#confChanges(folder, stored.digest)];
    if (changes.length === 0) return undefined;
    const { header, damage, facts, digest, savedTexts = [] } = stored;
    const last = { seq: facts.seq, at: digest.updatedAt };
    const tail = asStored(changes, last);
    const now = structuredClone(digest);
    const view = digestView(now);
    for (const fact of tail) view.see(fact);
    const pages = withTail(facts, tail);
    return { header, ...(damage === undefined ? {} : { damage }), digest: now, savedTexts, ...pages };
  }

  hasChanges(folder: SessionFolder): boolean {
    const { log } = sidecarFolder(folder);
    if (!existsSync(log)) return true;
    try {
      const stored = this.#jsonl.read(sidecarFolder(folder), { checked: false });
      return changesIn(folder, stored).facts.length + this.#confChanges(folder, stored.digest).length > 0;
    } catch {
      // Reading the session says why.
      return false;
    }
  }

  #confChanges(folder: SessionFolder, digest: StoredDigest): OutsideFact[] {
    const { conf: last } = new FileTable(sidecarFolder(folder).dir);
    const edits = confEdits(confOf(folder.dir), { last, now: editableConf(digest) });
    const facts = editedConfFacts(edits, { path: confPath(folder.dir), isOurs: this.#isOurs });
    return facts.map((update) => ({ agentId: ROOT_AGENT, at: "", update }));
  }

  stamp(folder: SessionFolder): string {
    const files = new MessageFolder(folder.dir).stamps();
    const others = [confPath(folder.dir), folder.lock].map(fileStamp);
    return [this.#jsonl.stamp(sidecarFolder(folder)), ...others, ...files].join("\n");
  }

  digest(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined {
    const sidecar = sidecarFolder(folder);
    if (!existsSync(sidecar.log)) return digestOfFiles(folder, known);
    const before = known && beforeEdits(known);
    const stored = this.#jsonl.digest(sessionId, sidecar, before);
    // Its writer is about to bring the two together.
    const files = isLocked(folder.lock) ? undefined : stateOf(folder);
    if (stored === before && files === known?.files) return known;
    if (!stored || files === undefined) return stored;
    const digest = this.#edited(folder, stored.digest);
    return { ...stored, files, ...(digest && { digest, ofLog: stored.digest }) };
  }

  /** The digest with edits that the log does not have; undefined: there are none. */
  #edited(folder: SessionFolder, digest: StoredDigest): StoredDigest | undefined {
    try {
      const table = new FileTable(sidecarFolder(folder).dir);
      if (isAsSeen(folder, table) && this.#confChanges(folder, digest).length === 0) return undefined;
      return this.#withEdits(folder, this.#jsonl.read(sidecarFolder(folder), { checked: false }))?.digest;
    } catch {
      // Reading the session says why.
      return undefined;
    }
  }
}

/** True if nothing says that a person has edited a message or a picture. Throws what the file system throws. */
function isAsSeen({ dir }: SessionFolder, table: FileTable): boolean {
  const messages = new MessageFolder(dir);
  return table.isOf(messages.list()) && table.hasPictures(messages.pictures.stamps());
}

function beforeEdits({ sizeBytes, modifiedMs, readBytes, digest, ofLog = digest }: DatedDigest): DatedDigest {
  return { sizeBytes, modifiedMs, readBytes, digest: ofLog };
}

/** Without its log, as old as the last file that was added or removed. */
function digestOfFiles(folder: SessionFolder, known: DatedDigest | undefined): DatedDigest | undefined {
  const stats = lstatSync(join(folder.dir, "messages"), { throwIfNoEntry: false });
  if (!stats) return undefined;
  const files = stateOf(folder);
  if (known?.files === files && known.readBytes === 0) return known;
  return { sizeBytes: stats.size, modifiedMs: stats.mtimeMs, readBytes: 0, files, digest: readFiles(folder).digest };
}

/** Changes with `session.conf` and each message file. */
function stateOf(folder: SessionFolder): string {
  const files = [fileStamp(confPath(folder.dir)), ...new MessageFolder(folder.dir).stamps()];
  return createHash("sha1").update(files.join("\n")).digest("base64url");
}

function headerOf({ dir, sessionId }: SessionFolder): SessionHeader {
  const { cwd = "", created = "" } = confOf(dir);
  const time = Date.parse(created);
  const createdAt = Number.isNaN(time) ? dateOfId(sessionId) : new Date(time).toISOString();
  return { sessionId, cwd, createdAt, version: LOG_VERSION };
}

function readFiles(folder: SessionFolder): SessionReading {
  const header = headerOf(folder);
  const begin = confFacts(confOf(folder.dir)).map((update) => ({ agentId: ROOT_AGENT, at: "", update }));
  const { facts: changes } = changesIn(folder, { read: () => ({ facts: [], more: false }) });
  const found = [...begin, ...changes.filter((change) => !isCount(change))];
  const facts = asStored(found, { seq: 0, at: header.createdAt });
  const digest = newStoredDigest(header);
  const view = digestView(digest);
  for (const fact of facts) view.see(fact);
  return { header, digest, ...withTail({ read: () => ({ facts: [], more: false }) }, facts) };
}

/** The facts that follow from the files of a session that nobody writes. */
function changesIn(folder: SessionFolder, stored: Pick<LoadedSession, "read">): { facts: OutsideFact[] } {
  const talk = new TalkHistory();
  for (const fact of factsOf(stored)) talk.see(fact);
  const table = new FileTable(sidecarFolder(folder).dir);
  for (const entry of talk.entries) Object.assign(entry, table.row(entry.factSeq));
  try {
    const messages = new MessageFolder(folder.dir);
    const hasNewPictures = !table.hasPictures(messages.pictures.stamps());
    const difference = compareFiles(messages, talk, { hasNewPictures });
    return { facts: isUpToDate(difference, talk) ? [] : outsideFacts(talk, difference, stored) };
  } catch {
    // Opening it says why they cannot be looked at.
    return { facts: [] };
  }
}

/** Without this, a process that is killed would leave messages whose files a person seems to have removed. */
function expectFiles(sidecar: SessionFolder, shared: FactPages): void {
  const talk = new TalkHistory();
  for (const fact of factsOf(shared)) talk.see(fact);
  new FileTable(sidecar.dir).note(talk.entries.map(({ factSeq }) => [factSeq, null]));
}

/** Where all messages are new, their number is not news. */
function isCount({ update }: Pick<OutsideFact, "update">): boolean {
  return update.sessionUpdate === "rewind_update";
}
