import {
  type FactPage,
  type FactRange,
  type LogLocation,
  LogWriteError,
  type OutsideChange,
  type SessionHeader,
  type SessionLog,
} from "@harness/core";
import { diskProblem } from "@harness/host";
import { type Fact, ROOT_AGENT, type SessionDigest, type StoredFact } from "@harness/protocol";
import type { JsonlSessionLog } from "../jsonl/jsonl-session-log.ts";
import type { SessionFolder } from "../session-folder.ts";
import { confOf, confPath, type SessionConf, writeConf } from "./conf/session-conf.ts";
import { editedConfFacts } from "./facts-from-files.ts";
import { type OutsideFact, outsideFacts } from "./outside-changes.ts";
import { TalkFiles } from "./talk-files.ts";
import { removeUnused } from "./unused-session.ts";

type Entry = { agentId: string; turnId?: string; at: string; update: Fact };

type MarkdownLogDeps = {
  folder: SessionFolder;
  /** All facts, beside the messages. */
  facts: JsonlSessionLog;
  /** Nothing is on disk yet. */
  isNew: boolean;
  /** Agents cannot write in its folder. */
  isOurs: boolean;
};

/** Facts after which `session.conf` may say something new. */
const confKinds: ReadonlySet<string> = new Set([
  "user_message",
  "agent_message",
  "config_option_update",
  "session_info_update",
  "folder_update",
]);

/**
 * A session with a file for each message of its conversation. The file is on disk as a draft before the fact is stored, and
 * gets its name right after.
 */
export class MarkdownSessionLog implements SessionLog {
  readonly #folder: SessionFolder;
  readonly #facts: JsonlSessionLog;
  readonly #isNew: boolean;
  readonly #isOurs: boolean;
  readonly #files: TalkFiles;
  /** Facts that follow from the files, until they come to be stored. */
  #outside = new Map<Fact, OutsideFact>();
  /** Each problem of the folder is reported once. */
  readonly #told = new Set<string>();
  /** Nothing is on disk yet; a fork has messages. */
  #isUnbegun: boolean;
  /** As it was last written. */
  #conf: SessionConf | undefined;

  constructor({ folder, facts, isNew, isOurs }: MarkdownLogDeps) {
    this.#folder = folder;
    this.#isOurs = isOurs;
    this.#facts = facts;
    this.#isNew = isNew;
    this.#files = new TalkFiles({ folder, facts });
    this.#isUnbegun = isNew;
  }

  get header(): SessionHeader {
    return this.#facts.header;
  }

  get isBegunHere(): boolean {
    return this.#facts.isBegunHere;
  }

  /** Completes what a killed process was about to do. Throws what the file system throws. */
  repair(): void {
    this.#files.repair();
  }

  outsideChanges(): readonly OutsideChange[] {
    return this.outsideFacts().map(({ agentId, update }) => ({ agentId, update }));
  }

  /** The same with the times of their files. */
  outsideFacts(): readonly OutsideFact[] {
    if (this.#isUnbegun) return [];
    try {
      const messages = outsideFacts(this.#files.talk, this.#files.compare(), this.#facts);
      const found = [...messages, ...this.#confFacts()];
      this.#outside = new Map(found.map((each) => [each.update, each]));
      return found;
    } catch (error) {
      const title = diskProblem(error, "look at the files of the session's messages", this.#files.messages.dir);
      if (this.#told.has(title)) return [];
      this.#told.add(title);
      return [{ agentId: ROOT_AGENT, at: "", update: { sessionUpdate: "notice", severity: "warning", title } }];
    }
  }

  #confFacts(): OutsideFact[] {
    const { dir } = this.#folder;
    const found = confOf(dir);
    const { digest } = this.#facts;
    const edits = this.#files.confEdits(found, digest);
    const { model, provider } = found;
    // A refusal is said once. Values that are taken in are noted when they are stored.
    if (!this.#isOurs && (edits.model ?? edits.provider) !== undefined)
      this.#files.noteConf({ ...digest, ...(model && { model }), ...(provider && { provider }) });
    const facts = editedConfFacts(edits, { path: confPath(dir), isOurs: this.#isOurs });
    return facts.map((update) => ({ agentId: ROOT_AGENT, at: "", update }));
  }

  append(entry: Entry): StoredFact {
    if (this.#isUnbegun) this.#begin();
    const outside = this.#outside.get(entry.update);
    this.#outside.delete(entry.update);
    const isTalk = entry.agentId === ROOT_AGENT;
    const drafts = isTalk ? this.#attempt(() => this.#files.draftsOf(entry.update, entry.at, outside)) : [];
    let fact: StoredFact;
    try {
      fact = this.#facts.append(entry);
    } catch (error) {
      this.#files.messages.discard(drafts);
      throw error;
    }
    this.#files.follow(fact, drafts, outside);
    if (entry.agentId === ROOT_AGENT && confKinds.has(entry.update.sessionUpdate)) this.#writeConf();
    return fact;
  }

  messageNumber(seq: number): string | undefined {
    return this.#files.numberOf(seq);
  }

  addAgent(agentId: string, parentAgentId: string): void {
    this.#facts.addAgent(agentId, parentAgentId);
  }

  read(range?: FactRange): FactPage {
    return this.#facts.read(range);
  }

  get digest(): Readonly<SessionDigest> {
    return this.#facts.digest;
  }

  get location(): LogLocation {
    return { folder: this.#folder.dir, log: this.#facts.location.log };
  }

  get savedTexts(): readonly string[] {
    return this.#facts.savedTexts;
  }

  isOwnText(path: string): boolean {
    return this.#facts.isOwnText(path);
  }

  newBlob(suffix: string): string {
    return this.#facts.newBlob(suffix);
  }

  saveText(text: string, how?: { durable: boolean }): string {
    return this.#facts.saveText(text, how);
  }

  close(): void {
    if (!this.#isUnbegun) this.#files.close();
    this.#facts.close();
    // A log that nobody would look for is gone. Files of the person's may be beside it.
    if (this.#isNew && this.#facts.digest.turns === 0) removeUnused(this.#folder.dir, this.#conf);
  }

  /** The messages that a fork has in common with its parent get their files with its first own fact. */
  #begin(): void {
    this.#attempt(() => {
      this.#facts.start();
      this.#files.expectAll();
      this.#files.writeMissing();
    });
    this.#isUnbegun = false;
  }

  /** Best effort: the facts have it all. */
  #writeConf(): void {
    const { sessionId: id, createdAt: created } = this.#facts.header;
    const { model = "", provider = "", title = "", cwd } = this.#facts.digest;
    const conf = { id, model, provider, created, title, cwd };
    if (JSON.stringify(conf) === JSON.stringify(this.#conf)) return;
    try {
      writeConf(this.#folder.dir, conf);
      this.#conf = conf;
      this.#files.noteConf(conf);
    } catch {
      // The next change writes it.
    }
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      const problem = diskProblem(error, "save a message of the session", this.#files.messages.dir);
      throw new LogWriteError(problem, { cause: error });
    }
  }
}
