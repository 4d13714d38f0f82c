import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AcpProbe } from "./acp-probe.ts";

/** An editor behind the client of a probe, with buffers of its own. */
export class EditorBuffers {
  /** Open files by absolute path; others are read from the disk. */
  readonly open = new Map<string, string>();
  /** The requests that it got, with the names of the files. */
  readonly asked: string[] = [];
  /** Whether it writes what it is given to the disk. */
  saves = true;
  /** Changes a text as it takes it. */
  onWrite: (path: string, text: string) => string | Promise<string> = (_path, text) => text;
  /** Before it answers with the text of a file. */
  onRead: (path: string, text: string) => string | Promise<string> = (_path, text) => text;
  readonly #cwd: string;

  constructor(probe: AcpProbe) {
    this.#cwd = probe.cwd;
    probe.answers["fs/read_text_file"] = async ({ path }) => ({ content: await this.#read(String(path)) });
    probe.answers["fs/write_text_file"] = async ({ path, content }) => {
      await this.#write(String(path), String(content));
      return {};
    };
  }

  path(name: string): string {
    return join(this.#cwd, name);
  }

  /** A file that is on disk with one text, and open with another. */
  file(name: string, disk: string, open?: string): void {
    writeFileSync(this.path(name), disk);
    if (open !== undefined) this.type(name, open);
  }

  type(name: string, text: string): void {
    this.open.set(this.path(name), text);
  }

  disk(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  text(name: string): string | undefined {
    return this.open.get(this.path(name));
  }

  get writes(): string[] {
    return this.asked.filter((each) => each.startsWith("write "));
  }

  async #read(path: string): Promise<string> {
    this.asked.push(`read ${path.slice(this.#cwd.length + 1)}`);
    const text = this.open.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined);
    if (text === undefined) throw Object.assign(new Error("Resource not found"), { code: -32002 });
    return await this.onRead(path, text);
  }

  async #write(path: string, content: string): Promise<void> {
    this.asked.push(`write ${path.slice(this.#cwd.length + 1)}`);
    const text = await this.onWrite(path, content);
    this.open.set(path, text);
    if (this.saves) writeFileSync(path, text);
  }
}
