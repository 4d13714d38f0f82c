import { basename } from "node:path";
import type { Egress } from "@harness/core";
import type { McpPool } from "@harness/mcp";
import type { McpLoginFile, McpStoreFile, Redactor } from "@harness/storage";
import { markedProgram } from "@harness/tools";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderSources } from "../sources/folder-sources.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { ConfigLocations, McpAsked } from "./mcp-configs.ts";
import type { McpLogs } from "./mcp-logs.ts";
import { McpServers } from "./mcp-servers.ts";

type McpModule = typeof import("@harness/mcp");

/** Shared by the servers of all folders. */
export type McpOptions = {
  version: string;
  logs: McpLogs;
  kept: {
    servers: McpStoreFile;
    logins: McpLoginFile;
    /** Hides the secrets of an environment from now on, and all known ones. */
    redactor(env: Readonly<Record<string, string | undefined>>): Redactor;
  };
};

type FolderMcpDeps = {
  settings: Pick<FolderSettings, "values" | "environment">;
  sources: Pick<FolderSources, "current">;
  egress: Egress;
  /** Called after each change of a server. */
  onChanged(): void;
};

const NOTHING_ASKED: McpAsked = { files: [], strict: false };

/** The MCP servers of a folder, by the request of its sessions. None is started before a session needs it. */
export class FolderMcp {
  readonly #folder: string;
  readonly #options: McpOptions;
  readonly #deps: FolderMcpDeps;
  readonly #servers = new Map<string, McpServers>();

  constructor(folder: string, options: McpOptions, deps: FolderMcpDeps) {
    this.#folder = folder;
    this.#options = options;
    this.#deps = deps;
  }

  /** The same object for sessions with the same request. */
  servers(request: McpAsked = NOTHING_ASKED): McpServers {
    const key = JSON.stringify([request.strict, request.servers, ...request.files]);
    const known = this.#servers.get(key);
    if (known) return known;
    const servers = this.#create(request);
    this.#servers.set(key, servers);
    return servers;
  }

  /** How long a session waits for them. */
  get waitMs(): number {
    return this.#deps.settings.values.mcp_wait_ms;
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    const all = [...this.#servers.values()];
    this.#servers.clear();
    await Promise.all(all.map((servers) => servers.close()));
  }

  #create(request: McpAsked): McpServers {
    const store = this.#options.kept.servers;
    return new McpServers({
      places: this.#places(request),
      startsWithSession: () => this.#deps.settings.values.mcp_start === "session",
      loadMcp: () => import("@harness/mcp"),
      createPool: (mcp) => this.#createPool(mcp),
      toolUse: {
        pins: {
          pinned(key) {
            const hash = store.read(`pin ${key}`);
            return typeof hash === "string" ? hash : undefined;
          },
          pin(key, hash) {
            if (store.read(`pin ${key}`) !== hash) store.write(`pin ${key}`, hash);
          },
        },
        async fitPicture({ bytes }, signal) {
          const { imageForModel } = await import("@harness/tools");
          return imageForModel(Buffer.from(bytes), { signal });
        },
      },
      onChanged: () => this.#deps.onChanged(),
    });
  }

  #places(request: McpAsked): () => ConfigLocations {
    const { sources, settings } = this.#deps;
    let known: { inventory: unknown; values: unknown; places: ConfigLocations } | undefined;
    return () => {
      const inventory = sources.current;
      const { values } = settings;
      if (known?.inventory === inventory && known.values === values) return known.places;
      const entries = inventory.entries.filter(({ kind }) => kind === "mcp");
      const places = { setting: values.mcp_servers, entries, request, sampling: values.mcp_sampling === "ask" };
      const isSame = known !== undefined && JSON.stringify(places) === JSON.stringify(known.places);
      known = { inventory, values, places: isSame && known ? known.places : places };
      return known.places;
    };
  }

  #createPool(mcp: McpModule): McpPool {
    const cwd = this.#folder;
    const { version, kept, logs } = this.#options;
    const { settings, egress } = this.#deps;
    const { fetch } = mcp.guardedFetch(egress);
    const own = settings.environment.env;
    const editors = { workspaceFolder: cwd, workspaceFolderBasename: basename(cwd), userHome: own.HOME };
    const env = { ...own, ...editors, CLAUDE_PROJECT_DIR: cwd };
    return new mcp.McpPool({
      identity: { name: "harness", version },
      place: { cwd, env, marked: markedProgram },
      clock: nodeClock,
      fetch,
      people: {
        // Outside a call it is unknown which session a server means.
        ask: async () => ({ action: "decline" }),
        roots: () => [cwd, ...settings.values.additional_directories],
      },
      kept: {
        ...kept,
        secrets: {
          add: (named) => void kept.redactor(named),
          hide: (text) => kept.redactor(settings.environment.env).hide(text),
        },
      },
      log: (server) => logs.of(server),
    });
  }
}
