import { type ChildProcess, spawn } from "node:child_process";
import { atExit, CALL_ID, errorCode, signalMarked } from "@harness/host";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { McpProcessCommand } from "../ports/pool-ports.ts";
import { MessageLines, type OversizedLine } from "./message-lines.ts";
import { idAtEdges, MAX_MESSAGE_BYTES, tooLargeAnswer, tooLargeText } from "./too-large.ts";

/** A server ends by itself when its stdin ends; otherwise it is asked to, and then killed. */
const LEAVE_MS = 300;
const END_MS = 700;
/** A process that left the group may hold the pipes longer than the server lives. */
const LAST_WORDS_MS = 200;
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
  #child: ChildProcess | undefined;
  #forget: () => void = () => undefined;
  #ended: Promise<void> = Promise.resolve();
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  /** How the process ended, once it has. */
  end: { code: number | null; signal: NodeJS.Signals | null } | undefined;

  constructor(start: McpProcessCommand, listener: McpProcessListener) {
    this.#start = start;
    this.#listener = listener;
  }

  /**
   * The SDK recognises stdio by these two members: a stdio server that does not answer the first question is an old
   * one.
   */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get stderr(): null {
    return null;
  }

  async start(): Promise<void> {
    const { command, args, cwd, env } = this.#start;
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => reject(new Error(startProblem(error, this.#start))));
    });
    this.#forget = atExit(() => this.#kill("SIGKILL"));
    this.#ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(this.#over(code, signal))));
    child.once("close", () => this.onclose?.());
    child.on("error", (error) => this.onerror?.(error));
    child.stdin.on("error", () => undefined);
    const lines = new MessageLines(MAX_MESSAGE_BYTES, {
      onLine: (line) => this.#take(line),
      onOversized: (line) => this.#refuse(line),
    });
    child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
    child.stdout.on("error", () => undefined);
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#listener.onText(text));
    child.stderr.on("error", () => undefined);
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
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
    this.#child?.stdin?.end();
    if (!(await this.#endsWithin(LEAVE_MS))) this.#kill("SIGTERM");
    if (!(await this.#endsWithin(END_MS))) this.#kill("SIGKILL");
    await this.#ended;
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
      this.#kill("SIGKILL");
    }
  }

  #over(code: number | null, signal: NodeJS.Signals | null): void {
    this.end = { code, signal };
    // Processes that it started die with it, and must not hold its pipes.
    this.#kill("SIGKILL");
    this.#forget();
    setTimeout(() => {
      this.#child?.stdout?.destroy();
      this.#child?.stderr?.destroy();
    }, LAST_WORDS_MS).unref();
  }

  #endsWithin(ms: number): Promise<boolean> {
    if (this.end || !this.#child) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms);
      void this.#ended.then(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  #kill(signal: "SIGTERM" | "SIGKILL"): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The whole group has ended.
    }
    const callId = this.#start.env[CALL_ID];
    if (callId !== undefined) signalMarked(callId, pid, signal);
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

function startProblem(error: Error, { command, cwd }: McpProcessCommand): string {
  const code = errorCode(error);
  if (code === "ENOENT") return `${command} was not found, or the folder ${cwd} does not exist.`;
  if (code === "EACCES") return `${command} cannot be run: make it executable (chmod +x).`;
  return `${command} could not be started: ${error.message}`;
}
