import { dirname } from "node:path";
import type { Clock } from "@harness/gate";
import { type Environment, type GroupCommand, programEnvironment, runProgram } from "@harness/host";
import { type Finding, uniqueFindings } from "../findings/finding.ts";
import type { LanguageServerCommand } from "../process/server-command.ts";
import { findCommand, findRoot, type ProgramSearch } from "../rows/find-command.ts";
import type { ServerRow } from "../rows/server-row.ts";
import { LanguageServer } from "./language-server.ts";

export type LanguageServersOptions = {
  /** The workspace: absolute, without links. */
  readonly folder: string;
  readonly clock: Clock;
  /** Read for each start. */
  readonly env: Environment;
  /** All rows, the person's own first. */
  rows(): readonly ServerRow[];
  /** Whether the project's own programs may be started, and servers that run its code. */
  isTrusted(): boolean;
  /** Marks a process so that it is found and ended after harness was killed. */
  marked(command: GroupCommand): GroupCommand;
  readonly maxMemoryBytes: number;
};

/** How long it counts that a program is not there. */
const LOOK_AGAIN_MS = 30_000;
const PROOF_MS = 3_000;
/** More roots of one kind of server are not served. */
const MAX_SERVERS = 12;

/** `not wanted`: a linter that the folder does not use. */
type LookResult = { server: LanguageServer } | { why: string } | "not wanted";
type Start = { command: LanguageServerCommand } | { why: string };

/** The language servers of a folder: found when a file of their language is edited, one for each root. */
export class LanguageServers {
  readonly #options: LanguageServersOptions;
  readonly #servers = new Map<string, LanguageServer>();
  readonly #looks = new Map<string, { atMs: number; isTrusted: boolean; found: Promise<LookResult> }>();
  readonly #missing = new Map<string, string>();
  #isClosed = false;

  constructor(options: LanguageServersOptions) {
    this.#options = options;
  }

  /** Those that were started. */
  get all(): readonly LanguageServer[] {
    return [...this.#servers.values()];
  }

  /** Why servers were not started for the files that were edited, by their names. */
  get missing(): ReadonlyMap<string, string> {
    return this.#missing;
  }

  /** Everything but hints that servers have found in open files, each once. */
  get findings(): readonly Finding[] {
    const all = this.all.flatMap(({ documents }) => documents.all.flatMap(({ findings }) => findings ?? []));
    return uniqueFindings(all.filter(({ severity }) => severity !== "hint"));
  }

  /** True if a row is about such files. */
  knows(path: string): boolean {
    return this.#options.rows().some((row) => isAbout(row, path));
  }

  /** The servers for a file: the first of its language that can be started, and linters. `cwd`: the agent's folder. */
  async of(path: string, cwd: string): Promise<readonly LanguageServer[]> {
    const servers: LanguageServer[] = [];
    let hasLanguage = false;
    for (const row of this.#options.rows()) {
      if (!isAbout(row, path) || (hasLanguage && !row.isLinter)) continue;
      const found = await this.#look(row, path, cwd);
      if (found === "not wanted") continue;
      if ("why" in found) {
        this.#missing.set(row.name, found.why);
        continue;
      }
      servers.push(found.server);
      this.#missing.delete(row.name);
      hasLanguage ||= row.isLinter !== true;
    }
    return this.#isClosed ? [] : servers;
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.all.map((server) => server.close()));
    this.#servers.clear();
  }

  #look(row: ServerRow, path: string, cwd: string): Promise<LookResult> {
    const { clock, folder } = this.#options;
    const isTrusted = this.#options.isTrusted();
    const folders = [...new Set([cwd, folder])];
    const marked = findRoot(dirname(path), row.roots, folders);
    if (row.isLinter && marked === undefined) return Promise.resolve("not wanted");
    const root = marked ?? folders.find((each) => path.startsWith(`${each}/`)) ?? dirname(path);
    const key = `${row.name}\0${root}`;
    const known = this.#looks.get(key);
    const isFresh = known?.isTrusted === isTrusted && clock.monotonicMs() - known.atMs < LOOK_AGAIN_MS;
    if (known && (isFresh || this.#servers.has(key))) return known.found;
    const found = this.#find(row, root, { folders, isTrusted }).then((start): LookResult => {
      if ("why" in start) return start;
      const server = this.#servers.get(key) ?? this.#create(key, start.command);
      return server ? { server } : { why: `is not started: ${MAX_SERVERS} servers run here already` };
    });
    this.#looks.set(key, { atMs: clock.monotonicMs(), isTrusted, found });
    return found;
  }

  #create(key: string, command: LanguageServerCommand): LanguageServer | undefined {
    if (this.#servers.size >= MAX_SERVERS || this.#isClosed) return undefined;
    const { clock, maxMemoryBytes } = this.#options;
    const server = new LanguageServer(command, { clock, maxMemoryBytes });
    this.#servers.set(key, server);
    return server;
  }

  async #find(row: ServerRow, root: string, place: Omit<ProgramSearch, "path">): Promise<Start> {
    if (row.needsTrust !== undefined && !place.isTrusted)
      return { why: `${row.needsTrust}, so it starts only in a trusted folder` };
    const env = programEnvironment(this.#options.env, [], row.env ?? {});
    const [name, ...args] = row.command;
    const command = findCommand(name, root, { ...place, path: env.PATH ?? "" });
    if (command === undefined) return { why: `is not installed (${row.install})` };
    if (row.proof && !(await isProven(command, row.proof, { cwd: root, env })))
      return { why: `needs another ${name} than ${command} (${row.install})` };
    return { command: { ...this.#options.marked({ command, args, cwd: root, env }), row } };
  }
}

function isAbout({ languages }: ServerRow, path: string): boolean {
  return Object.keys(languages).some((ending) => path.endsWith(ending));
}

async function isProven(
  command: string,
  { args, matches }: NonNullable<ServerRow["proof"]>,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<boolean> {
  const limits = { timeoutMs: PROOF_MS, maxOutputBytes: 10_000, signal: new AbortController().signal };
  const { stdout } = await runProgram({ path: command, args, cwd, env, ...limits });
  return matches.test(stdout);
}
