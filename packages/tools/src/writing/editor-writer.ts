import { unlink } from "node:fs/promises";
import type { BufferFailure } from "@harness/core";
import { type BufferForm, isSameText } from "../buffers/buffer-text.ts";
import type { FileBuffers } from "../buffers/file-buffers.ts";
import { type DiskFile, diskFile } from "./disk-file.ts";
import { type FileEdit, isSameFile, PreparedChange, WriteConflictError } from "./prepared-change.ts";

/** The editor has not taken a text; `isUnknown`: or may have taken it. */
export class EditorWriteError extends Error {
  readonly isUnknown: boolean;
  constructor({ problem, isUnknown }: BufferFailure) {
    super(problem);
    this.isUnknown = isUnknown;
  }
}

const AS_IT_IS: BufferForm = { isBare: false, isUnix: false };

/** The part of some changes that goes through the editor of a client, and is verified on disk afterwards. */
export class EditorWriter {
  readonly #buffers: FileBuffers;
  readonly #signal: AbortSignal;
  /** Changes that the editor has made. */
  readonly #made: FileEdit[] = [];

  constructor(buffers: FileBuffers, signal: AbortSignal) {
    this.#buffers = buffers;
    this.#signal = signal;
  }

  /** True if the change goes through the editor, which has been asked for the file. */
  takes({ realPath, bytes, before, buffer }: FileEdit): boolean {
    // It keeps neither the other names of a file nor an encoding.
    const isPlain = before?.nlink === 1n && bytes !== undefined && this.#buffers.covers(realPath, bytes);
    return buffer !== undefined && this.#buffers.offer.write && isPlain;
  }

  /**
   * Writes a change through the editor if it has the file; true: it is on disk. Otherwise `prepared` has still to be
   * carried out. Throws `WriteConflictError`, `EditorWriteError` and disk errors.
   */
  async put(change: FileEdit, prepared: PreparedChange, { isAlone }: { isAlone: boolean }): Promise<boolean> {
    const form = await this.#formOf(change, isAlone);
    if (!form || !change.bytes) return false;
    const { realPath, bytes, before } = change;
    // The editor goes by the path: it must still lead there.
    prepared.check();
    const failed = await this.#buffers.write(realPath, bytes, { form, signal: this.#signal });
    const disk = await diskFile(realPath);
    const isWritten = disk?.bytes.equals(bytes) === true;
    // Editors that replace a file may give it another mode.
    const isSaved = isWritten && (!before || disk.stats.mode === before.mode);
    if (failed && !(failed.isUnknown && isWritten)) throw new EditorWriteError(failed);
    const isUntouched = !isWritten && isSameFile(disk?.stats, before);
    if (isUntouched) await this.#needTaken(change, disk);
    this.#made.push(change);
    if (isSaved || isUntouched) return isSaved;
    if (!disk || !isSameText(disk.bytes.toString(), bytes.toString())) return true;
    // It was saved with other line ends than it had, or with another mode.
    prepared.follow(disk.stats);
    return false;
  }

  /** The content now, if it is not the written one: the editor has changed it, or the person has. */
  async otherwise({ realPath, bytes }: FileEdit): Promise<Buffer | undefined> {
    const isMade = this.#made.some((each) => each.realPath === realPath);
    const disk = isMade ? await diskFile(realPath) : undefined;
    if (!disk || !bytes) return undefined;
    const { buffer } = await this.#buffers.look(realPath, disk.bytes, this.#signal);
    const now = buffer?.bytes ?? disk.bytes;
    return now.equals(bytes) ? undefined : now;
  }

  /** Undoes what the editor has made, newest first: whether each file, by its path, is as it was. */
  async takeBack(): Promise<Map<string, boolean>> {
    const isBack = new Map<string, boolean>();
    for (const change of this.#made.toReversed())
      isBack.set(change.realPath, await this.#putBack(change).catch(() => false));
    return isBack;
  }

  /** The form in which the editor takes the file; undefined: it is written to the disk. */
  async #formOf(change: FileEdit, isAlone: boolean): Promise<BufferForm | undefined> {
    const { realPath, bytes, before, buffer } = change;
    const { read, write } = this.#buffers.offer;
    if (buffer) {
      await this.#needSame(change, buffer.text);
      return this.takes(change) ? buffer.form : undefined;
    }
    // A file that is moved keeps its mode.
    if (!bytes || !write || change.like) return undefined;
    if (before)
      return isAlone && before.nlink === 1n && this.#buffers.takesUnread(realPath, bytes) ? AS_IT_IS : undefined;
    if (!read) return this.#buffers.takesUnread(realPath, bytes) ? AS_IT_IS : undefined;
    if (!this.#buffers.covers(realPath, bytes)) return undefined;
    return (await this.#isFree(realPath)) ? AS_IT_IS : undefined;
  }

  /** The person may have typed since the file was looked at. */
  async #needSame({ realPath, before, buffer }: FileEdit, text: string): Promise<void> {
    const disk = await diskFile(realPath);
    if (!isSameFile(disk?.stats, before) || !disk) throw new WriteConflictError();
    const now = await this.#buffers.look(realPath, disk.bytes, this.#signal);
    if (now.buffer ? now.buffer.text !== text : buffer?.isUnsaved) throw new WriteConflictError();
  }

  /** False if the editor does not say; a text that was never saved is the person's, and stays. */
  async #isFree(realPath: string): Promise<boolean> {
    const { buffer, note } = await this.#buffers.look(realPath, Buffer.alloc(0), this.#signal);
    if (buffer?.isUnsaved) {
      const problem = "The person's editor has text in this file that was never saved";
      throw new EditorWriteError({ problem, isUnknown: false });
    }
    return note === undefined;
  }

  /** An editor that keeps its text to itself for now is fine; one that still has the old text has not taken the new. */
  async #needTaken({ realPath, buffer, bytes }: FileEdit, disk: DiskFile | undefined): Promise<void> {
    if (!buffer || !disk || bytes?.equals(buffer.bytes)) return;
    const now = await this.#buffers.look(realPath, disk.bytes, this.#signal);
    if (now.buffer?.bytes.equals(buffer.bytes))
      throw new EditorWriteError({ problem: "The editor still has the old text", isUnknown: false });
  }

  async #putBack({ realPath, bytes, before, buffer }: FileEdit): Promise<boolean> {
    const disk = await diskFile(realPath);
    if (!before) {
      if (disk && bytes?.equals(disk.bytes)) await unlink(realPath);
      return disk === undefined || bytes?.equals(disk.bytes) === true;
    }
    if (!buffer) return false;
    const signal = new AbortController().signal;
    const failed = await this.#buffers.write(realPath, buffer.bytes, { form: buffer.form, signal });
    const now = await diskFile(realPath);
    if (failed || !now) return false;
    if (now.bytes.equals(buffer.bytes)) return true;
    const back = new PreparedChange({ realPath, bytes: buffer.bytes, before: now.stats }, { keepsOld: false });
    try {
      back.carryOut();
      return true;
    } finally {
      back.end();
    }
  }
}
