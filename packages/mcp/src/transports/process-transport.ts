import { GroupProcess } from "@harness/host";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpProcessCommand } from "../ports/pool-ports.ts";
import { MessageLines, type OversizedLine } from "./message-lines.ts";
import { idAtEdges, MAX_MESSAGE_BYTES, tooLargeAnswer, tooLargeText } from "./too-large.ts";

const MAX_NOISE = 500;

type McpProcessListener = {
  /** Its stderr, and anything on stdout that is not a message. */
  onText(text: string): void;
};

/**
 * A server over the stdio of its own process. Replaces the SDK's transport, which lacks three things: killing the whole
 * process group, passing exactly the given environment, and bounding messages too large to hold.
 */
export class ProcessTransport implements Transport {
  readonly #start: McpProcessCommand;
  readonly #listener: McpProcessListener;
  #process: GroupProcess | undefined;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;

  constructor(start: McpProcessCommand, listener: McpProcessListener) {
    this.#start = start;
    this.#listener = listener;
  }

  /**
   * The SDK recognises stdio by these two members: a stdio server that does not answer the first question is an old
   * one.
   */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** How the process ended, once it has. */
  get end(): GroupProcess["end"] {
    return this.#process?.end;
  }

  get stderr(): null {
    return null;
  }

  async start(): Promise<void> {
    const started = await GroupProcess.start(this.#start);
    this.#process = started;
    started.on("close", () => this.onclose?.());
    started.on("error", (error) => this.onerror?.(error));
    const lines = new MessageLines(MAX_MESSAGE_BYTES, {
      onLine: (line) => this.#take(line),
      onOversized: (line) => this.#refuse(line),
    });
    started.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    started.stderr.setEncoding("utf8").on("data", (text: string) => this.#listener.onText(text));
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (!stdin?.writable) return Promise.reject(new Error("The process of the server has ended."));
    return new Promise((resolve) => {
      if (stdin.write(`${JSON.stringify(message)}\n`)) return resolve();
      const done = () => {
        stdin.off("drain", done);
        stdin.off("close", done);
        resolve();
      };
      stdin.on("drain", done);
      stdin.on("close", done);
    });
  }

  async close(): Promise<void> {
    await this.#process?.close();
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    const message = parseMessage(line);
    if (message) this.onmessage?.(message);
    else this.#listener.onText(`(stdout) ${line.slice(0, MAX_NOISE)}\n`);
  }

  #refuse(line: OversizedLine): void {
    const id = idAtEdges(line);
    this.#listener.onText(`(harness) A message of ${line.bytes} bytes was ignored.\n`);
    if (id !== undefined) this.onmessage?.(tooLargeAnswer(id));
    else {
      // It is unknown which request waits for it.
      this.onerror?.(new Error(tooLargeText()));
      this.#process?.kill("SIGKILL");
    }
  }
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isMessage = typeof value === "object" && value !== null && "jsonrpc" in value;
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
