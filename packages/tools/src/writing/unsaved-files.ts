import type { SettledBuffers, UnsavedBuffers } from "@harness/core";
import type { FileBuffers, OpenBuffer } from "../buffers/file-buffers.ts";
import { type DiskFile, diskFile } from "./disk-file.ts";
import { FileWriter } from "./file-writer.ts";

/** A revert of more files than a person has open does not ask about each. */
const MAX_FILES = 200;
/** A client answers a limited number of requests at a time. */
const AT_ONCE = 16;

type FileInEditor = { disk: DiskFile; buffer: OpenBuffer };

/** Texts that are in an editor and not on disk, for checkpoints and reverts. */
export class UnsavedFiles implements UnsavedBuffers {
  readonly #buffers: FileBuffers;
  readonly #writer: FileWriter;

  constructor(buffers: FileBuffers) {
    this.#buffers = buffers;
    this.#writer = new FileWriter(buffers);
  }

  get isOffered(): boolean {
    const { read, write } = this.#buffers.offer;
    return read || write;
  }

  async find(paths: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const files = await this.#inEditor(paths);
    return new Map([...files].flatMap(([path, { buffer }]) => (buffer.isUnsaved ? [[path, buffer.bytes]] : [])));
  }

  async settle(paths: readonly string[]): Promise<SettledBuffers> {
    const files = await this.#inEditor(paths);
    const left: string[] = [];
    for (const [realPath, { buffer, disk }] of files) {
      if (!buffer.isUnsaved) continue;
      const saved = await this.#writer.write([{ realPath, bytes: buffer.bytes, before: disk.stats, buffer }]);
      if ("error" in saved) left.push(realPath);
    }
    return { left, show: () => this.#show(paths, files) };
  }

  /** Editors load a file that has changed on disk by themselves, sooner or later; then there is nothing to show. */
  async #show(paths: readonly string[], earlier: ReadonlyMap<string, FileInEditor>): Promise<void> {
    const { read, write } = this.#buffers.offer;
    if (!write) return;
    const { signal } = new AbortController();
    if (!read) {
      for (const path of paths.slice(0, MAX_FILES)) {
        const disk = await diskFile(path);
        if (disk && this.#buffers.takesUnread(path, disk.bytes))
          await this.#buffers.write(path, disk.bytes, { form: { isBare: false, isUnix: false }, signal });
      }
      return;
    }
    const files = await this.#inEditor([...earlier.keys()]);
    for (const [path, { disk, buffer }] of files) {
      const isTouched = buffer.text !== earlier.get(path)?.buffer.text;
      if (buffer.isUnsaved && !isTouched) await this.#buffers.write(path, disk.bytes, { form: buffer.form, signal });
    }
  }

  /** Those of the files whose text the editor gives. */
  async #inEditor(paths: readonly string[]): Promise<Map<string, FileInEditor>> {
    const files = new Map<string, FileInEditor>();
    if (!this.#buffers.offer.read) return files;
    const { signal } = new AbortController();
    const look = async (path: string) => {
      const disk = await diskFile(path);
      const { buffer } = disk ? await this.#buffers.look(path, disk.bytes, signal) : {};
      if (disk && buffer) files.set(path, { disk, buffer });
    };
    const asked = paths.slice(0, MAX_FILES);
    for (let at = 0; at < asked.length; at += AT_ONCE) await Promise.all(asked.slice(at, at + AT_ONCE).map(look));
    return files;
  }
}
