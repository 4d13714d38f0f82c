import { closeSync, lstatSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FactPage, type FactRange, LogWriteError, type SessionHeader, type SessionLog } from "@harness/core";
import { diskProblem, type Lock, makePrivateFolder, writeOwnFile } from "@harness/host";
import {
  digestView,
  type Fact,
  type FactView,
  ROOT_AGENT,
  type SessionDigest,
  type StoredFact,
} from "@harness/protocol";
import type { Disk } from "../disk.ts";
import { writeMeta } from "../meta-file.ts";
import type { OwnSessions } from "../own-sessions.ts";
import { childFolder, isFolderName, type SessionFolder } from "../session-folder.ts";
import { isOwnFile } from "../session-owner.ts";
import { isWorthListing, type StoredDigest } from "../stored-digest.ts";
import { mustBeOnDisk } from "./durable-facts.ts";
import { encodeLine } from "./log-line.ts";
import { LogWriter } from "./log-writer.ts";
import { syncTexts, textPath } from "./saved-texts-folder.ts";
import type { AgentLogState } from "./scan-logs.ts";
import type { StoredFacts } from "./stored-facts.ts";
import { LOG_VERSION } from "./stored-session.ts";

/** The state of a session on disk when its log is opened. */
type LogsOnDisk = {
  /** The session is new. */
  isNew: boolean;
  isBegunHere: boolean;
  facts: StoredFacts;
  agents: AgentLogState[];
  /** Undefined as long as nothing is on disk. */
  lock: Lock | undefined;
  own: OwnSessions;
  /** The folders with saved texts of the sessions that it was forked from. */
  sharedBlobs: readonly string[];
};

type JsonlLogDeps = {
  folder: SessionFolder;
  header: SessionHeader;
  digest: StoredDigest;
  disk: Disk;
  onDisk: LogsOnDisk;
  /** Takes the lock of a new session; throws if that fails. */
  takeLock(): Lock;
  now(): number;
};

type AgentLog = { dir: string; writer: LogWriter };

/** The `log.jsonl` of one session and those of its subagents. */
export class JsonlSessionLog implements SessionLog {
  readonly header: SessionHeader;
  readonly isBegunHere: boolean;
  /** Nobody edits a log. */
  readonly outsideChanges = () => [];
  readonly #deps: JsonlLogDeps;
  readonly #digest: FactView;
  readonly #agents = new Map<string, AgentLog>();
  /** The logs with facts that a crash of the machine would lose: few of all logs. */
  readonly #unsynced = new Set<LogWriter>();
  /** An import: invisible until it is closed, and flushed to disk only then. */
  readonly #isImport: boolean;
  /** The saved texts of an import, which are flushed before its log. */
  readonly #unsyncedTexts: string[] = [];
  #lock: Lock | undefined;
  #seq: number;
  /** The number of the last fact in the digest's file; undefined if the file is outdated. */
  #metaSeq: number | undefined;
  #closed = false;

  constructor(deps: JsonlLogDeps) {
    this.header = deps.header;
    this.isBegunHere = deps.onDisk.isBegunHere;
    this.#deps = deps;
    this.#isImport = deps.onDisk.isNew && deps.header.client === "import";
    this.#digest = digestView(deps.digest);
    this.#lock = deps.onDisk.lock;
    this.#seq = deps.onDisk.facts.seq;
    const header = { type: "header", ...deps.header, version: LOG_VERSION };
    this.#put(ROOT_AGENT, deps.folder.dir, () => ({ ...header, by: this.#begunBy() }));
    for (const { agentId, dir, file } of deps.onDisk.agents) {
      if (agentId === ROOT_AGENT) continue;
      if (file) this.#putChild(agentId, dir);
      // If an agent's log is not a usable file, it stays as it is, and further facts of the agent go to the main log.
      else this.#agents.set(agentId, this.#agentFor(ROOT_AGENT));
    }
  }

  /** Cuts off, or completes, what crashes left behind. Throws file system errors. */
  repair(): void {
    for (const { agentId, file } of this.#deps.onDisk.agents) {
      if (!file) continue;
      this.#agents.get(agentId)?.writer.repair(file.keepBytes, { open: file.open });
      if (agentId !== ROOT_AGENT) this.#agents.get(agentId)?.writer.rest();
    }
  }

  append(entry: { agentId: string; turnId?: string; at: string; update: Fact }): StoredFact {
    const { agentId, turnId, at, update } = entry;
    const fact: StoredFact = { seq: this.#seq + 1, at, agentId, ...(turnId ? { turnId } : {}), update };
    const agent = this.#agentFor(agentId);
    this.#attempt("save the session", agent.dir, () => this.#write(agent, fact));
    this.#seq = fact.seq;
    this.#digest.see(fact);
    if (update.sessionUpdate === "state_update" && update.state === "idle") {
      if (agentId !== ROOT_AGENT) this.#rest(agent);
      else if (!this.#isImport) this.#writeMeta();
    }
    return fact;
  }

  addAgent(agentId: string, parentAgentId: string): void {
    if (this.#agents.has(agentId)) return;
    const parent = this.#agents.get(parentAgentId)?.dir ?? this.#deps.folder.dir;
    const { dir } = childFolder(parent, folderName(agentId));
    if (isFree(dirname(dir)) && isFree(dir)) this.#putChild(agentId, dir, parentAgentId);
    else this.#agents.set(agentId, this.#agentFor(ROOT_AGENT));
    this.#deps.digest.subagents += 1;
    this.#metaSeq = undefined;
  }

  read(range?: FactRange): FactPage {
    return this.#deps.onDisk.facts.read(range);
  }

  get digest(): Readonly<SessionDigest> {
    const { damage: _damage, ...digest } = this.#deps.digest;
    return digest;
  }

  get location() {
    const { dir: folder, log } = this.#deps.folder;
    return { folder, log };
  }

  get savedTexts(): readonly string[] {
    return [this.#deps.folder.blobs, ...this.#deps.onDisk.sharedBlobs];
  }

  isOwnText(path: string): boolean {
    return this.savedTexts.some((folder) => isOwnFile(folder, path));
  }

  newBlob(suffix: string): string {
    const { blobs } = this.#deps.folder;
    const path = textPath(blobs, suffix);
    this.#attempt("make a file for a long output", blobs, () => {
      this.start();
      makePrivateFolder(blobs);
      closeSync(openSync(path, "wx", 0o600));
    });
    if (this.#isImport) this.#unsyncedTexts.push(path);
    return path;
  }

  saveText(text: string, { durable = false } = {}): string {
    const path = this.newBlob(".txt");
    this.#attempt("save a long text", path, () => writeOwnFile(path, text, { flush: durable }));
    return path;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    const { folder, digest } = this.#deps;
    const worthKeeping = isWorthListing(digest);
    if (this.#lock && worthKeeping && this.#metaSeq !== this.#seq) this.#writeMeta();
    try {
      this.#syncTexts();
      for (const agent of this.#agents.values()) this.#rest(agent);
    } finally {
      for (const { writer } of this.#agents.values()) writer.rest();
      if (this.#lock && !worthKeeping) removeQuietly(folder.dir);
      this.#lock?.release();
      this.#lock = undefined;
    }
  }

  #syncTexts(): void {
    const { disk, folder } = this.#deps;
    const paths = this.#unsyncedTexts.splice(0);
    this.#attempt("save a long text", folder.blobs, () => syncTexts(disk, folder.blobs, paths));
  }

  /** Flushes the facts of an import. Throws a `LogWriteError` if that fails. */
  #rest({ dir, writer }: AgentLog): void {
    if (this.#isImport) this.#attempt("save the session", dir, () => writer.sync());
    writer.rest();
  }

  #write({ dir, writer }: AgentLog, fact: StoredFact): void {
    this.start();
    const durable = !this.#isImport && mustBeOnDisk(fact.update);
    const line = encodeLine(fact);
    // A durable fact must not come after facts, in logs of other agents, that could still be lost.
    if (durable) this.#syncOthers(writer);
    if (!durable) this.#unsynced.add(writer);
    const offset = writer.append(line, { durable });
    const kind = fact.update.sessionUpdate;
    this.#deps.onDisk.facts.add(logPath(dir), { seq: fact.seq, kind, offset, length: line.length - 1 });
  }

  #syncOthers(writer: LogWriter): void {
    for (const other of this.#unsynced) {
      if (other === writer) continue;
      other.sync();
      this.#unsynced.delete(other);
    }
  }

  /** Takes the lock, and makes the folder. Throws file system errors, or a `LogWriteError`. */
  start(): void {
    if (this.#closed) throw new Error("it is closed");
    if (this.#lock) return;
    makePrivateFolder(this.#deps.folder.dir);
    this.#lock = this.#deps.takeLock();
  }

  /** An unannounced agent gets a log in the root's folder: losing its facts would be worse. */
  #agentFor(agentId: string): AgentLog {
    if (!this.#agents.has(agentId)) this.addAgent(agentId, ROOT_AGENT);
    const agent = this.#agents.get(agentId);
    if (!agent) throw new LogWriteError(`There is no log for the agent "${agentId}".`);
    return agent;
  }

  #putChild(agentId: string, dir: string, parentAgentId?: string): void {
    const createdAt = new Date(this.#deps.now()).toISOString();
    const { sessionId } = this.header;
    const header = { type: "header", version: LOG_VERSION, sessionId, agentId, parentAgentId, createdAt };
    this.#put(agentId, dir, () => header);
  }

  /** If the session existed before, others may have written a part of it. */
  #begunBy(): string | undefined {
    const { onDisk, header } = this.#deps;
    return onDisk.isNew && onDisk.isBegunHere ? onDisk.own.sign(header.sessionId) : undefined;
  }

  #put(agentId: string, dir: string, header: () => object): void {
    const writer = new LogWriter(logPath(dir), this.#deps.disk, () => encodeLine(header()));
    this.#agents.set(agentId, { dir, writer });
  }

  /** Best effort: derived files can be rebuilt. */
  #writeMeta(): void {
    const writer = this.#agents.get(ROOT_AGENT)?.writer;
    try {
      if (!writer) return;
      const { sizeBytes, modifiedMs } = writer.stat();
      const dated = { sizeBytes, modifiedMs, readBytes: writer.goodBytes, digest: this.#deps.digest };
      writeMeta(this.#deps.folder.meta, dated);
      this.#metaSeq = this.#seq;
    } catch {
      // Without it, lists read the log itself.
    }
  }

  #attempt(doing: string, path: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      throw new LogWriteError(diskProblem(error, doing, path), { cause: error });
    }
  }
}

function logPath(dir: string): string {
  return join(dir, "log.jsonl");
}

/**
 * True for a folder, and if there is nothing. A file or a link there is not ours: the agent's facts then go to the main
 * log.
 */
function isFree(dir: string): boolean {
  try {
    return lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? true;
  } catch {
    return false;
  }
}

function folderName(agentId: string): string {
  if (isFolderName(agentId)) return agentId;
  throw new LogWriteError(`The agent id ${JSON.stringify(agentId)} cannot be the name of a folder.`);
}

function removeQuietly(dir: string): void {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {
    // If an empty session remains, it is not listed.
  }
}
