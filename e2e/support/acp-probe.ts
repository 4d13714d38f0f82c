import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { type AcpMessage, schemaProblems } from "./acp-schema.ts";

type Answer = (params: Record<string, unknown>) => unknown;
type Update = Record<string, unknown> & { sessionUpdate: string };

const bundled = [process.execPath, resolve(import.meta.dirname, "../../dist/harness.mjs"), "acp"] as const;

/** A client of `harness acp` that reads and writes its lines, and holds each against the schema of the protocol. */
export class AcpProbe {
  readonly root: string;
  readonly cwd: string;
  readonly model: ModelServer;
  /** All that the agent has sent, in order. */
  readonly messages: AcpMessage[] = [];
  readonly problems: string[] = [];
  /** How requests of the agent are answered; a request without an entry gets "method not found". */
  readonly answers: Record<string, Answer> = {};
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly #asked = new Map<unknown, { method: string; done(message: AcpMessage): void }>();
  #looks: (() => void)[] = [];
  #rest = "";
  #id = 0;

  private constructor(model: ModelServer, env: NodeJS.ProcessEnv, root: string) {
    this.model = model;
    this.root = root;
    this.cwd = join(root, "project");
    const [program, ...args] = bundled;
    this.child = spawn(program, args, {
      cwd: this.root,
      env: { ...this.environment, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.exited = new Promise((done) => this.child.once("close", done));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => this.problems.push(`on stderr: ${text}`));
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
  }

  static async start(scenario: ScenarioInput = { turns: [] }, env: NodeJS.ProcessEnv = {}): Promise<AcpProbe> {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "harness acp ")));
    mkdirSync(join(root, "project"));
    mkdirSync(join(root, "run"), { mode: 0o700 });
    return new AcpProbe(await startModelServer({ scenario }), env, root);
  }

  /** Another agent with the same home, folder and model; close both. */
  restart(): AcpProbe {
    return new AcpProbe(this.model, {}, this.root);
  }

  /** The names of the files in the folder. */
  files(): string[] {
    return readdirSync(this.cwd).sort();
  }

  /** How the agent is started. */
  get command(): readonly string[] {
    return bundled;
  }

  /** Of the agent; nothing of this machine's user has an effect. */
  get environment(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return {
      PATH,
      HOME: this.root,
      HARNESS_HOME: join(this.root, "home"),
      XDG_RUNTIME_DIR: join(this.root, "run"),
      ...this.model.environment,
      HARNESS_MODEL: "scripted",
    };
  }

  write(text: string): void {
    this.child.stdin?.write(text);
  }

  notify(method: string, params: object): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  /** Sends a request, and resolves with its answer, whatever that is. */
  ask(method: string, params: object = {}): Promise<AcpMessage> & { readonly id: number } {
    const id = this.#id++;
    const answer = new Promise<AcpMessage>((done) => this.#asked.set(id, { method, done }));
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return Object.assign(answer, { id });
  }

  /** The result of a request; throws its error. */
  async call(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.ask(method, params);
    if (!result) throw new Error(`${method}: ${error?.code} ${error?.message}`);
    return result;
  }

  async initialize(clientCapabilities: object = {}): Promise<Record<string, unknown>> {
    return await this.call("initialize", { protocolVersion: 1, clientCapabilities });
  }

  /** Initializes, and begins a session. */
  async open(clientCapabilities: object = {}): Promise<string> {
    await this.initialize(clientCapabilities);
    const { sessionId } = await this.call("session/new", { cwd: this.cwd, mcpServers: [] });
    return String(sessionId);
  }

  prompt(sessionId: string, text: string) {
    return this.ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** Of all sessions, or of one; of all kinds, or of one. */
  updates(kind?: string, sessionId?: string): Update[] {
    return this.messages
      .filter(
        ({ method, params }) => method === "session/update" && (sessionId ?? params?.sessionId) === params?.sessionId,
      )
      .map(({ params }) => params?.update as Update)
      .filter(({ sessionUpdate }) => kind === undefined || sessionUpdate === kind);
  }

  /** The text of the agent's messages. */
  text(sessionId?: string): string {
    return this.updates("agent_message_chunk", sessionId)
      .map(({ content }) => (content as { text?: string }).text ?? "")
      .join("");
  }

  requests(method: string): Record<string, unknown>[] {
    return this.messages
      .filter((message) => message.method === method && "id" in message)
      .map(({ params = {} }) => params);
  }

  /** Looks at each message until there is what the test waits for. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((done) => this.#looks.push(done));
    }
  }

  /** Closes stdin; resolves with the exit code. */
  async end(): Promise<number | null> {
    this.child.stdin?.end();
    return await this.exited;
  }

  async close(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.exited;
    await this.model.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#take(JSON.parse(line));
    for (const look of this.#looks.splice(0)) look();
  }

  #take(message: AcpMessage): void {
    this.messages.push(message);
    const isAnswer = message.method === undefined;
    const asked = isAnswer ? this.#asked.get(message.id) : undefined;
    if (!isAnswer || message.id !== null) this.problems.push(...schemaProblems(message, asked?.method));
    if (asked) {
      this.#asked.delete(message.id);
      asked.done(message);
    } else if (message.method !== undefined && message.id !== undefined) void this.#answer(message);
  }

  async #answer({ id, method = "", params = {} }: AcpMessage): Promise<void> {
    const answer = this.answers[method];
    // Every client is asked for permissions; other requests need a capability.
    if (!answer && method !== "session/request_permission") this.problems.push(`an unexpected request: ${method}`);
    const reply = answer
      ? await Promise.resolve(params)
          .then(answer)
          .then((result) => ({ result }), failure)
      : { error: { code: -32601, message: `"Method not found": ${method}` } };
    this.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
  }
}

/** An answer that throws is an error of the protocol. */
function failure({ code = -32603, message, data }: Error & { code?: number; data?: unknown }) {
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** Answers a permission request with the first option of a kind. */
export const choosing =
  (kind: string): Answer =>
  ({ options }) => {
    const option = (options as { optionId: string; kind: string }[]).find((each) => each.kind === kind);
    return { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } };
  };
