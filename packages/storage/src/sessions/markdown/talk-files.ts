import { factsOf } from "@harness/core";
import type { Fact, SessionDigest, StoredFact } from "@harness/protocol";
import type { JsonlSessionLog } from "../jsonl/jsonl-session-log.ts";
import { type SessionFolder, sidecarFolder } from "../session-folder.ts";
import { compareFiles, type FileDifference, isUpToDate } from "./compare-files.ts";
import { confEdits, editableConf } from "./conf/conf-edits.ts";
import type { SessionConf } from "./conf/session-conf.ts";
import { FileTable } from "./file-table.ts";
import { type FileDraft, MessageFolder } from "./message-folder.ts";
import type { OutsideFact } from "./outside-changes.ts";
import { RewoundFiles } from "./rewound-files.ts";
import type { SavedMessage } from "./saved-message.ts";
import { type TalkEntry, TalkHistory } from "./talk-history.ts";

type TalkFilesDeps = { folder: SessionFolder; facts: JsonlSessionLog };

/** The conversation of a session, with the file of each message. */
export class TalkFiles {
  readonly messages: MessageFolder;
  readonly talk = new TalkHistory();
  readonly #facts: JsonlSessionLog;
  readonly #table: FileTable;
  readonly #rewound: RewoundFiles;
  /** Some messages have no file yet: a fork shares them, or the disk was full. */
  #isLacking = false;

  constructor({ folder, facts }: TalkFilesDeps) {
    const sidecar = sidecarFolder(folder).dir;
    this.messages = new MessageFolder(folder.dir);
    this.#facts = facts;
    this.#table = new FileTable(sidecar);
    this.#rewound = new RewoundFiles(sidecar, this.messages);
    for (const fact of factsOf(facts)) this.talk.see(fact);
    for (const entry of this.talk.entries) Object.assign(entry, this.#table.row(entry.factSeq));
  }

  /** Completes the work of a killed process. Throws what the file system throws. */
  repair(): void {
    for (const entry of this.talk.hidden) {
      const row = this.#table.row(entry.factSeq);
      if (row) this.#hide([{ ...entry, ...row }]);
    }
    this.#isLacking = this.talk.entries.some(({ factSeq }) => this.#table.row(factSeq) === null);
    this.#nameDrafts();
    this.messages.pictures.sweep();
    if (this.#isLacking) this.writeMissing();
  }

  /** How the files differ from the conversation, without problems that it has reported before. Throws what the file system throws. */
  compare(): FileDifference {
    if (this.#isLacking) this.writeMissing();
    const pictures = this.messages.pictures.stamps();
    const hasNewPictures = !this.#table.hasPictures(pictures);
    const difference = compareFiles(this.messages, this.talk, { hasNewPictures });
    // Otherwise once what they change is stored.
    if (hasNewPictures && isUpToDate(difference, this.talk)) this.#table.noteAllPictures(pictures);
    this.#table.note(this.talk.entries.flatMap((entry) => (entry.name === undefined ? [] : [rowOf(entry)])));
    const problems = difference.problems.filter((problem) => !this.#table.isTold(problem));
    this.#table.tell(problems);
    return { ...difference, problems };
  }

  /** The values of `session.conf` that were edited. */
  confEdits(found: Partial<SessionConf>, digest: Partial<SessionDigest>): Partial<SessionConf> {
    return confEdits(found, { last: this.#table.conf, now: editableConf(digest) });
  }

  /** `session.conf` as harness has just written it, or has taken it in. */
  noteConf(conf: Partial<SessionConf>): void {
    this.#table.noteConf(editableConf(conf));
  }

  /** Notes that the messages so far are to get their files: those that a fork has in common with its parent. */
  expectAll(): void {
    this.#isLacking = this.talk.entries.length > 0;
    this.#table.note(this.talk.entries.map(({ factSeq }) => [factSeq, null]));
  }

  /** The number in the name of a message's file; the newest are looked at first. */
  numberOf(factSeq: number): string | undefined {
    return /^[\d.]+/.exec(this.talk.entries.findLast((entry) => entry.factSeq === factSeq)?.name ?? "")?.[0];
  }

  /** Writes the messages of a fact as drafts. Throws what the file system throws. */
  draftsOf(update: Fact, at: string, outside: OutsideFact | undefined): FileDraft[] {
    if (outside?.file) return [];
    const drafts: FileDraft[] = [];
    try {
      for (const message of this.talk.preview(update)) {
        const number = outside?.before ? this.messages.numberAfter(outside.before) : this.messages.nextNumber();
        drafts.push(this.#draft(message, { number, at }));
      }
    } catch (error) {
      this.messages.discard(drafts);
      throw error;
    }
    return drafts;
  }

  /** The fact is stored now, so nothing may fail: missing files are written later. */
  follow(fact: StoredFact, drafts: readonly FileDraft[], outside: OutsideFact | undefined): void {
    const { added, removed, isBroughtBack } = this.talk.see(fact);
    for (const [index, { entry }] of added.entries()) {
      const draft = drafts[index];
      if (draft) this.#commit(draft, entry);
      else if (outside?.file) Object.assign(entry, { name: outside.file.name, stamp: outside.file.stamp });
      if (entry.name !== undefined) this.#table.note([rowOf(entry)]);
    }
    if (outside) this.#table.note(removed.map(({ factSeq }) => [factSeq, undefined]));
    else this.#hide(removed);
    for (const entry of removed) entry.name = undefined;
    if (!isBroughtBack) return;
    this.#isLacking = true;
    try {
      this.writeMissing();
    } catch {
      // A full disk: tried again before the next turn.
    }
  }

  /** Writes the files of messages that have none. Throws what the file system throws. */
  writeMissing(): void {
    const lacking = new Map(
      this.talk.entries.flatMap((entry) => (entry.name === undefined ? [[entry.factSeq, entry] as const] : [])),
    );
    const again = new TalkHistory();
    for (const fact of lacking.size === 0 ? [] : factsOf(this.#facts)) {
      for (const { entry, message } of again.see(fact).added) {
        const known = lacking.get(entry.factSeq);
        if (known) this.#write(known, message, fact);
      }
    }
    this.#isLacking = false;
  }

  /** Leaves the next process little to read. */
  close(): void {
    this.#table.rewrite(this.talk.entries.flatMap((entry) => (entry.name === undefined ? [] : [rowOf(entry)])));
  }

  #write(entry: TalkEntry, message: SavedMessage, { at }: StoredFact): void {
    const draft = this.#rewound.find(entry) ?? this.#draft(message, { number: this.messages.nextNumber(), at });
    Object.assign(entry, this.messages.commit(draft));
    this.#table.note([rowOf(entry)]);
  }

  #draft(message: SavedMessage, fields: { number: string; at: string }): FileDraft {
    const draft = this.messages.draft(message, fields);
    if (draft.pictures) this.#table.notePictures(draft.pictures);
    return draft;
  }

  #commit(draft: FileDraft, entry: TalkEntry): void {
    try {
      Object.assign(entry, this.messages.commit(draft));
    } catch {
      // The folder was taken away meanwhile.
      this.#isLacking = true;
      this.#table.note([[entry.factSeq, null]]);
    }
  }

  #hide(entries: readonly TalkEntry[]): void {
    for (const entry of entries) {
      this.#rewound.put(entry);
      this.#table.note([[entry.factSeq, null]]);
    }
  }

  /** Gives drafts of a process that was killed their names. Where its fact was not stored, nobody has seen the message. */
  #nameDrafts(): void {
    const drafts = this.messages.drafts();
    if (drafts.length === 0 && !this.#isLacking) return;
    // Gives messages the files that have their names already.
    compareFiles(this.messages, this.talk);
    const meanings = new Map(drafts.map((draft) => [draft, this.messages.meaningOfDraft(draft)]));
    for (const entry of this.talk.entries) {
      if (entry.name !== undefined && this.messages.stampOf(entry.name) !== "") continue;
      const draft = drafts.find((each) => meanings.get(each) === entry.meaning);
      if (!draft) continue;
      this.#commit(draft, entry);
      drafts.splice(drafts.indexOf(draft), 1);
    }
    this.messages.discard(drafts);
  }
}

function rowOf({ factSeq, name = "", stamp }: TalkEntry) {
  return [factSeq, { name, stamp }] as const;
}
