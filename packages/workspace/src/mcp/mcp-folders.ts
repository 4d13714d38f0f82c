import { basename, join } from "node:path";
import type { SourceInventory } from "@harness/extensions";
import { PrivateLog, readRegularFile } from "@harness/host";
import type { McpPool, McpServerConfig } from "@harness/mcp";
import type { ConfigPaths, McpLoginFile, McpStoreFile, Redactor } from "@harness/storage";
import { markedProgram } from "@harness/tools";
import type { EgressGuard } from "../egress/egress-guard.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { ConfigPlaces, McpAsked } from "./mcp-configs.ts";
import { McpFolder } from "./mcp-folder.ts";

type McpModule = typeof import("@harness/mcp");
type Env = Readonly<Record<string, string | undefined>>;

export type McpFoldersDeps = {
  harness: { version: string; configPaths: Pick<ConfigPaths, "root" | "logs"> };
  kept: {
    servers: McpStoreFile;
    logins: McpLoginFile;
    /** Hides the secrets of an environment from now on, and all known ones. */
    redactor(env: Env): Redactor;
  };
  sources: SourceInventory;
  settings: SettingsStore;
  egress: EgressGuard;
  /** The environment with the `.env` files of a folder. */
  inspect(folder: string): { env: Env };
  /** Called with the folder after each change of its servers. */
  onChanged(cwd: string): void;
};

const NOTHING_ASKED: McpAsked = { files: [], strict: false };
const MAX_LOG_BYTES = 1024 * 1024;

/** The MCP servers of all folders that have sessions. */
export class McpFolders {
  readonly #deps: McpFoldersDeps;
  readonly #folders = new Map<string, { cwd: string; folder: McpFolder }>();

  constructor(deps: McpFoldersDeps) {
    this.#deps = deps;
  }

  /** The same object for sessions of a folder that have asked for the same. */
  at(cwd: string, asked: McpAsked = NOTHING_ASKED): McpFolder {
    const key = JSON.stringify([cwd, asked.strict, ...asked.files]);
    const known = this.#folders.get(key);
    if (known) return known.folder;
    const folder = this.#create(cwd, asked);
    this.#folders.set(key, { cwd, folder });
    return folder;
  }

  /** A session's access to the servers of a folder. */
  forSession(cwd: string, asked?: McpAsked): { folder: McpFolder; waitMs(): number } {
    return { folder: this.at(cwd, asked), waitMs: () => this.#deps.settings.live(cwd).values.mcp_wait_ms };
  }

  /** The folder of the person's own `mcp.json`. */
  get root(): string {
    return this.#deps.harness.configPaths.root;
  }

  /** The file that has the stderr and the messages of a server. */
  #logOf(server: string): PrivateLog {
    const name = server.replace(/[^\w.-]/g, "_").slice(0, 60);
    return new PrivateLog(join(this.#deps.harness.configPaths.logs, `mcp-${name}.log`), {
      maxBytes: MAX_LOG_BYTES,
      kept: 1,
    });
  }

  /** The last lines of it. */
  lastLines(server: string, count: number): { path: string; lines: string[] } {
    const { path } = this.#logOf(server);
    const text = textOf(path);
    return { path, lines: text.trimEnd().split("\n").filter(Boolean).slice(-count) };
  }

  /** Ends all servers. */
  async close(): Promise<void> {
    const all = [...this.#folders.values()];
    this.#folders.clear();
    await Promise.all(all.map(({ folder }) => folder.close()));
  }

  #create(cwd: string, asked: McpAsked): McpFolder {
    const { settings } = this.#deps;
    const store = this.#deps.kept.servers;
    return new McpFolder({
      places: this.#places(cwd, asked),
      startsWithSession: () => settings.live(cwd).values.mcp_start === "session",
      loadMcp: () => import("@harness/mcp"),
      createPool: (mcp) => this.#createPool(mcp, cwd),
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
      onChanged: () => this.#deps.onChanged(cwd),
    });
  }

  #places(cwd: string, asked: McpAsked): () => ConfigPlaces {
    const { sources, settings } = this.#deps;
    let known: { inventory: unknown; values: unknown; places: ConfigPlaces } | undefined;
    return () => {
      const inventory = sources.at(cwd);
      const { values } = settings.live(cwd);
      if (known?.inventory === inventory && known.values === values) return known.places;
      const entries = inventory.entries.filter(({ kind }) => kind === "mcp");
      const places = { setting: values.mcp_servers, entries, asked, sampling: values.mcp_sampling === "ask" };
      const isSame = known !== undefined && JSON.stringify(places) === JSON.stringify(known.places);
      known = { inventory, values, places: isSame && known ? known.places : places };
      return known.places;
    };
  }

  #createPool(mcp: McpModule, cwd: string): McpPool {
    const { harness, egress, inspect, settings, kept } = this.#deps;
    const { fetch } = mcp.guardedFetch(egress.at(cwd));
    const own = inspect(cwd).env;
    const editors = { workspaceFolder: cwd, workspaceFolderBasename: basename(cwd), userHome: own.HOME };
    const env = { ...own, ...editors, CLAUDE_PROJECT_DIR: cwd };
    return new mcp.McpPool({
      identity: { name: "harness", version: harness.version },
      place: { cwd, env, marked: markedProgram },
      clock: nodeClock,
      fetch,
      people: {
        // Outside of a call nobody knows which session a server means.
        ask: async () => ({ action: "decline" }),
        roots: () => [cwd, ...settings.live(cwd).values.additional_directories],
      },
      kept: {
        ...kept,
        secrets: {
          add: (named) => void kept.redactor(named),
          hide: (text) => kept.redactor(inspect(cwd).env).hide(text),
        },
      },
      log: (server) => this.#writeLog(server),
    });
  }

  #writeLog(server: McpServerConfig["name"]): { append(line: string): void } {
    const log = this.#logOf(server);
    return {
      append(line) {
        try {
          log.append(`${new Date().toISOString()} ${line.replaceAll("\n", "\n    ")}`);
        } catch {
          // A log that cannot be written must not be the second thing that fails.
        }
      },
    };
  }
}

/** Empty where there is no file that can be read. */
function textOf(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: 2 * MAX_LOG_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return "";
  }
}
