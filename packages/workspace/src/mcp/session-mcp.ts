import type { Tool } from "@harness/core";
import type { Clock } from "@harness/gate";
import type { AddedTools } from "../tools/live-tools.ts";
import type { ConfiguredServer } from "./mcp-configs.ts";
import type { McpServers } from "./mcp-servers.ts";

type SessionMcpDeps = {
  folder: McpServers;
  clock: Pick<Clock, "sleep">;
  /** How long a message waits for servers that are starting. */
  waitMs(): number;
};

/** The tools of a folder's MCP servers for one session: changes take effect with its next message. */
export class SessionMcp implements AddedTools {
  readonly #deps: SessionMcpDeps;
  #tools: readonly Tool[];
  /** Servers whose start was already awaited once, so that a hanging server delays a single message. */
  readonly #waitedFor = new WeakSet<ConfiguredServer>();

  constructor(deps: SessionMcpDeps) {
    this.#deps = deps;
    this.#tools = deps.folder.tools();
  }

  /** Starts the servers that belong to the session without waiting. */
  open(): void {
    const { folder } = this.#deps;
    void Promise.resolve(folder.refresh())
      .then(() => folder.startAll("session"))
      .catch(() => undefined);
  }

  tools(): readonly Tool[] {
    return this.#tools;
  }

  prepare({ turnStarts, signal }: Parameters<AddedTools["prepare"]>[0]): Promise<void> | undefined {
    if (!turnStarts) return undefined;
    const { folder } = this.#deps;
    const looking = folder.refresh();
    if (looking !== undefined) return looking.then(() => this.#begin(signal)).catch(() => undefined);
    return this.#begin(signal);
  }

  #begin(signal: AbortSignal): Promise<void> | undefined {
    const { folder, clock, waitMs } = this.#deps;
    folder.startAll();
    const starting = folder.starting.filter((server) => !this.#waitedFor.has(server));
    if (starting.length === 0) return this.#take();
    for (const server of starting) this.#waitedFor.add(server);
    const over = new AbortController();
    const until = AbortSignal.any([signal, over.signal]);
    const late = clock.sleep(waitMs(), until).catch(() => undefined);
    const all = Promise.all(starting.map(({ config }) => folder.settled(config.name)));
    return Promise.race([all, late]).then(() => {
      over.abort();
      this.#take();
    });
  }

  #take(): undefined {
    this.#tools = this.#deps.folder.tools();
  }
}
