import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ClientOptions, type HarnessClient, openClient, type ServerProcess, spawnServer } from "@harness/client";
import type { PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { type Flavour, type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { runFlags, startFlags } from "../../build/v8-flags.mjs";

const inDist = (name: string) => resolve(import.meta.dirname, "../../dist", name);

/** The server as the window starts it. */
export const serverEntry = inDist("server.mjs");

/** Like bin/harness starts a run. */
const fromSnapshot = [
  process.execPath,
  ...startFlags,
  ...runFlags,
  ...["--snapshot-blob", inDist("run-snapshot.blob"), inDist("harness.mjs"), "serve", "--stdio"],
];

/**
 * The program under test; any other server that speaks the protocol can be used instead. HARNESS_TEST_START=snapshot
 * takes the server of the start-up snapshot, except if Node options are set, as in bin/harness.
 */
export function serverCommand(env: Readonly<Record<string, string | undefined>> = {}): readonly [string, ...string[]] {
  const { HARNESS_SERVER_UNDER_TEST: other, HARNESS_TEST_START: start } = process.env;
  const bundled = [process.execPath, serverEntry];
  const own = start === "snapshot" && !env.NODE_OPTIONS ? fromSnapshot : bundled;
  const [program = "", ...args] = other?.split(" ") ?? own;
  return [program, ...args];
}

type Answer = NonNullable<ClientOptions["onPermission"]>;

/** A real server process with a scripted model, an empty home and an empty folder. */
export class LiveServer {
  readonly root = mkdtempSync(join(tmpdir(), "harness wire "));
  readonly cwd = join(this.root, "project");
  readonly home = join(this.root, "home");
  readonly model: ModelServer;
  readonly updates: SessionUpdate[] = [];
  stderr = "";
  #waiting: { matches: (update: SessionUpdate) => boolean; done: (update: SessionUpdate) => void }[] = [];
  #processes: ServerProcess[] = [];

  private constructor(model: ModelServer) {
    this.model = model;
  }

  static async start(scenario: ScenarioInput, flavour: Flavour = "openai"): Promise<LiveServer> {
    return new LiveServer(await startModelServer({ scenario, flavour }));
  }

  spawn(env: Record<string, string> = {}): ServerProcess {
    const [program, ...args] = serverCommand(env);
    const { PATH } = process.env;
    const server = spawnServer({
      command: program,
      args,
      cwd: this.root,
      env: {
        PATH,
        HOME: this.home,
        HARNESS_HOME: this.home,
        ...this.model.environment,
        HARNESS_MODEL: "scripted",
        ...env,
      },
      onStderr: (text) => {
        this.stderr += text;
      },
    });
    this.#processes.push(server);
    return server;
  }

  /** Starts a server process and a client that keeps its updates. */
  async connect(
    onPermission?: Answer,
    env?: Record<string, string>,
    onQuestion?: ClientOptions["onQuestion"],
  ): Promise<{ client: HarnessClient; process: ServerProcess }> {
    const process = this.spawn(env);
    const client = await openClient(process.channel, {
      clientInfo: { name: "test", version: "1" },
      onUpdate: (update) => this.#take(update),
      ...(onPermission ? { onPermission } : {}),
      ...(onQuestion ? { onQuestion } : {}),
      onLost: () => undefined,
      onBug: (error, where) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    });
    return { client, process };
  }

  /** A server process that the test talks to directly: lines in, lines out. */
  raw(overrides: Record<string, string | undefined> = {}) {
    const [program, ...args] = serverCommand(overrides);
    const { PATH } = process.env;
    const env = {
      PATH,
      HOME: this.home,
      HARNESS_HOME: this.home,
      ...this.model.environment,
      HARNESS_MODEL: "scripted",
      ...overrides,
    };
    const child = spawn(program, args, { cwd: this.root, env, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise<void>((done) => child.once("close", () => done()));
    let output = "";
    let looks: (() => void)[] = [];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const look of looks.splice(0)) look();
    });
    let id = 0;
    return {
      send(method: string, params: object): void {
        id += 1;
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      },
      notify(method: string, params: object): void {
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
      },
      async answer(wanted: number): Promise<{ result?: unknown; error?: unknown }> {
        for (;;) {
          const messages = output
            .split("\n")
            .slice(0, -1)
            .map((line) => JSON.parse(line));
          const found = messages.find((message) => message.id === wanted && !message.method);
          if (found) return found;
          await new Promise<void>((done) => looks.push(done));
        }
      },
      /** The whole output, as soon as it contains this text. */
      async until(text: string): Promise<string> {
        while (!output.includes(text)) await new Promise<void>((done) => looks.push(done));
        return output;
      },
      /** Closes stdin and returns the whole output. */
      async end(): Promise<string> {
        child.stdin.end();
        await ended;
        looks = [];
        return output;
      },
    };
  }

  /** The first matching update, past or future. */
  until(matches: (update: SessionUpdate) => boolean): Promise<SessionUpdate> {
    const found = this.updates.find(matches);
    if (found) return Promise.resolve(found);
    return new Promise((done) => this.#waiting.push({ matches, done }));
  }

  /** The `seq` of the last fact that arrived; chunks may follow it, which have no number. */
  get lastSeq(): number {
    return this.updates.findLast(({ seq }) => seq !== undefined)?.seq ?? 0;
  }

  idle(after = 0): Promise<SessionUpdate> {
    return this.until(
      ({ seq = 0, agentId, update }) =>
        seq > after && agentId === "main" && update.sessionUpdate === "state_update" && update.state === "idle",
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((each) => each.end(0)));
    await this.model.close();
    rmSync(this.root, { recursive: true, force: true });
  }

  #take(update: SessionUpdate): void {
    this.updates.push(update);
    for (const each of this.#waiting.filter(({ matches }) => matches(update))) each.done(update);
    this.#waiting = this.#waiting.filter(({ matches }) => !matches(update));
  }
}

/** Answers with the option of this kind. */
export function choose(kind: "allow_once" | "allow_session" | "reject_once", feedback?: string): Answer {
  return async ({ permission }) => {
    const option = permission.options.find((each) => each.kind === kind);
    const outcome: PermissionOutcome = option
      ? { outcome: "selected", optionId: option.optionId, ...(feedback ? { feedback } : {}) }
      : { outcome: "cancelled" };
    return outcome;
  };
}

export const say = (text: string) => [{ type: "text" as const, text }];

/** The text that the user sees for a slash command: its answer, or why it was not understood. */
export function answerOf(command: Promise<{ text: string }>): Promise<string> {
  return command.then(
    ({ text }) => text,
    (error: Error) => error.message,
  );
}
