import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileStamp, makePrivateFolder, readRegularFile, writeOwnFile } from "@harness/host";
import type { ImagePart } from "@harness/protocol";
import { pictureName } from "./saved-message.ts";

const PATH = /^images\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,127})$/;
/** The end of the name of a picture that is being written. */
const DRAFT = ".new";
const MAX_BYTES = 64 * 1024 * 1024;

/** A picture with its place in the session's folder; `isNew`: it was written now. */
type SavedPicture = { name: string; path: string; stamp: string; isNew: boolean };

/** `images/` of a session: the pictures of its messages. */
export class PictureFolder {
  readonly #dir: string;

  constructor(session: string) {
    this.#dir = join(session, "images");
  }

  /** A picture as base64; undefined: the session has no such file. Never throws. */
  read(path: string): string | undefined {
    const [, name] = PATH.exec(path) ?? [];
    try {
      return name === undefined || !this.#isOwn() ? undefined : this.#base64(name);
    } catch {
      return undefined;
    }
  }

  /** The state of each file. Never throws. */
  stamps(): ReadonlyMap<string, string> {
    try {
      const names = this.#isOwn() ? readdirSync(this.#dir).sort() : [];
      return new Map(names.map((name) => [name, fileStamp(join(this.#dir, name))]));
    } catch {
      return new Map();
    }
  }

  /** Under its own name, or a free one if a person has put something else there. Throws what the file system throws. */
  save(picture: ImagePart): SavedPicture {
    const own = pictureName(picture);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? own : own.replace(".", `-${count}.`);
      const path = join(this.#dir, name);
      const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      const isSame = isThere && this.read(`images/${name}`) === Buffer.from(picture.data, "base64").toString("base64");
      if (isThere && !isSame) continue;
      if (!isThere) this.#write(path, picture.data);
      return { name, path: `images/${name}`, stamp: fileStamp(path), isNew: !isThere };
    }
  }

  /** Removes what a killed process was writing. Never throws. */
  sweep(): void {
    try {
      if (!this.#isOwn()) return;
      for (const name of readdirSync(this.#dir))
        if (name.endsWith(DRAFT)) rmSync(join(this.#dir, name), { force: true });
    } catch {
      // No message shows them.
    }
  }

  #write(path: string, data: string): void {
    makePrivateFolder(this.#dir);
    const draft = `${path}${DRAFT}`;
    rmSync(draft, { force: true });
    writeOwnFile(draft, Buffer.from(data, "base64"), { flush: true });
    renameSync(draft, path);
  }

  #base64(name: string): string {
    return readRegularFile(join(this.#dir, name), { maxBytes: MAX_BYTES, followLinks: false }).toString("base64");
  }

  #isOwn(): boolean {
    return lstatSync(this.#dir, { throwIfNoEntry: false })?.isDirectory() === true;
  }
}
