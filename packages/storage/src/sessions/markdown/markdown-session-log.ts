import {
  type FactPage,
  type FactRange,
  factsOf,
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
import { compareFiles } from "./compare-files.ts";
import { type FileDraft, type MessageFile, MessageFolder } from "./message-folder.ts";
import { type OutsideFact, outsideFacts } from "./outside-changes.ts";
import type { SavedMessage } from "./saved-message.ts";
import { type SessionConf, writeConf } from "./session-conf.ts";
import { type TalkEntry, TalkHistory } from "./talk-history.ts";
import { removeUnused } from "./unused-session.ts";

type Entry = { agentId: string; turnId?: string; at: string; update: Fact };

type MarkdownLogDeps = {
  folder: SessionFolder;
  /** All facts, beside the messages. */
  facts: JsonlSessionLog;
  /** Nothing is on disk yet. */
  isNew: boolean;
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
 * A session whose conversation is a file for each message. A message is on disk, as a draft, before its fact is stored,
 * and gets its name right after.
 */
export class MarkdownSessionLog implements SessionLog {
  readonly #folder: SessionFolder;
  readonly #facts: JsonlSessionLog;
  readonly #isNew: boolean;
  readonly #messages: MessageFolder;
  readonly #talk = new TalkHistory();
  /** Facts that follow from the files, until they come to be stored. */
  #outside = new Map<Fact, OutsideFact>();
  /** Each problem of a file is reported once. */
  readonly #told = new Set<string>();
  /** A fork has no files before its first own fact. */
  #lacksFiles: boolean;
  /** As it was last written. */
  #conf: SessionConf | undefined;

  constructor({ folder, facts, isNew }: MarkdownLogDeps) {
    this.#folder = folder;
    this.#facts = facts;
    this.#isNew = isNew;
    this.#messages = new MessageFolder(folder.dir);
    for (const fact of factsOf(facts)) this.#talk.see(fact);
    this.#lacksFiles = isNew && this.#talk.entries.length > 0;
  }

  get header(): SessionHeader {
    return this.#facts.header;
  }

  get isBegunHere(): boolean {
    return this.#facts.isBegunHere;
  }

  /** Gives drafts of a process that was killed their names. Throws what the file system throws. */
  repair(): void {
    const drafts = this.#messages.drafts();
    if (drafts.length === 0) return;
    compareFiles(this.#messages, this.#talk);
    const meanings = new Map(drafts.map((draft) => [draft, this.#messages.meaningOfDraft(draft)]));
    // Where its fact was not stored, nobody has seen the message.
    for (const entry of this.#talk.entries) {
      if (entry.name !== undefined) continue;
      const draft = drafts.find((each) => meanings.get(each) === entry.meaning);
      if (!draft) continue;
      this.#commit(draft, entry);
      drafts.splice(drafts.indexOf(draft), 1);
    }
    this.#messages.discard(drafts);
  }

  outsideChanges(): readonly OutsideChange[] {
    return this.outsideFacts().map(({ agentId, update }) => ({ agentId, update }));
  }

  /** The same with the times of their files. */
  outsideFacts(): readonly OutsideFact[] {
    if (this.#lacksFiles) return [];
    try {
      const difference = compareFiles(this.#messages, this.#talk);
      const problems = difference.problems.filter((problem) => !this.#told.has(problem));
      const found = outsideFacts(this.#talk, { ...difference, problems }, this.#facts);
      for (const problem of problems) this.#told.add(problem);
      this.#outside = new Map(found.map((each) => [each.update, each]));
      return found;
    } catch (error) {
      const title = diskProblem(error, "look at the files of the session's messages", this.#messages.dir);
      if (this.#told.has(title)) return [];
      this.#told.add(title);
      return [{ agentId: ROOT_AGENT, at: "", update: { sessionUpdate: "notice", severity: "warning", title } }];
    }
  }

  append(entry: Entry): StoredFact {
    if (this.#lacksFiles) this.#attempt(() => this.#beginFiles());
    const outside = this.#outside.get(entry.update);
    this.#outside.delete(entry.update);
    const drafts = this.#attempt(() => this.#draftsOf(entry, outside));
    let fact: StoredFact;
    try {
      fact = this.#facts.append(entry);
    } catch (error) {
      this.#messages.discard(drafts);
      throw error;
    }
    this.#follow(fact, drafts, outside);
    if (entry.agentId === ROOT_AGENT && confKinds.has(entry.update.sessionUpdate)) this.#writeConf();
    return fact;
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
    this.#facts.close();
    // A log that nobody would look for is gone. Files of the person's may be beside it.
    if (this.#isNew && this.#facts.digest.turns === 0) removeUnused(this.#folder.dir, this.#conf);
  }

  /** The messages that a fork shares with its parent. */
  #beginFiles(): void {
    this.#facts.start();
    this.#writeAgain();
    this.#lacksFiles = false;
  }

  /** The messages that come with a fact, on disk and without their names. */
  #draftsOf({ agentId, at, update }: Entry, outside: OutsideFact | undefined): FileDraft[] {
    if (agentId !== ROOT_AGENT || outside?.file) return [];
    const messages = this.#talk.preview(update);
    if (messages.length === 0) return [];
    this.#facts.start();
    const drafts: FileDraft[] = [];
    try {
      for (const message of messages) drafts.push(this.#draft(message, at, outside?.before));
    } catch (error) {
      this.#messages.discard(drafts);
      throw error;
    }
    return drafts;
  }

  #draft(message: SavedMessage, at: string, before: MessageFile | undefined): FileDraft {
    const number = before ? this.#messages.numberAfter(before) : this.#messages.nextNumber();
    return this.#messages.draft(message, { number, at });
  }

  /** From here on the fact is stored, and nothing may fail: what the files lack is found at the next turn. */
  #follow(fact: StoredFact, drafts: readonly FileDraft[], outside: OutsideFact | undefined): void {
    const { added, removed, isBroughtBack } = this.#talk.see(fact);
    for (const [index, { entry }] of added.entries()) {
      const draft = drafts[index];
      if (draft) this.#commit(draft, entry);
      else if (outside?.file) Object.assign(entry, { name: outside.file.name, stamp: outside.file.stamp });
    }
    for (const entry of removed) {
      if (!outside) this.#messages.remove(entry);
      entry.name = undefined;
    }
    if (isBroughtBack) this.#writeAgainQuietly();
  }

  /** On a full disk they count as removed. */
  #writeAgainQuietly(): void {
    try {
      this.#writeAgain();
    } catch {
      // The next turn says so.
    }
  }

  #commit(draft: FileDraft, entry: TalkEntry): void {
    try {
      Object.assign(entry, this.#messages.commit(draft));
    } catch {
      // Someone has taken the folder away meanwhile.
    }
  }

  /** The files of messages that have none, such as those that a redo brings back. Throws what the file system throws. */
  #writeAgain(): void {
    const again = new TalkHistory();
    if (this.#talk.entries.every(({ name }) => name !== undefined)) return;
    const lost = new Map(
      this.#talk.entries.flatMap((entry) =>
        entry.name === undefined ? [[`${entry.seq} ${entry.meaning}`, entry] as const] : [],
      ),
    );
    for (const fact of factsOf(this.#facts)) {
      for (const { entry, message } of again.see(fact).added) {
        const known = lost.get(`${entry.seq} ${entry.meaning}`);
        if (known) this.#commit(this.#draft(message, fact.at, undefined), known);
      }
    }
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
    } catch {
      // The next change writes it.
    }
  }

  #attempt<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      const problem = diskProblem(error, "save a message of the session", this.#messages.dir);
      throw new LogWriteError(problem, { cause: error });
    }
  }
}
