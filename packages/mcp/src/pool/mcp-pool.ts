import { isDeepStrictEqual } from "node:util";
import type { McpServerConfig } from "../config/server-config.ts";
import { CallTimeoutError } from "../connection/call-watch.ts";
import type { McpCallOptions, McpCompletion, McpConnection } from "../connection/connection.ts";
import type { McpAsk } from "../ports/people.ts";
import type { McpPorts } from "../ports/pool-ports.ts";
import { type McpPromptText, type McpResourcePiece, readPieces, readPromptText } from "../results/prompt-text.ts";
import { failedOutcome, type McpOutcome, readOutcome } from "../results/tool-outcome.ts";
import { plainError } from "../text/plain-error.ts";
import { PooledServer, type ServerChange } from "./pooled-server.ts";
import type { McpServerView } from "./server-view.ts";

export type McpChange = { readonly server: string; readonly what: ServerChange };

/**
 * The MCP servers of a folder. Nothing runs before it is needed, and nothing here throws: failures are sentences. A
 * server's offers may change at any time: `servers()` then returns a new list, and callers pick it up when it suits
 * them.
 */
export class McpPool {
  readonly #ports: McpPorts;
  readonly #listeners = new Set<(change: McpChange) => void>();
  #servers = new Map<string, PooledServer>();
  #views: readonly McpServerView[] | undefined;

  constructor(ports: McpPorts) {
    this.#ports = ports;
  }

  /** Adopts new servers, ends those that were removed or changed, and leaves the rest running. Starts nothing. */
  configure(configs: readonly McpServerConfig[]): void {
    const before = this.#servers;
    const sorted = [...configs].sort((a, b) => (a.name < b.name ? -1 : 1));
    this.#servers = new Map(
      sorted.map((config) => {
        const known = before.get(config.name);
        const isSame = known !== undefined && isDeepStrictEqual(known.config, config);
        return [config.name, isSame ? known : this.#create(config)];
      }),
    );
    for (const [name, server] of before) {
      if (this.#servers.get(name) === server) continue;
      void server.close();
      this.#changed(name, "state");
    }
    this.#views = undefined;
  }

  /** Sorted by name; the same list as long as nothing has changed. */
  servers(): readonly McpServerView[] {
    this.#views ??= [...this.#servers.values()].map(({ view }) => view);
    return this.#views;
  }

  /** Starts the servers that belong to the session; resolves when each is ready or has failed. */
  async startAll(): Promise<void> {
    const eager = [...this.#servers.values()].filter(({ config }) => config.start === "session");
    await Promise.all(eager.map((server) => server.start()));
  }

  /** Resolves when it is ready or has failed; undefined: there is no such server. */
  async start(name: string): Promise<McpServerView | undefined> {
    await this.#servers.get(name)?.start();
    return this.#servers.get(name)?.view;
  }

  async restart(name: string): Promise<McpServerView | undefined> {
    await this.#servers.get(name)?.disconnect();
    return this.start(name);
  }

  /** Performs a server's login with the user; `ask` gets the address to open. */
  async login(name: string, ask: McpAsk, signal: AbortSignal): Promise<McpServerView | undefined> {
    await this.#servers.get(name)?.login(ask, signal);
    return this.#servers.get(name)?.view;
  }

  async logOut(name: string): Promise<void> {
    await this.#servers.get(name)?.logOut();
  }

  async callTool(
    server: string,
    tool: string,
    args: Record<string, unknown>,
    options: McpCallOptions,
  ): Promise<McpOutcome> {
    const answer = await this.#reach(server, tool, options, async (connection) =>
      readOutcome(await connection.callTool(tool, args, options)),
    );
    return "problem" in answer ? failedOutcome(answer.problem) : answer;
  }

  getPrompt(
    server: string,
    prompt: string,
    args: Record<string, string>,
    options: McpCallOptions,
  ): Promise<McpPromptText | { problem: string }> {
    return this.#reach(server, prompt, options, async (connection) =>
      readPromptText(await connection.getPrompt(prompt, args, options)),
    );
  }

  async readResource(
    server: string,
    uri: string,
    options: McpCallOptions,
  ): Promise<{ pieces: McpResourcePiece[] } | { problem: string }> {
    return this.#reach(server, uri, options, async (connection) => ({
      pieces: readPieces(await connection.readResource(uri, options)),
    }));
  }

  /**
   * Values for an argument of a prompt or a template; none if the server knows none or does not run. Starts no server.
   */
  async complete(server: string, request: McpCompletion, signal: AbortSignal): Promise<readonly string[]> {
    const connection = this.#servers.get(server)?.running;
    return (await connection?.complete(request, signal).catch(() => [])) ?? [];
  }

  /** Called after each change. Returns a function that unsubscribes. */
  onChanged(listener: (change: McpChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends every server with everything that it started. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await Promise.all([...this.#servers.values()].map((server) => server.close()));
  }

  async #reach<T extends object>(
    name: string,
    what: string,
    { signal }: McpCallOptions,
    use: (connection: McpConnection) => Promise<T>,
  ): Promise<T | { problem: string }> {
    const server = this.#servers.get(name);
    if (!server)
      return { problem: `There is no MCP server ${name}. There are: ${[...this.#servers.keys()].join(", ")}.` };
    for (let isAgain = false; ; isAgain = true) {
      const connection = await server.reach();
      if ("problem" in connection) return connection;
      try {
        return await use(connection);
      } catch (error) {
        // The server has rejected the request because it no longer knows the session.
        if (!isAgain && !signal.aborted && connection.isSessionOver(error)) await server.reconnect(connection);
        else return { problem: failure(error, { name, what, signal }) };
      }
    }
  }

  #create(config: McpServerConfig): PooledServer {
    return new PooledServer(config, this.#ports, (what) => this.#changed(config.name, what));
  }

  #changed(server: string, what: ServerChange): void {
    this.#views = undefined;
    for (const listener of this.#listeners) listener({ server, what });
  }
}

function failure(error: unknown, { name, what, signal }: { name: string; what: string; signal: AbortSignal }): string {
  if (signal.aborted) return `${what} of the MCP server ${name} was cancelled.`;
  const verb = error instanceof CallTimeoutError ? "did not answer" : "failed";
  return `${what} of the MCP server ${name} ${verb}: ${plainError(error)}`;
}
