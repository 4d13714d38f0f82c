import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { digestMeanwhile, makePrivateFolder, readRegularFile, replaceOwnFile, runProgram } from "@harness/host";
import { signalInWords } from "@harness/protocol";
import type { SourceEntry } from "../sources/source.ts";
import { toolName } from "../sources/tool-name.ts";
import { readToolSchema, type ToolDescription } from "./tool-schema.ts";

const MAX_SCHEMA_BYTES = 200_000;
const SCHEMA_TIMEOUT_MS = 10_000;
const MAX_KNOWN = 2_000;
const MAX_AT_ONCE = 4;

type ToolSchemasDeps = {
  /** Where schemas are cached, so that a new session starts no programs for them. */
  folder: string;
  /** The environment of a program of a folder. */
  environment(cwd: string): Record<string, string>;
  /** Receives what a tool writes to stderr. */
  onStderr(path: string, text: string): void;
};

/** `hash`: identifies the file that was asked. */
export type AskedTool = { hash: string; description: ToolDescription } | { hash: string; problem: string };

/** Descriptions of executables as tools; each content is asked once. */
export class ToolSchemas {
  readonly #deps: ToolSchemasDeps;
  readonly #byStamp = new Map<string, AskedTool>();
  readonly #byHash = new Map<string, AskedTool>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(deps: ToolSchemasDeps) {
    this.#deps = deps;
  }

  /** Undefined if it was not asked yet. */
  known({ path, stamp }: SourceEntry): AskedTool | undefined {
    return this.#byStamp.get(`${path}\n${stamp}`);
  }

  /** Asks the unknown ones, a few concurrently. Never rejects. */
  async ask(entries: readonly SourceEntry[], cwd: string): Promise<void> {
    const waiting = entries.filter((entry) => this.known(entry) === undefined);
    const askNext = async (): Promise<void> => {
      for (let entry = waiting.shift(); entry; entry = waiting.shift()) await this.#askOnce(entry, cwd);
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, askNext));
  }

  #askOnce(entry: SourceEntry, cwd: string): Promise<void> {
    const key = `${entry.path}\n${entry.stamp}`;
    if (this.#byStamp.has(key)) return Promise.resolve();
    const asking = this.#asking.get(key) ?? this.#ask(entry, cwd).then((tool) => this.#keep(key, tool));
    this.#asking.set(key, asking);
    return asking;
  }

  #keep(key: string, tool: AskedTool): void {
    this.#asking.delete(key);
    if (this.#byStamp.size >= MAX_KNOWN) this.#byStamp.clear();
    this.#byStamp.set(key, tool);
  }

  async #ask({ path, name: fileName }: SourceEntry, cwd: string): Promise<AskedTool> {
    const name = toolName(fileName);
    const hash = await hashOf(path);
    if (hash === undefined) return { hash: "", problem: "it cannot be read" };
    const key = `${hash}-${name}`;
    const known = this.#byHash.get(key);
    if (known) return known;
    const kept = await this.#kept(key, name);
    const tool = kept ? { hash, description: kept } : await this.#askProgram({ path, hash, name }, cwd);
    if (this.#byHash.size >= MAX_KNOWN) this.#byHash.clear();
    // A failure may have passed by the time that the file is touched.
    if ("description" in tool) this.#byHash.set(key, tool);
    return tool;
  }

  async #askProgram(
    { path, hash, name }: { path: string; hash: string; name: string },
    cwd: string,
  ): Promise<AskedTool> {
    const { environment, onStderr } = this.#deps;
    const tooMuch = new AbortController();
    let chars = 0;
    const end = await runProgram({
      path,
      args: ["--schema"],
      cwd,
      env: environment(cwd),
      input: "",
      timeoutMs: SCHEMA_TIMEOUT_MS,
      signal: tooMuch.signal,
      maxOutputBytes: MAX_SCHEMA_BYTES,
      onOutput(text) {
        chars += text.length;
        if (chars > MAX_SCHEMA_BYTES) tooMuch.abort();
      },
    });
    if (end.stderr.trim() !== "") onStderr(path, end.stderr);
    const problem = endProblem(end);
    if (problem !== undefined) return { hash, problem };
    const read = readToolSchema(end.stdout, name);
    if ("problem" in read) return { hash, problem: read.problem };
    await this.#store(`${hash}-${name}`, end.stdout);
    return { hash, description: read };
  }

  async #kept(key: string, name: string): Promise<ToolDescription | undefined> {
    const file = join(this.#deps.folder, `${key}.json`);
    try {
      const read = readToolSchema(
        readRegularFile(file, { maxBytes: MAX_SCHEMA_BYTES, followLinks: false }).toString("utf8"),
        name,
      );
      if (!("problem" in read)) return read;
      await rm(file, { force: true });
    } catch {
      // It is not cached.
    }
    return undefined;
  }

  /** If it cannot be stored, the tool is asked again in the next session. */
  async #store(key: string, text: string): Promise<void> {
    try {
      const { folder } = this.#deps;
      makePrivateFolder(folder);
      if (readdirSync(folder).length >= MAX_KNOWN) await rm(folder, { recursive: true, force: true });
      makePrivateFolder(folder);
      replaceOwnFile(join(folder, `${key}.json`), text);
    } catch {
      // A full disk is reported where it matters.
    }
  }
}

/** Why a program that was asked gave no answer, as a clause about it. */
function endProblem({
  problem,
  timedOut,
  truncated,
  signal,
  code,
  stderr,
}: Awaited<ReturnType<typeof runProgram>>): string | undefined {
  if (problem !== undefined) return problem;
  if (truncated) return `it printed more than ${MAX_SCHEMA_BYTES / 1000} kB`;
  if (timedOut)
    return `it did not answer within ${SCHEMA_TIMEOUT_MS / 1000} s and was stopped, with what it had started`;
  if (signal !== null) return `it was killed by ${signalInWords(signal)}`;
  const words = stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  return code === 0 ? undefined : `it ended with exit code ${code}${words === "" ? "" : `: ${words}`}`;
}

/** Undefined if it cannot be read. */
export function hashOf(path: string): Promise<string | undefined> {
  return digestMeanwhile(path).catch(() => undefined);
}
