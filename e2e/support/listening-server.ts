// Real servers that listen on real sockets, and clients that come and go.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ClientOptions, type HarnessClient, openClient, socketChannel } from "@harness/client";
import type { Permission, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { isAlive, type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";

const harnessEntry = resolve(import.meta.dirname, "../../dist/harness.mjs");

type OpenAsk = { permission: Permission; withdrawn: AbortSignal; answer(kind: "allow_once" | "reject_once"): void };

/** A client over a socket, with everything that it was sent. */
export class SocketClient {
  readonly updates: SessionUpdate[] = [];
  readonly asks: OpenAsk[] = [];
  readonly client: HarnessClient;
  readonly lost: Promise<void>;
  readonly #looks: Set<() => void>;

  private constructor(
    client: HarnessClient,
    parts: Pick<SocketClient, "updates" | "asks" | "lost">,
    looks: Set<() => void>,
  ) {
    this.client = client;
    this.updates = parts.updates;
    this.asks = parts.asks;
    this.lost = parts.lost;
    this.#looks = looks;
  }

  static async at(path: string, name: string, role: ClientOptions["role"] = "controller"): Promise<SocketClient> {
    const looks = new Set<() => void>();
    const look = () => {
      for (const each of looks) each();
    };
    const updates: SessionUpdate[] = [];
    const asks: OpenAsk[] = [];
    const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
    const client = await openClient(await socketChannel(path), {
      clientInfo: { name, version: "1" },
      role,
      onUpdate(update) {
        updates.push(update);
        look();
      },
      onPermission: ({ permission }, withdrawn) =>
        new Promise<PermissionOutcome>((done) => {
          const answer: OpenAsk["answer"] = (kind) => {
            const option = permission.options.find((each) => each.kind === kind);
            done(option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" });
          };
          withdrawn.addEventListener("abort", look);
          asks.push({ permission, withdrawn, answer });
          look();
        }),
      onLost: () => lose(),
      onBug: (error, where) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    });
    return new SocketClient(client, { updates, asks, lost }, looks);
  }

  /** The first value that is found, now or after something has come. */
  async until<T>(find: () => T | undefined): Promise<T> {
    const now = find();
    if (now !== undefined) return now;
    return new Promise((done) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#looks.delete(look);
        done(found);
      };
      this.#looks.add(look);
    });
  }

  idle(after = 0): Promise<SessionUpdate> {
    return this.until(() =>
      this.updates.find(
        ({ seq = 0, agentId, update }) =>
          seq > after && agentId === "main" && update.sessionUpdate === "state_update" && update.state === "idle",
      ),
    );
  }

  ask(): Promise<OpenAsk> {
    return this.until(() => this.asks.find(({ withdrawn }) => !withdrawn.aborted));
  }

  withdrawn({ withdrawn }: OpenAsk): Promise<true> {
    return this.until(() => (withdrawn.aborted ? true : undefined));
  }

  /** The numbers of the facts, in the order in which they came. */
  get seqs(): number[] {
    return this.updates.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  }
}

export type ServerRun = { path: string; child: ChildProcess; ended: Promise<number | null> };

/** A home with a scripted model, whose servers listen in a folder of their own. */
export class ListeningHome {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "hl-")));
  readonly cwd = join(this.root, "project");
  readonly home = join(this.root, "home");
  readonly runtime = join(this.root, "run");
  readonly model: ModelServer;
  readonly #children: ChildProcess[] = [];

  private constructor(model: ModelServer) {
    this.model = model;
    mkdirSync(this.cwd);
    mkdirSync(this.runtime, { mode: 0o700 });
  }

  static async with(scenario: ScenarioInput): Promise<ListeningHome> {
    return new ListeningHome(await startModelServer({ scenario }));
  }

  get env(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return {
      PATH,
      HOME: this.root,
      HARNESS_HOME: this.home,
      XDG_RUNTIME_DIR: this.runtime,
      ...this.model.environment,
      HARNESS_MODEL: "scripted",
    };
  }

  /** Starts `harness` with these words. */
  start(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [harnessEntry, ...args], {
      cwd: this.cwd,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#children.push(child);
    return child;
  }

  /** The output of a command, and how it ends. */
  async run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = this.start(...args);
    const said = { stdout: "", stderr: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => (said.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (said.stderr += text));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, ...said };
  }

  /** A server that listens; its path is the line that it prints. */
  async listen(...args: string[]): Promise<ServerRun> {
    const child = this.start("serve", "--listen", ...args);
    const ended = once(child, "exit").then(([code]) => code as number | null);
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (said += text));
    const line = once(child.stdout?.setEncoding("utf8") ?? child, "data").then(([text]) => String(text).trim());
    const path = await Promise.race([
      line,
      ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${said}`))),
    ]);
    return { path, child, ended };
  }

  /** The processes whose servers listen, or were killed while they did. */
  get listening(): number[] {
    const folder = join(this.runtime, "harness");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.map((name) => Number(/-(\d+)\.sock$/.exec(name)?.[1])).filter((pid) => pid > 0);
  }

  /** Kills the process whose id is in this file of the project. */
  kill(name: string): void {
    process.kill(Number(readFileSync(join(this.cwd, name), "utf8")), "SIGKILL");
  }

  async close(): Promise<void> {
    // Servers that were left to themselves would outlive the test.
    for (const pid of this.listening) if (isAlive(pid)) process.kill(pid, "SIGKILL");

    for (const child of this.#children) if (child.exitCode === null) child.kill("SIGKILL");
    await this.model.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
