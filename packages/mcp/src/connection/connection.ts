import type { Clock } from "@harness/core";
import { plainLines } from "@harness/host";
import type {
  CallToolResult,
  Client,
  DiscoverResult,
  GetPromptResult,
  ReadResourceResult,
} from "@modelcontextprotocol/client";
import type { SoundAnswers } from "../answers/sound-answers.ts";
import { LoginNeededError } from "../auth/login-attempt.ts";
import type { ServerAuth } from "../auth/server-auth.ts";
import type { McpAsk, McpSample } from "../ports/people.ts";
import type { Sdk } from "../ports/sdk.ts";
import { type CallLimits, CallTimeoutError, CallWatch } from "./call-watch.ts";
import type { RunningCalls } from "./running-calls.ts";
import { readLists, type ServerLists } from "./server-lists.ts";

/** For a server's own instructions. */
const MAX_INSTRUCTIONS = 2_000;

export type McpProgress = { progress: number; total?: number; message?: string };

export type McpCallOptions = {
  signal: AbortSignal;
  onProgress?(progress: McpProgress): void;
  /** Answers the server's questions to the user while it works on this call; absent: the pool's default. */
  ask?: McpAsk;
  /** Answers as a model in the meantime, if the user allows that; absent: nobody does. */
  sample?: McpSample;
  /** The W3C trace context of the call. */
  traceparent?: string | undefined;
};

type McpConnectionDeps = {
  sdk: Sdk;
  client: Client;
  answers: SoundAnswers;
  calls: RunningCalls;
  clock: Clock;
  limits: CallLimits;
  /** Undefined: the server is a process, which knows the user by other means. */
  auth: ServerAuth | undefined;
};

/** The most logins for one call: a server that asks for more is never satisfied. */
const MAX_LOGINS = 2;

/** The SDK's own limit would count the user's time to answer as silence of the server. */
const NO_LIMIT = 2 ** 31 - 1;
/** People cannot read faster. */
const PROGRESS_MS = 100;

/**
 * An open connection to a server. Methods reject with an `Error` whose message is for people, or the signal's reason.
 */
export class McpConnection {
  readonly #deps: McpConnectionDeps;
  /** Resolves when the server has gone, or this was closed. */
  readonly closed: Promise<void>;

  constructor(deps: McpConnectionDeps) {
    this.#deps = deps;
    this.closed = new Promise((resolve) => {
      deps.client.onclose = () => resolve();
    });
  }

  get era(): "legacy" | "modern" | undefined {
    return this.#deps.client.getProtocolEra();
  }

  get version(): string | undefined {
    return this.#deps.client.getServerVersion()?.version;
  }

  /** Its name and version; cached for a server that is known to be modern. */
  get identity(): string {
    const { name = "", version = "" } = this.#deps.client.getServerVersion() ?? {};
    return `${name} ${version}`;
  }

  /** Asks the server to identify itself, which is skipped if that was known. Rejects with the SDK's error. */
  discover(signal: AbortSignal, timeout: number): Promise<DiscoverResult> {
    return this.#deps.client.discover({ signal, timeout });
  }

  /** The server's own instructions for its use. */
  get instructions(): string | undefined {
    const words = this.#deps.client.getInstructions();
    return words === undefined ? undefined : plainLines(words, MAX_INSTRUCTIONS);
  }

  lists(signal: AbortSignal, timeout: number): Promise<ServerLists> {
    const { client, answers } = this.#deps;
    return readLists(client, answers, { signal, timeout });
  }

  async callTool(tool: string, args: Record<string, unknown>, options: McpCallOptions): Promise<CallToolResult> {
    const { sdk, client, calls } = this.#deps;
    const { traceparent } = options;
    const request = { name: tool, arguments: args, ...(traceparent === undefined ? {} : { _meta: { traceparent } }) };
    const call = () => this.#authorized(tool, options, (watched) => client.callTool(request, watched));
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof sdk.UrlElicitationRequiredError)) throw error;
      // The server cannot continue before the user has opened these addresses.
      for (const { message, url } of error.elicitations) {
        const answer = await calls.ask({ kind: "url", message, url }, options.signal);
        if (answer.action !== "accept") throw error;
      }
      return call();
    }
  }

  getPrompt(name: string, args: Record<string, string>, options: McpCallOptions): Promise<GetPromptResult> {
    return this.#authorized(name, options, (watched) =>
      this.#deps.client.getPrompt({ name, arguments: args }, watched),
    );
  }

  readResource(uri: string, options: McpCallOptions): Promise<ReadResourceResult> {
    return this.#authorized(uri, options, (watched) => this.#deps.client.readResource({ uri }, watched));
  }

  /** Possible values of a prompt's argument; none if the server does not know. */
  async complete(request: McpCompletion, signal: AbortSignal): Promise<readonly string[]> {
    const { client } = this.#deps;
    if (!client.getServerCapabilities()?.completions) return [];
    const { argument, value, others } = request;
    const ref =
      "prompt" in request
        ? { type: "ref/prompt" as const, name: request.prompt }
        : { type: "ref/resource" as const, uri: request.template };
    const { completion } = await client.complete(
      { ref, argument: { name: argument, value }, context: { arguments: others } },
      { signal, timeout: COMPLETION_MS },
    );
    return completion.values;
  }

  /** A restarted server answers like this to its earlier sessions. */
  isSessionOver(error: unknown): boolean {
    return this.#deps.sdk.SdkHttpError.isInstance(error) && error.data.status === 404;
  }

  /** Closes it once its running calls have ended. */
  async retire(): Promise<void> {
    await this.#deps.calls.idle;
    await this.close();
  }

  async close(): Promise<void> {
    await this.#deps.client.close().catch(() => undefined);
  }

  /** If the login has expired, or its scope is too small, asks the user for a new one and repeats the call. */
  async #authorized<T>(what: string, options: McpCallOptions, call: WatchedCall<T>): Promise<T> {
    const { sdk, auth, calls } = this.#deps;
    const ask: McpAsk = options.ask ?? ((question, signal) => calls.ask(question, signal));
    for (let logins = 0; ; logins += 1) {
      try {
        return await this.#watched(what, options, call);
      } catch (error) {
        const hasTooLittle = sdk.InsufficientScopeError.isInstance(error);
        if (!auth || logins === MAX_LOGINS || !(hasTooLittle || error instanceof LoginNeededError)) throw error;
        if (hasTooLittle) auth.widen({ scope: error.requiredScope, resourceMetadataUrl: error.resourceMetadataUrl });
        await auth.login(ask, options.signal);
      }
    }
  }

  async #watched<T>(tool: string, options: McpCallOptions, call: WatchedCall<T>): Promise<T> {
    const { clock, limits, calls } = this.#deps;
    const watch = new CallWatch(clock, limits, options.signal);
    const { ask, sample } = options;
    const end = calls.begin({ tool, ask, sample, whileAsking: (asking) => watch.whileAsking(asking) });
    const report = throttled(clock, options.onProgress ?? (() => undefined));
    const onprogress = (progress: McpProgress) => {
      watch.heard();
      report(progress);
    };
    try {
      return await call({ signal: watch.signal, onprogress, timeout: NO_LIMIT });
    } catch (error) {
      throw watch.signal.reason instanceof CallTimeoutError ? watch.signal.reason : error;
    } finally {
      watch.end();
      end();
    }
  }
}

const COMPLETION_MS = 5_000;

/** A value of an argument that the user begins to type; `others`: the arguments already given. */
export type McpCompletion = ({ prompt: string } | { template: string }) & {
  argument: string;
  value: string;
  others: Record<string, string>;
};

type WatchedCall<T> = (watched: WatchedOptions) => Promise<T>;
type WatchedOptions = { signal: AbortSignal; onprogress(progress: McpProgress): void; timeout: number };

/** Reports the first progress, and then at most ten per second: a server may send thousands. */
function throttled(clock: Clock, report: (progress: McpProgress) => void): (progress: McpProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const now = clock.monotonicMs();
    if (now - last < PROGRESS_MS) return;
    last = now;
    report(progress);
  };
}
