import { isDeepStrictEqual } from "node:util";
import type { Tool } from "@harness/core";
import type { McpPool, McpServerConfig, McpServerView, McpTool } from "@harness/mcp";
import { type ConfigLocations, type ConfiguredServer, findServers, namesServers } from "./mcp-configs.ts";

export type { McpAsk, McpPrompt } from "@harness/mcp";

type McpModule = typeof import("@harness/mcp");

export type McpServersOptions = {
  /** The places that currently name its servers; the same object as long as nothing has changed. */
  places(): ConfigLocations;
  /** True if servers start with the session unless they say otherwise. */
  startsWithSession(): boolean;
  loadMcp(): Promise<McpModule>;
  createPool(mcp: McpModule): McpPool;
  toolUse: Omit<Parameters<McpModule["mcpTool"]>[1], "pool">;
  /** Called after each change of a server. */
  onChanged(): void;
};

/** A server for display. */
export type McpEntry = { found: ConfiguredServer; view: McpServerView };

type NamedTool = { name: string; config: McpServerConfig; tool: Tool };
type LeftOutTool = { tool: McpTool; problem: string };
type OpenedPool = { mcp: McpModule; pool: McpPool };

const NONE: readonly Tool[] = [];
const NO_ENTRIES: readonly McpEntry[] = [];

/**
 * The MCP servers of a folder with everything they offer, shared by its sessions. Nothing is loaded if none is named.
 */
export class McpServers {
  readonly #parts: McpServersOptions;
  #opened: OpenedPool | undefined;
  #opening: Promise<OpenedPool> | undefined;
  #isClosed = false;
  #places: ConfigLocations | undefined;
  #servers: readonly ConfiguredServer[] = [];
  #problems: readonly string[] = [];
  #made: { of: readonly McpServerView[]; tools: readonly Tool[]; leftOut: readonly LeftOutTool[] } | undefined;
  #tools = new Map<McpTool, NamedTool>();
  #resourceTools: readonly Tool[] | undefined;

  constructor(parts: McpServersOptions) {
    this.#parts = parts;
  }

  /** Undefined: no server is named, so that there is nothing to wait for. */
  refresh(): Promise<void> | undefined {
    const places = this.#parts.places();
    if (places === this.#places) return undefined;
    if (!this.#opened && !namesServers(places)) {
      this.#places = places;
      return undefined;
    }
    return this.#open().then((opened) => this.#configure(opened, this.#parts.places()));
  }

  /** The pool, for callers who know that there are servers; undefined: none was ever named. */
  async pool(): Promise<McpPool | undefined> {
    await this.refresh();
    return this.#opened?.pool;
  }

  get entries(): readonly McpEntry[] {
    const views = this.#opened?.pool.servers() ?? [];
    if (views.length === 0) return NO_ENTRIES;
    const byName = new Map(views.map((view) => [view.name, view]));
    return this.#servers.flatMap((found): McpEntry[] => {
      const view = byName.get(found.config.name);
      return view ? [{ found, view }] : [];
    });
  }

  /** Sentences about files and tools that are not used. */
  get problems(): readonly string[] {
    this.tools();
    return [...this.#problems, ...(this.#made?.leftOut ?? []).map(({ problem }) => problem)];
  }

  /** Starts all servers that were not started yet, without waiting for them. */
  startAll(only?: "session"): void {
    const { pool } = this.#opened ?? {};
    for (const { found, view } of this.entries) {
      if (view.state !== "off" || (only && !this.#startsWithSession(found))) continue;
      void pool?.start(view.name);
    }
  }

  /** The servers that are starting for the first time; each is the same object until its description changes. */
  get starting(): readonly ConfiguredServer[] {
    return this.entries.flatMap(({ found, view }) =>
      view.state === "starting" && view.tools.length === 0 ? [found] : [],
    );
  }

  /** Resolves when a server is ready or has failed. */
  async settled(name: string): Promise<void> {
    await this.#opened?.pool.start(name);
  }

  /** The tools of the ready servers; the same array as long as nothing has changed. */
  tools(): readonly Tool[] {
    const views = this.#opened?.pool.servers();
    if (!this.#opened || !views) return NONE;
    if (this.#made?.of !== views) {
      const made = this.#makeTools(this.#opened, views);
      const isSame =
        this.#made?.tools.length === made.tools.length &&
        made.tools.every((tool, at) => tool === this.#made?.tools[at]);
      this.#made = { of: views, leftOut: made.leftOut, tools: isSame && this.#made ? this.#made.tools : made.tools };
    }
    return this.#made.tools;
  }

  /** The name of a tool for models; undefined: it is not used. */
  nameOf(tool: McpTool): string | undefined {
    this.tools();
    return this.#tools.get(tool)?.name;
  }

  /** Why some tools of a server are not used. */
  problemsOf({ tools }: McpServerView): string[] {
    this.tools();
    return (this.#made?.leftOut ?? []).flatMap(({ tool, problem }) => (tools.includes(tool) ? [problem] : []));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = this.#opened ?? (await this.#opening);
    await opened?.pool.close();
  }

  #startsWithSession({ config }: ConfiguredServer): boolean {
    return (config.start ?? (this.#parts.startsWithSession() ? "session" : "first-use")) === "session";
  }

  #open(): Promise<OpenedPool> {
    this.#opening ??= this.#parts.loadMcp().then((mcp) => {
      const pool = this.#parts.createPool(mcp);
      pool.onChanged(() => this.#parts.onChanged());
      this.#opened = { mcp, pool };
      return this.#opened;
    });
    return this.#opening;
  }

  #configure({ mcp, pool }: OpenedPool, places: ConfigLocations): void {
    if (places === this.#places || this.#isClosed) return;
    this.#places = places;
    const { servers, problems } = findServers(places, mcp);
    this.#servers = servers.map((each) => this.#servers.find((known) => isDeepStrictEqual(known, each)) ?? each);
    this.#problems = problems;
    pool.configure(servers.map(({ config }) => config));
    this.#parts.onChanged();
  }

  #makeTools({ mcp, pool }: OpenedPool, views: readonly McpServerView[]): { tools: Tool[]; leftOut: LeftOutTool[] } {
    const configs = new Map(this.#servers.map(({ config }) => [config.name, config]));
    const all = views.flatMap((view) => view.tools.map((tool) => ({ server: view.name, tool })));
    const names = mcp.mcpToolNames(all.map(({ server, tool }) => ({ server, tool: tool.name })));
    const kept = new Map<McpTool, NamedTool>();
    const leftOut: LeftOutTool[] = [];
    const tools = all.flatMap(({ server, tool }, at): Tool[] => {
      const [config, name = ""] = [configs.get(server), names[at]];
      if (!config) return [];
      const known = this.#tools.get(tool);
      const made =
        known?.name === name && known.config === config
          ? known.tool
          : mcp.mcpTool({ name, config, tool }, { ...this.#parts.toolUse, pool });
      if ("problem" in made) {
        leftOut.push({ tool, problem: made.problem });
        return [];
      }
      kept.set(tool, { name, config, tool: made });
      return [made];
    });
    this.#tools = kept;
    return { tools: [...tools, ...this.#resourceToolsOf({ mcp, pool }, views)], leftOut };
  }

  #resourceToolsOf({ mcp, pool }: OpenedPool, views: readonly McpServerView[]): readonly Tool[] {
    if (views.every(({ resources, templates }) => resources.length === 0 && templates.length === 0)) return NONE;
    const { fitPicture } = this.#parts.toolUse;
    this.#resourceTools ??= mcp.resourceTools({
      pool,
      fitPicture,
      servers: () => pool.servers(),
      configOf: (name) => this.#servers.find(({ config }) => config.name === name)?.config,
    });
    return this.#resourceTools;
  }
}
