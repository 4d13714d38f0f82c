// Installs the runtime of vscode-jsonrpc, which is one for the process: that of its own entry for Node would replace it.
import "@harness/protocol/wire";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { GroupProcess, isRecord } from "@harness/host";
import { CancellationTokenSource, createMessageConnection, type MessageConnection, NullLogger } from "vscode-jsonrpc";
import type { LanguageServerCommand } from "../process/server-command.ts";
import { FrameWriter } from "../wire/frame-writer.ts";
import { LimitedReader } from "../wire/limited-reader.ts";
import { clientCapabilities } from "./capabilities.ts";
import { answerRequests } from "./server-requests.ts";

/** `onEnd`: why it ended by itself, as the end of a sentence. */
export type ClientListener = {
  onPushed(params: unknown): void;
  onRefused(words: string): void;
  onRefresh(): void;
  onEnd(why: string): void;
};

const MAX_STDERR = 2_000;
/** Registrations that are kept; a server may send any number. */
const MAX_REGISTERED = 500;

/** The connection to a running server: requests to it, and answers to its own. */
export class LanguageClient {
  readonly process: GroupProcess;
  /** Its abilities, in its own words. */
  capabilities: Readonly<Record<string, unknown>> = {};
  readonly #connection: MessageConnection;
  readonly #listener: ClientListener;
  readonly #registered = new Map<string, string>();
  readonly #waiting = new Set<() => void>();
  readonly #ended = new AbortController();
  #stderr = "";
  #broken: string | undefined;

  /** Starts the process. Rejects with a sentence. */
  static async start(command: LanguageServerCommand, listener: ClientListener): Promise<LanguageClient> {
    return new LanguageClient(await GroupProcess.start(command), command, listener);
  }

  private constructor(process: GroupProcess, command: LanguageServerCommand, listener: ClientListener) {
    this.process = process;
    this.#listener = listener;
    process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR);
    });
    const reader = new LimitedReader(process.stdout, (why) => this.#break(why));
    const writer = new FrameWriter(process.stdin, () => this.#break("reads nothing"));
    const connection = createMessageConnection(reader, writer, NullLogger);
    this.#connection = connection;
    connection.onError(() => undefined);
    connection.onUnhandledNotification(() => undefined);
    connection.onNotification("textDocument/publishDiagnostics", (params: unknown) => listener.onPushed(params));
    answerRequests(connection, {
      row: command.row,
      folder: folderOf(command.cwd),
      onRegistered: (method, id) => this.#register(id, method),
      onUnregistered: (id) => this.#registered.delete(id),
      onRefused: (words) => listener.onRefused(words),
      onRefresh: () => listener.onRefresh(),
    });
    connection.listen();
    process.on("close", () => this.#over(this.#broken ?? `ended ${this.#endWords()}`));
  }

  /** Says hello. Rejects if it does not answer, or is none. */
  async initialize({ row, cwd }: LanguageServerCommand, signal: AbortSignal): Promise<void> {
    const folder = folderOf(cwd);
    const answer = await this.request(
      "initialize",
      {
        processId: process.pid,
        clientInfo: { name: "harness" },
        rootPath: cwd,
        rootUri: folder.uri,
        workspaceFolders: [folder],
        capabilities: clientCapabilities,
        ...(row.initializationOptions === undefined ? {} : { initializationOptions: row.initializationOptions }),
      },
      signal,
    );
    if (!isRecord(answer) || !isRecord(answer.capabilities)) throw new Error("it does not say what it can do");
    this.capabilities = answer.capabilities;
    this.notify("initialized", {});
    if (row.settings) this.notify("workspace/didChangeConfiguration", { settings: row.settings });
  }

  get isOver(): boolean {
    return this.#ended.signal.aborted;
  }

  /** The last it has written beside its messages. */
  get stderr(): string {
    return this.#stderr;
  }

  /** True if it has this ability, from the start or since. */
  can(capability: string, method: string): boolean {
    const value = this.capabilities[capability];
    return (
      (value !== undefined && value !== false && value !== null) || [...this.#registered.values()].includes(method)
    );
  }

  /** Resolves when it has registered something, or has ended. */
  registered(): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOver) return resolve();
      this.#waiting.add(resolve);
    });
  }

  /** Rejects with its error, or when the signal aborts. */
  async request(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    const either = AbortSignal.any([signal, this.#ended.signal]);
    either.throwIfAborted();
    const source = new CancellationTokenSource();
    const aborted = Promise.withResolvers<never>();
    const stop = () => {
      if (!this.isOver) source.cancel();
      aborted.reject(either.reason);
    };
    either.addEventListener("abort", stop, { once: true });
    try {
      const answer = this.#connection.sendRequest(method, params, source.token);
      answer.catch(() => undefined);
      return await Promise.race([answer, aborted.promise]);
    } finally {
      either.removeEventListener("abort", stop);
    }
  }

  notify(method: string, params: object): void {
    if (this.isOver) return;
    this.#connection.sendNotification(method, params).catch(() => undefined);
  }

  /** Ends it politely, and then not. */
  async close(): Promise<void> {
    const wasOver = this.isOver;
    this.#over("was ended");
    if (!wasOver && !this.process.end) {
      this.#connection.sendRequest("shutdown").then(
        () => this.#connection.sendNotification("exit").catch(() => undefined),
        () => undefined,
      );
    }
    await this.process.close();
    this.#connection.dispose();
  }

  /** Ends it at once: `why` is the end of a sentence about it. */
  kill(why: string): void {
    this.#break(why);
  }

  #break(why: string): void {
    if (this.isOver) return;
    this.#broken = why;
    this.process.kill("SIGKILL");
    this.#over(why);
  }

  #over(why: string): void {
    if (this.isOver) return;
    this.#ended.abort(new Error(`the server ${why}`));
    this.#wake();
    this.#listener.onEnd(why);
  }

  #register(id: string, method: string): void {
    if (this.#registered.size < MAX_REGISTERED) this.#registered.set(id, method);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #endWords(): string {
    const { code, signal } = this.process.end ?? { code: null, signal: null };
    return signal === null ? `with code ${code ?? "unknown"}` : `by ${signal}`;
  }
}

function folderOf(cwd: string): { uri: string; name: string } {
  return { uri: pathToFileURL(cwd).href, name: basename(cwd) };
}
