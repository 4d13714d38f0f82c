import { lstatSync, readdirSync, rmSync, type Stats, unlinkSync } from "node:fs";
import { join } from "node:path";
import {
  errorCode,
  fileStamp,
  makePrivateFolder,
  nameOnce,
  othersProblem,
  readRegularFile,
  replaceOwnFile,
  systemReason,
  writeOwnFile,
} from "@harness/host";
import { type MessageFields, meaningOf, messageText } from "./message-text.ts";
import { PictureFolder } from "./picture-folder.ts";
import { messageIn, type ReadMessage } from "./read-message.ts";
import { picturesIn, type SavedMessage, type SavedRole } from "./saved-message.ts";

/** A file that is a message by its name: `0002-assistant.md`, `0002.1-tool_result.md`. Others are left alone. */
export type MessageFile = { name: string; number: string; role: SavedRole; stamp: string };

/** A message that is on disk and not yet in the conversation; `pictures`: the new ones, with their stamps. */
export type FileDraft = { name: string; path: string; pictures?: ReadonlyMap<string, string> };

const NAME = /^(\d{1,9}(?:\.\d{1,9}){0,7})-(user|assistant|tool_result)\.md$/;
const DRAFT = /^\.(.+\.md)\.new$/;
const MAX_BYTES = 64 * 1024 * 1024;

/** `messages/` of a session, and `images/` beside it. Methods throw what the file system throws, but where they say otherwise. */
export class MessageFolder {
  readonly dir: string;
  readonly pictures: PictureFolder;

  constructor(session: string) {
    this.pictures = new PictureFolder(session);
    this.dir = join(session, "messages");
  }

  /** In the order of their numbers, then of their names. */
  list(): MessageFile[] {
    return this.#names()
      .flatMap((name): MessageFile[] => {
        const [, number, role] = NAME.exec(name) ?? [];
        if (number === undefined || role === undefined) return [];
        return [{ name, number, role: role as SavedRole, stamp: fileStamp(join(this.dir, name)) }];
      })
      .sort((a, b) => byNumber(a.number, b.number) || (a.name < b.name ? -1 : 1));
  }

  /** Change whenever a file or a picture does. Never throws. */
  stamps(): string[] {
    const pictures = Array.from(this.pictures.stamps(), (each) => each.join(" "));
    try {
      return [...this.list().map(({ name, stamp }) => `${name} ${stamp}`), ...pictures];
    } catch (error) {
      return [String(error)];
    }
  }

  /** Why a file is not read is the end of a sentence about it. Never throws. */
  read({ name, role }: Pick<MessageFile, "name" | "role">): ReadMessage | { problem: string } {
    return this.#readAt(join(this.dir, name), role);
  }

  #readAt(path: string, role: SavedRole): ReadMessage | { problem: string } {
    try {
      const bytes = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false, check });
      return messageIn(bytes.toString("utf8"), role, (picture) => this.pictures.read(picture));
    } catch (error) {
      return { problem: errorCode(error) === "ELOOP" ? "it is a link" : systemReason(error) };
    }
  }

  /** The message as a draft, with its pictures; `stem`: the name without the role. */
  draft(message: SavedMessage, { number, at, stem = number }: MessageFields & { stem?: string }): FileDraft {
    this.#makeOwn();
    const saved = new Map(picturesIn(message).map((picture) => [picture, this.pictures.save(picture)]));
    const paths = new Map(Array.from(saved, ([picture, { path }]) => [picture, path]));
    const name = `${stem}-${message.role}.md`;
    const path = join(this.dir, `.${name}.new`);
    rmSync(path, { force: true });
    writeOwnFile(path, messageText(message, { number, at, paths }), { flush: true });
    const isNew = [...saved.values()].filter((picture) => picture.isNew);
    return { name, path, pictures: new Map(isNew.map((picture) => [picture.name, picture.stamp])) };
  }

  /**
   * Makes a draft the file, with the next number where a file of this name has appeared meanwhile; nothing is replaced.
   * Returns its name and stamp.
   */
  commit({ name, path }: FileDraft): Pick<MessageFile, "name" | "stamp"> {
    for (let wanted = name; ; wanted = this.#renumbered(path, wanted)) {
      const file = join(this.dir, wanted);
      try {
        nameOnce(path, file);
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
        continue;
      }
      // The other name of a link.
      removeQuietly(path);
      return { name: wanted, stamp: fileStamp(file) };
    }
  }

  /** Never throws. */
  discard(drafts: readonly FileDraft[]): void {
    for (const { path } of drafts) removeQuietly(path);
  }

  /** Undefined if it is not a whole message. Never throws. */
  meaningOfDraft({ path, role }: FileDraft & Pick<MessageFile, "role">): string | undefined {
    const read = this.#readAt(path, role);
    return "problem" in read ? undefined : meaningOf(read.message);
  }

  drafts(): (FileDraft & Pick<MessageFile, "role">)[] {
    return this.#names().flatMap((hidden) => {
      const [, name = ""] = DRAFT.exec(hidden) ?? [];
      const role = NAME.exec(name)?.[2];
      return role === undefined ? [] : [{ name, path: join(this.dir, hidden), role: role as SavedRole }];
    });
  }

  /** Replaces each of these texts in all messages, such as the folder of files that have moved. */
  replaceText(from: readonly string[], to: string): void {
    for (const { name } of this.list()) {
      const path = join(this.dir, name);
      const text = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false, check }).toString("utf8");
      const replaced = from.reduce((now, each) => now.replaceAll(each, to), text);
      if (replaced !== text) replaceOwnFile(path, replaced);
    }
  }

  /** Never throws. */
  stampOf(name: string): string {
    return fileStamp(join(this.dir, name));
  }

  /** For a message after all that there are, with those that are only drafts. */
  nextNumber(): string {
    const used = this.#names().flatMap((name) => {
      const [, number = ""] = NAME.exec(DRAFT.exec(name)?.[1] ?? name) ?? [];
      return number === "" ? [] : [Number.parseInt(number, 10)];
    });
    return fileNumber(used.reduce((highest, each) => Math.max(highest, each), 0) + 1);
  }

  /** For a message that follows this one. */
  numberAfter({ number, name }: Pick<MessageFile, "name" | "number">): string {
    const files = this.list();
    const next = files[files.findIndex((file) => file.name === name) + 1];
    if (!next) return this.nextNumber();
    const parts = number.split(".");
    const beside = [...parts.slice(0, -1), Number(parts.at(-1)) + 1].join(".");
    const wanted = [...(parts.length > 1 ? [beside] : []), `${number}.1`, `${number}.0`];
    return wanted.find((each) => byNumber(each, next.number) < 0) ?? this.nextNumber();
  }

  /** Gives a draft the next number; returns its name then. */
  #renumbered(path: string, name: string): string {
    const [, number = "", role = ""] = NAME.exec(name) ?? [];
    const next = this.nextNumber();
    const text = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8");
    rmSync(path);
    writeOwnFile(
      path,
      text.replace(`\nseq: ${number}\n`, () => `\nseq: ${next}\n`),
      { flush: true },
    );
    return `${next}-${role}.md`;
  }

  #names(): string[] {
    const stats = lstatSync(this.dir, { throwIfNoEntry: false });
    if (!stats) return [];
    if (!stats.isDirectory()) throw Object.assign(new Error("it is not a folder of its own"), { path: this.dir });
    return readdirSync(this.dir);
  }

  #makeOwn(): void {
    if (lstatSync(this.dir, { throwIfNoEntry: false })?.isDirectory()) return;
    makePrivateFolder(this.dir);
  }
}

/** Others could put words into the conversation. */
function check(_fd: number, stats: Stats): void {
  if (othersProblem("", stats, "") !== undefined) throw new Error("other users may write it");
}

/** `0002` as a number for a new file. */
function fileNumber(number: number): string {
  return String(number).padStart(4, "0");
}

function byNumber(a: string, b: string): number {
  const [left, right] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const order = (left[index] ?? -1) - (right[index] ?? -1);
    if (order !== 0) return order;
  }
  return 0;
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already, or stays.
  }
}
