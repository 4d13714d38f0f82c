import { readFileSync, writeFileSync } from "node:fs";
import type { BufferFailure, BufferOffer, ClientBuffers, MissingBuffer } from "@harness/core";

/** An editor with files open, as its client answers for it. */
export class MemoryEditor implements ClientBuffers {
  offer: BufferOffer = { read: true, write: true };
  /** Open files; others are given as on disk. */
  readonly open = new Map<string, string>();
  readonly asked: string[] = [];
  /** Whether it writes to the disk what it is given. */
  saves = true;
  /** Changes a text before it is taken, or fails. */
  onWrite: (text: string, path: string) => string | BufferFailure = (text) => text;
  /** Answers before a file is read. */
  onRead: (path: string) => MissingBuffer | undefined = () => undefined;

  async read(path: string): Promise<{ text: string } | MissingBuffer> {
    this.asked.push(`read ${path}`);
    const missing = this.onRead(path);
    if (missing) return missing;
    try {
      return { text: this.open.get(path) ?? readFileSync(path, "utf8") };
    } catch {
      return { missing: "unknown" };
    }
  }

  async write(path: string, text: string): Promise<BufferFailure | undefined> {
    this.asked.push(`write ${path}`);
    const taken = this.onWrite(text, path);
    if (typeof taken !== "string") return taken;
    this.open.set(path, taken);
    if (this.saves) writeFileSync(path, taken);
    return undefined;
  }
}
