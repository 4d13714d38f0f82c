import { McpLoginError } from "../auth/login-attempt.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import { CallTimeoutError } from "../connection/call-watch.ts";
import type { McpConnection } from "../connection/connection.ts";
import { emptyLists, type ServerLists } from "../connection/server-lists.ts";
import { ServerLog } from "../connection/server-log.ts";
import type { McpAsk } from "../ports/people.ts";
import type { McpPorts } from "../ports/pool-ports.ts";
import { plainError } from "../text/plain-error.ts";
import type { McpServerState, McpServerView } from "./server-view.ts";
import { explainStart, lastWords } from "./start-problem.ts";
import { type PreparedServer, prepareServer, STARTUP_MS, type StartedServer, startServer } from "./start-server.ts";

/** A server that ends is restarted after these delays; after the last it stays down until it is needed. */
const BACKOFF_MS = [500, 2_000, 8_000, 30_000];
/** After running this long, a server starts again with the first delay. */
const STEADY_MS = 60_000;

/** A server that still wants a login after these will never be satisfied. */
const MAX_LOGINS = 3;

export type ServerChange = "state" | "lists";

/** A server of a pool: started once at a time, restarted when it ends, and visible to others as a view. */
export class PooledServer {
  readonly config: McpServerConfig;
  readonly #ports: McpPorts;
  readonly #onChange: (change: ServerChange) => void;
  readonly #log: ServerLog;
  readonly #closing = new AbortController();
  #prepared: PreparedServer | undefined;
  #connection: McpConnection | undefined;
  #starting: Promise<void> | undefined;
  #failures = 0;
  #view: McpServerView;

  constructor(config: McpServerConfig, ports: McpPorts, onChange: (change: ServerChange) => void) {
    this.config = config;
    this.#ports = ports;
    this.#onChange = onChange;
    this.#log = new ServerLog(ports.log(config.name), ports.kept.secrets, () => ports.clock.now());
    const { name, from } = config;
    this.#view = { ...emptyLists, name, from, state: config.trusted === false ? "needs-trust" : "off" };
  }

  get view(): McpServerView {
    return this.#view;
  }

  /** Undefined: it is not running at the moment. */
  get running(): McpConnection | undefined {
    return this.#connection;
  }

  /** Resolves when it is ready or has failed; the view says which. */
  start(): Promise<void> {
    if (this.#connection || !this.#mayStart()) return Promise.resolve();
    this.#starting ??= this.#open().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  /** An open connection, starting the server if necessary; otherwise the problem as a sentence. */
  async reach(): Promise<McpConnection | { problem: string }> {
    await this.start();
    return this.#connection ?? { problem: this.#absence() };
  }

  /** Ends it silently, and its view with it. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the pool is closed"));
    await this.#starting;
    await this.#connection?.close();
  }

  /** Ends the connection, so that the next start is a fresh one. */
  async disconnect(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
    if (!this.#closing.signal.aborted) this.#show("off", emptyLists);
  }

  /** Replaces a connection that no longer works; its tools stay in view. */
  async reconnect(used: McpConnection): Promise<void> {
    if (this.#connection === used) {
      this.#connection = undefined;
      void used.retire();
    }
    await this.start();
  }

  /** Starts it, and performs its login with the user if it needs one. */
  async login(ask: McpAsk, signal: AbortSignal): Promise<void> {
    await this.start();
    for (let logins = 0; logins < MAX_LOGINS && this.#view.state === "needs-login"; logins += 1) {
      try {
        await this.#prepared?.auth?.login(ask, signal);
      } catch (error) {
        return this.#show("needs-login", emptyLists, loginProblem(error, this.config.name));
      }
      await this.start();
    }
  }

  /** Forgets the login. */
  async logOut(): Promise<void> {
    this.#prepared ??= await prepareServer(this.config, this.#ports, this.#log).catch(() => undefined);
    this.#prepared?.auth?.logOut();
    await this.disconnect();
  }

  async refresh(): Promise<void> {
    const connection = this.#connection;
    if (!connection) return;
    try {
      const lists = await connection.lists(this.#closing.signal, STARTUP_MS);
      if (this.#connection === connection) this.#show("ready", lists);
    } catch (error) {
      this.#log.line(`(harness) Its lists could not be read again: ${plainError(error)}`);
    }
  }

  #mayStart(): boolean {
    return this.config.enabled !== false && this.config.trusted !== false && !this.#closing.signal.aborted;
  }

  #absence(): string {
    const { name, from, enabled, trusted } = this.config;
    if (enabled === false) return `The MCP server ${name} is switched off in ${from}.`;
    if (trusted === false) return `The MCP server ${name} comes from ${from}, which is not trusted.`;
    return this.#view.problem ?? `The MCP server ${name} is not running.`;
  }

  async #open(): Promise<void> {
    const { config } = this;
    this.#show("starting", this.#view);
    const limitMs = config.startupTimeoutMs ?? STARTUP_MS;
    const over = new AbortController();
    const late = new AbortController();
    void this.#ports.clock.sleep(limitMs, over.signal).then(() => late.abort(new CallTimeoutError("total", limitMs)));
    const signal = AbortSignal.any([this.#closing.signal, late.signal]);
    try {
      this.#prepared ??= await prepareServer(config, this.#ports, this.#log);
      const starting = startServer(this.#prepared, () => void this.refresh(), signal);
      const { connection, lists } = await orAbort(starting, signal);
      this.#take(connection, lists);
    } catch (error) {
      const { state, problem } = explainStart(error, config, this.#log);
      if (!this.#closing.signal.aborted) this.#show(state, emptyLists, problem);
    } finally {
      over.abort();
    }
  }

  #take(connection: McpConnection, lists: ServerLists): void {
    this.#connection = connection;
    const began = this.#ports.clock.monotonicMs();
    void connection.closed.then(() => this.#onClosed(connection, began));
    this.#show("ready", lists);
  }

  async #onClosed(connection: McpConnection, began: number): Promise<void> {
    if (this.#connection !== connection || this.#closing.signal.aborted) return;
    this.#connection = undefined;
    const { clock } = this.#ports;
    if (clock.monotonicMs() - began > STEADY_MS) this.#failures = 0;
    const backoff = BACKOFF_MS[this.#failures];
    this.#failures += 1;
    const ended = `The MCP server ${this.config.name} has ended.${lastWords(this.#log)}`;
    if (backoff === undefined) {
      this.#failures = 0;
      return this.#show(
        "failed",
        emptyLists,
        `${ended} It was restarted ${BACKOFF_MS.length} times and ended each time.`,
      );
    }
    // Its tools stay in view: a request that describes them must not change because of a brief absence.
    this.#show("starting", this.#view, ended);
    await clock.sleep(backoff, this.#closing.signal);
    await this.start();
  }

  #show(state: McpServerState, lists: ServerLists, problem?: string): void {
    const { name, from } = this.config;
    const { tools, prompts, resources, templates, notes } = lists;
    const { era, version, instructions } = this.#connection ?? {};
    this.#view = {
      name,
      from,
      state,
      ...{ tools, prompts, resources, templates, notes },
      ...(problem !== undefined && { problem: this.#ports.kept.secrets.hide(problem) }),
      ...(era && { era }),
      ...(version !== undefined && { version }),
      ...(instructions !== undefined && { instructions }),
    };
    this.#onChange(state === "ready" ? "lists" : "state");
  }
}

/** A hanging start ends with the signal; if it succeeds later, the result is closed. */
function orAbort(start: Promise<StartedServer>, signal: AbortSignal): Promise<StartedServer> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason);
      void start.then(({ connection }) => connection.close()).catch(() => undefined);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    start.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function loginProblem(error: unknown, server: string): string {
  if (error instanceof McpLoginError) return error.message;
  return `The login to the MCP server ${server} failed: ${error instanceof Error ? error.message : String(error)}`;
}
