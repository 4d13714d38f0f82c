import { isUtf8 } from "node:buffer";
import type { BufferFailure, BufferOffer, ClientBuffers, MissingBuffer } from "@harness/core";
import { isWithin } from "@harness/gate";
import { MAX_BUFFER_CHARS } from "@harness/protocol";
import { type BufferForm, formOf, isPlainText, savedBytes, textInForm } from "./buffer-text.ts";

/** A file as its editor has it: `text` as the client gave it, `bytes` as saving would write them. */
export type OpenBuffer = { text: string; bytes: Buffer; isUnsaved: boolean; form: BufferForm };

/** `buffer`: absent if there is none; `note` then says why it is not known, for the model. */
export type BufferLook = { buffer?: OpenBuffer; note?: string };

/** Looks at files for one call. */
export type BufferReader = { look(realPath: string, disk: Buffer): Promise<BufferLook> };

const NO_OFFER: BufferOffer = { read: false, write: false };

const notes: Readonly<Record<MissingBuffer["missing"], string | undefined>> = {
  unknown: undefined,
  silent: "[The person's editor did not answer in time: this is about the file on disk.]",
  too_large: "[The text in the person's editor is too large: this is about the file on disk.]",
  failed: "[The person's editor could not give its text: this is about the file on disk.]",
};

/** Files that a client may have open in its editor, together with their bytes on disk. */
export class FileBuffers {
  readonly #client: ClientBuffers | undefined;
  readonly #roots: () => readonly string[];

  /** `roots`: the folders whose files clients are asked about; real paths. */
  constructor(client: ClientBuffers | undefined, roots: () => readonly string[]) {
    this.#client = client;
    this.#roots = roots;
  }

  get offer(): BufferOffer {
    return this.#client?.offer ?? NO_OFFER;
  }

  /** Undefined if no client gives the text of files, so that nothing has to be looked at. */
  during(signal: AbortSignal): BufferReader | undefined {
    if (!this.offer.read) return undefined;
    return { look: (realPath, disk) => this.look(realPath, disk, signal) };
  }

  /** The file in the editor; `disk`: its bytes. Never rejects. */
  async look(realPath: string, disk: Buffer, signal: AbortSignal): Promise<BufferLook> {
    if (!this.#client || !this.offer.read || !this.covers(realPath, disk)) return {};
    const answer = await this.#client.read(realPath, signal);
    if ("missing" in answer) {
      const note = notes[answer.missing];
      return note === undefined ? {} : { note };
    }
    const { text } = answer;
    const bytes = savedBytes(text, disk);
    return { buffer: { text, bytes, isUnsaved: !bytes.equals(disk), form: formOf(text, disk) } };
  }

  /** Gives the editor a new content of a file that it was asked about, and has it saved. Never rejects. */
  async write(
    realPath: string,
    bytes: Buffer,
    { form, signal }: { form: BufferForm; signal: AbortSignal },
  ): Promise<BufferFailure | undefined> {
    if (!this.#client) return { problem: "There is no editor", isUnknown: false };
    return await this.#client.write(realPath, textInForm(bytes, form), signal);
  }

  /** True for text of the session's folders: an editor would take another encoding for something else. */
  covers(realPath: string, bytes: Buffer): boolean {
    if (bytes.length > MAX_BUFFER_CHARS || !this.#roots().some((root) => isWithin(realPath, root))) return false;
    return isUtf8(bytes) && !bytes.includes(0);
  }

  /** True if a client that only takes texts can be given this one: nobody knows how it shows marks and line ends. */
  takesUnread(realPath: string, bytes: Buffer): boolean {
    const { read, write } = this.offer;
    return write && !read && this.covers(realPath, bytes) && isPlainText(bytes);
  }
}
