import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { Clock } from "@harness/gate";
import { callMark, newCallId, readStat } from "@harness/host";
import type { NotedChange } from "../src/checks/disk-looks.ts";
import { ServerChecks } from "../src/checks/server-checks.ts";
import { LanguageServers } from "../src/pool/language-servers.ts";
import type { ServerRow } from "../src/rows/server-row.ts";

const clock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((end) => {
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        end();
      });
    }),
};

/** The row of the fake server. */
export function fakeRow(faults: readonly string[] = [], more: Partial<ServerRow> = {}): ServerRow {
  const server = resolve(import.meta.dirname, "fake-server.ts");
  return {
    name: "fake",
    languages: { ".txt": "plaintext" },
    roots: [],
    command: [process.execPath, server, ...faults],
    install: "npm test",
    ...more,
  };
}

/** The variables by which processes are found that have left their group. */
function markOf(): Readonly<Record<string, string>> {
  return callMark(newCallId(), { start: readStat(process.pid)?.start ?? "" });
}

type Setup = {
  rows: readonly ServerRow[];
  waitMs?: number;
  level?: "errors" | "all";
  isTrusted?: boolean;
  path?: string;
  clock?: Clock;
  maxMemoryBytes?: number;
  /** Processes are found again although they have left the group. */
  isMarked?: boolean;
  /** The changes on disk since it was last asked. */
  since?: () => NotedChange[];
};

/** A folder whose files are edited and checked as an agent's are. */
export class CheckedFolder {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "lsp-")));
  readonly servers: LanguageServers;
  readonly #checks: ServerChecks;
  readonly #staged = new Map<string, string | null>();

  constructor({ rows, waitMs = 20_000, level = "errors", isTrusted = false, ...more }: Setup) {
    const env = { ...process.env, PATH: more.path ?? process.env.PATH };
    this.servers = new LanguageServers({
      folder: this.folder,
      clock: more.clock ?? clock,
      env,
      rows: () => rows.map((row) => ({ ...row, env: { ...row.env, FAKE_LOG: this.path("../", "log") } })),
      isTrusted: () => isTrusted,
      marked: (command) => (more.isMarked ? { ...command, env: { ...command.env, ...markOf() } } : command),
      maxMemoryBytes: more.maxMemoryBytes ?? 4e9,
    });
    const disk = { since: async () => more.since?.().map((each) => ({ ...each, path: this.path(each.path) })) ?? [] };
    this.#checks = new ServerChecks({
      servers: this.servers,
      clock: more.clock ?? clock,
      disk,
      level: () => level,
      waitMs: () => waitMs,
    });
  }

  path(...names: string[]): string {
    return names[0] === "../" ? `${this.folder}.${names[1]}` : join(this.folder, ...names);
  }

  put(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  /** The methods that the fake server was sent. */
  get log(): string[] {
    return readFileSync(this.path("../", "log"), "utf8").trim().split("\n");
  }

  /** How often the fake server was started. */
  get starts(): number {
    return this.log.filter((line) => line === "start").length;
  }

  /** Writes files as one batch of a turn. Resolves with the words for the model. */
  async edit(turnId: string, files: Record<string, string>): Promise<string | undefined> {
    const paths = Object.keys(files).map((name) => this.path(name));
    const edits = { agentId: "main", turnId, cwd: this.folder, paths };
    await this.#checks.before(edits);
    for (const [name, text] of Object.entries(files)) this.put(name, text);
    return (await this.#checks.after({ ...edits, commands: false }, new AbortController().signal))?.text;
  }

  /** Stages files as one batch of a turn: they are on disk as they were. */
  async stage(turnId: string, files: Record<string, string | null>): Promise<string | undefined> {
    const paths = Object.keys(files).map((name) => this.path(name));
    const edits = { agentId: "main", turnId, cwd: this.folder, paths };
    await this.#checks.before({ ...edits, staged: new Map(this.#staged) });
    for (const [name, text] of Object.entries(files)) {
      const content = `${this.path("../", "staged")}-${name}`;
      if (text !== null) writeFileSync(content, text);
      this.#staged.set(this.path(name), text === null ? null : content);
    }
    const staged = new Map(this.#staged);
    return (await this.#checks.after({ ...edits, staged, commands: false }, new AbortController().signal))?.text;
  }

  /** Ends the review: all of it is written, or nothing. */
  async review({ take }: { take: boolean }): Promise<void> {
    for (const [path, content] of take ? this.#staged : []) {
      if (content === null) rmSync(path);
      else writeFileSync(path, readFileSync(content));
    }
    this.#staged.clear();
    this.#checks.reviewed();
    await this.settled();
  }

  /** A verdict that came too late for its edits. */
  late(): string | undefined {
    return this.#checks.late({ agentId: "main" })?.text;
  }

  /** Resolves when the servers have answered everything that they were asked. */
  async settled(): Promise<void> {
    const anything = { path: this.path("settled.txt"), text: "" };
    for (const server of this.servers.all) await server.check([anything])[0];
  }

  /** Changes files as a command does, which says nothing of them. */
  async run(turnId: string, files: Record<string, string>): Promise<string | undefined> {
    const edits = { agentId: "main", turnId, cwd: this.folder, paths: [] };
    await this.#checks.before(edits);
    for (const [name, text] of Object.entries(files)) this.put(name, text);
    return (await this.#checks.after({ ...edits, commands: true }, new AbortController().signal))?.text;
  }

  async close(): Promise<void> {
    await this.servers.close();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.path("../", "log"), { force: true });
    for (const name of readdirSync(dirname(this.folder)))
      if (name.startsWith(`${basename(this.folder)}.staged`)) rmSync(join(dirname(this.folder), name));
  }
}
