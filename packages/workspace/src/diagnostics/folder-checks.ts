import { totalmem } from "node:os";
import type { EditChecks, FileEdits, Tool } from "@harness/core";
import { isWithin } from "@harness/gate";
import type { Environment } from "@harness/host";
import type { CommandRuns, LanguageServers } from "@harness/lsp";
import { createEdit, type FileBuffers, FileWriter, markedProgram } from "@harness/tools";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderSources } from "../sources/folder-sources.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import type { DiskChanges } from "./disk-changes.ts";
import { DiskWatch } from "./disk-watch.ts";
import { NamedServers } from "./named-servers.ts";
import { renameTool } from "./rename-tool.ts";
import { type CheckedSession, sessionCommand } from "./session-command.ts";

type FolderChecksDeps = {
  /** The real environment: a project's `.env` reaches no server. */
  env: Environment;
  settings: Pick<FolderSettings, "values">;
  trust: Pick<FolderTrust, "state">;
  sources: Pick<FolderSources, "current">;
  changes: DiskChanges;
};

type LspModule = typeof import("@harness/lsp");
type LoadedServers = { lsp: LspModule; servers: LanguageServers; runs: CommandRuns };

/** States of servers that check nothing. */
const FAILED: readonly string[] = ["waiting", "given-up"];
const MAX_SERVER_BYTES = 4_000_000_000;
const NONE: readonly Tool[] = [];
/** Rules may name them before there are any. */
export const languageToolNames: readonly string[] = ["definition", "references", "rename"];

/** The language servers of a folder, and the checks of its sessions. Nothing is loaded before a file is edited. */
export class FolderChecks {
  readonly #folder: string;
  readonly #deps: FolderChecksDeps;
  readonly #disk: DiskWatch;
  #loaded: Promise<LoadedServers> | undefined;
  /** Once they are loaded. */
  #running: LoadedServers | undefined;
  #rows: NamedServers | undefined;

  constructor(folder: string, deps: FolderChecksDeps) {
    this.#folder = folder;
    this.#deps = deps;
    this.#disk = new DiskWatch(deps.changes);
  }

  checks(session: CheckedSession): EditChecks {
    let created: Promise<EditChecks> | undefined;
    let known: EditChecks | undefined;
    const checks = (edits: FileEdits): Promise<EditChecks> | undefined => {
      const { diagnostics, check_command: command } = this.#deps.settings.values;
      if (diagnostics === "off") return undefined;
      // Commands alone start no server.
      if (!this.#loaded && edits.paths.length === 0 && command === "") return undefined;
      created ??= this.#load().then((loaded) => {
        known = this.#create(loaded, session);
        return known;
      });
      return created;
    };
    return {
      before: async (edits, signal) => (await checks(edits))?.before(edits, signal),
      after: async (edits, signal) => (await checks(edits))?.after(edits, signal),
      late: (agent) => known?.late(agent),
      reviewed: () => known?.reviewed(),
    };
  }

  /**
   * Tools that ask language servers: there are some as soon as a server was started. The same array as long as nothing
   * has changed.
   */
  tools(encoding: { readonly fileEncoding: string }, buffers?: FileBuffers): () => readonly Tool[] {
    const edit = createEdit(new FileWriter(buffers), encoding, buffers);
    let made: { of: LoadedServers; tools: readonly Tool[] } | undefined;
    return () => {
      const running = this.#running;
      if (!running || running.servers.all.length === 0) return NONE;
      if (made?.of !== running) {
        const { lsp, servers } = running;
        made = { of: running, tools: [...lsp.navigationTools(servers), renameTool(lsp, servers, edit)] };
      }
      return made.tools;
    };
  }

  /** How many mistakes language servers know of in files that agents have changed, and the last run of the command. */
  get counts(): { errors: number; warnings: number } {
    const { servers, runs } = this.#running ?? {};
    const findings = [...(servers?.findings ?? []), ...(runs?.findings ?? [])];
    const count = (severity: string) => findings.filter((each) => each.severity === severity).length;
    return { errors: count("error"), warnings: count("warning") };
  }

  /** The mistakes and the servers, for people. */
  get lines(): string[] {
    if (!this.#running) return [];
    const { lsp, servers, runs } = this.#running;
    const commands = lsp.commandLines(runs, this.#folder);
    return [...commands, ...lsp.serverLines(servers, this.#folder), ...(this.#rows?.problems ?? [])];
  }

  /**
   * Whether programs of the folder itself are started, and servers that run its code. Where commands run in a sandbox,
   * trust is not enough: agents write that code, and a server would run it outside.
   */
  get isTrusted(): boolean {
    const { settings, trust } = this.#deps;
    if (settings.values.language_server_folders.some((folder) => isWithin(this.#folder, folder))) return true;
    return settings.values.sandbox === "off" && ["trusted", "session"].includes(trust.state());
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    const loaded = await this.#loaded;
    this.#loaded = undefined;
    this.#running = undefined;
    await Promise.all([loaded?.servers.close(), loaded?.runs.close()]);
  }

  #load(): Promise<LoadedServers> {
    this.#loaded ??= import("@harness/lsp").then((lsp) => {
      this.#running = { lsp, servers: this.#servers(lsp), runs: new lsp.CommandRuns() };
      return this.#running;
    });
    return this.#loaded;
  }

  #servers(lsp: LspModule): LanguageServers {
    const { env, sources } = this.#deps;
    const rows = new NamedServers(lsp, sources);
    this.#rows = rows;
    return new lsp.LanguageServers({
      folder: this.#folder,
      clock: nodeClock,
      env,
      rows: () => rows.current,
      isTrusted: () => this.isTrusted,
      marked: markedProgram,
      maxMemoryBytes: Math.min(MAX_SERVER_BYTES, totalmem() / 2),
    });
  }

  #create({ lsp, servers, runs }: LoadedServers, session: CheckedSession): EditChecks {
    const { settings, changes } = this.#deps;
    const isTrusted = () => this.isTrusted;
    const port = sessionCommand(session, { settings, changes, isTrusted });
    const isServed = async (path: string, cwd: string) =>
      (await servers.of(path, cwd)).some(({ command, state }) => !command.row.isLinter && !FAILED.includes(state));
    const level = () => (settings.values.diagnostics === "all" ? "all" : "errors");
    const waitMs = () => settings.values.diagnostics_wait_ms;
    return new lsp.JoinedChecks([
      new lsp.ServerChecks({ servers, clock: nodeClock, disk: this.#disk, level, waitMs }),
      new lsp.CommandChecks({ runs, port, isServed, clock: nodeClock, level }),
    ]);
  }
}
