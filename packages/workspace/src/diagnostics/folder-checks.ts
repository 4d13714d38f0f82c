import { totalmem } from "node:os";
import type { EditChecks, FileEdits } from "@harness/core";
import type { Environment } from "@harness/host";
import type { LanguageServers } from "@harness/lsp";
import { markedProgram } from "@harness/tools";
import type { FolderSettings } from "../settings/folder-settings.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";

type FolderChecksDeps = {
  /** The real environment: a project's `.env` reaches no server. */
  env: Environment;
  settings: Pick<FolderSettings, "values">;
  trust: Pick<FolderTrust, "state">;
};

type LspModule = typeof import("@harness/lsp");
type LoadedServers = { lsp: LspModule; servers: LanguageServers };

const MAX_SERVER_BYTES = 4_000_000_000;

/** The language servers of a folder, and the checks of its sessions. Nothing is loaded before a file is edited. */
export class FolderChecks {
  readonly #folder: string;
  readonly #deps: FolderChecksDeps;
  #loaded: Promise<LoadedServers> | undefined;

  constructor(folder: string, deps: FolderChecksDeps) {
    this.#folder = folder;
    this.#deps = deps;
  }

  /** The checks of a session. */
  checks(): EditChecks {
    let created: Promise<EditChecks> | undefined;
    const checks = (edits: FileEdits): Promise<EditChecks> | undefined => {
      if (this.#deps.settings.values.diagnostics === "off") return undefined;
      // Commands alone start no server.
      if (!this.#loaded && edits.paths.length === 0) return undefined;
      created ??= this.#load().then(({ lsp, servers }) => this.#create(lsp, servers));
      return created;
    };
    return {
      before: async (edits) => (await checks(edits))?.before(edits),
      after: async (edits, signal) => (await checks(edits))?.after(edits, signal),
    };
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    const loaded = await this.#loaded;
    this.#loaded = undefined;
    await loaded?.servers.close();
  }

  #load(): Promise<LoadedServers> {
    this.#loaded ??= import("@harness/lsp").then((lsp) => ({ lsp, servers: this.#servers(lsp) }));
    return this.#loaded;
  }

  #servers(lsp: LspModule): LanguageServers {
    const { env, trust } = this.#deps;
    return new lsp.LanguageServers({
      folder: this.#folder,
      clock: nodeClock,
      env,
      rows: () => lsp.serverRows,
      isTrusted: () => ["trusted", "session"].includes(trust.state()),
      marked: markedProgram,
      maxMemoryBytes: Math.min(MAX_SERVER_BYTES, totalmem() / 2),
    });
  }

  #create(lsp: LspModule, servers: LanguageServers): EditChecks {
    const { settings } = this.#deps;
    return new lsp.ServerChecks({
      servers,
      clock: nodeClock,
      get level() {
        return settings.values.diagnostics === "all" ? "all" : "errors";
      },
      get waitMs() {
        return settings.values.diagnostics_wait_ms;
      },
    });
  }
}
