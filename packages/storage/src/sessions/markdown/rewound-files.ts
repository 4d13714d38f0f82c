import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@harness/host";
import type { FileDraft, MessageFolder } from "./message-folder.ts";
import type { TalkEntry } from "./talk-history.ts";

/** The files of messages that a rewind hides, as they were: a redo brings them back with all that people have put in them. */
export class RewoundFiles {
  readonly #dir: string;
  readonly #messages: MessageFolder;

  constructor(sidecar: string, messages: MessageFolder) {
    this.#dir = join(sidecar, "rewound");
    this.#messages = messages;
  }

  /** Puts a file aside. Never throws: one that was changed since it was last looked at stays, and is a message again. */
  put({ factSeq, name, stamp }: Pick<TalkEntry, "factSeq" | "name" | "stamp">): void {
    if (name === undefined || this.#messages.stampOf(name) !== stamp) return;
    try {
      makePrivateFolder(this.#dir);
      renameSync(join(this.#messages.dir, name), join(this.#dir, `${factSeq}-${name}`));
    } catch {
      // It counts as added.
    }
  }

  /** The file of a message, to be given its name again; undefined: there is none with these words. Never throws. */
  find({ factSeq, role, meaning }: TalkEntry): FileDraft | undefined {
    const begin = `${factSeq}-`;
    for (const found of this.#names()) {
      if (!found.startsWith(begin)) continue;
      const draft = { name: found.slice(begin.length), path: join(this.#dir, found), role };
      if (this.#messages.meaningOfDraft(draft) === meaning) return draft;
    }
    return undefined;
  }

  #names(): string[] {
    try {
      return readdirSync(this.#dir);
    } catch {
      return [];
    }
  }
}
