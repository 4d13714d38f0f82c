import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { PartialSettings, Permission } from "@harness/protocol";
import { type ModelServer, startModelServer } from "@harness/testkit";
import { choose, LiveServer } from "./live-server.ts";
import { models, type Observed, observeTurn, type Turns } from "./observe-turn.ts";

/** A turn, and the permission requests in it. */
export type Seen = Observed & { asked: Permission[] };

/**
 * A server whose settings change while its sessions are open, with models of three vendors; every request is allowed.
 */
export class ChangingServer {
  readonly live: LiveServer;
  readonly client: HarnessClient;
  readonly #models: readonly ModelServer[];
  readonly #asked: Permission[];
  readonly #startedByOpening = new Map<string, readonly string[]>();

  private constructor(live: LiveServer, client: HarnessClient, models: readonly ModelServer[], asked: Permission[]) {
    this.live = live;
    this.client = client;
    this.#models = models;
    this.#asked = asked;
  }

  static async start(): Promise<ChangingServer> {
    // A session queries them while it is being opened.
    const scenario = { models, turns: [] };
    const live = await LiveServer.start(scenario);
    const ollama = await startModelServer({ flavour: "ollama", scenario });
    const chatgpt = await startModelServer({ flavour: "chatgpt", scenario });
    for (const folder of [live.cwd, live.home, join(live.cwd, "rules"), join(live.root, "outside")])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(live.cwd, "large.txt"), "a line\n".repeat(80));
    writeFileSync(join(live.cwd, "russian.txt"), Buffer.from([0xcc, 0xe8, 0xf0, 0x0a]));
    writeFileSync(join(live.cwd, "rules/extra.md"), "Extra rules.");
    mkdirSync(join(live.cwd, "src"));
    writeFileSync(join(live.cwd, "src/store.ts"), "export function openStore() {\n  return 1;\n}\n");
    writeFileSync(join(live.cwd, "src/use.ts"), "import { openStore } from './store';\nopenStore();\n");
    const price = { input: 100, output: 100 };
    writeFileSync(join(live.home, "models.json"), JSON.stringify({ models: [{ match: "scripted", price }] }));
    const asked: Permission[] = [];
    const yes = choose("allow_once");
    const answer: typeof yes = (question, signal) => {
      asked.push(question.permission);
      return yes(question, signal);
    };
    // Their addresses are settings: an environment variable would override them.
    const addresses = { OLLAMA_HOST: "", OPENAI_BASE_URL: "" };
    const env = {
      ...chatgpt.environment,
      ...addresses,
      HARNESS_MODEL: "",
      SPECIAL: "of the person",
      PATH: withTools(),
    };
    const { client } = await live.connect(answer, env);
    await client.call("index/refresh", { cwd: live.cwd });
    return new ChangingServer(live, client, [ollama, chatgpt], asked);
  }

  /** The addresses of the model servers, as settings. */
  get addresses(): { openai_base_url: string; ollama_url: string } {
    const [ollama] = this.#models;
    return { openai_base_url: this.live.model.baseUrl, ollama_url: ollama?.url ?? "" };
  }

  /** A folder that is not in the workspace. */
  get outside(): string {
    return join(this.live.root, "outside");
  }

  async set(values: PartialSettings): Promise<void> {
    const edits = Object.entries(values).map(([key, value]) => ({ key, value }));
    if (edits.length > 0) await this.client.call("settings/set", { edits });
  }

  /** A session in the folder of the others, or in a fresh one. */
  async open(isApart = false): Promise<string> {
    const cwd = isApart ? mkdtempSync(join(this.live.root, "apart-")) : this.live.cwd;
    const { sessionId } = (await this.client.call("session/new", { cwd })).session;
    if (isApart) {
      const { servers } = await this.client.call("mcp/list", { sessionId });
      const started = servers.filter(({ state }) => state !== "off").map(({ name }) => name);
      this.#startedByOpening.set(sessionId, started);
    }
    return sessionId;
  }

  /** The MCP servers that a session in a folder of its own has started before its first message. */
  startedByOpening(sessionId: string): readonly string[] | undefined {
    return this.#startedByOpening.get(sessionId);
  }

  /** Runs a turn of the session, with these model answers. */
  async look(sessionId: string, script: Turns | undefined): Promise<Seen> {
    this.#asked.length = 0;
    rmSync(join(this.live.cwd, "new.txt"), { force: true });
    const { live, client } = this;
    const observed = await observeTurn({ live, client, servers: [live.model, ...this.#models] }, sessionId, script);
    return { ...observed, asked: [...this.#asked] };
  }

  async close(): Promise<void> {
    await this.live.close();
    for (const model of this.#models) await model.close();
  }
}

/** With the language servers that are installed here. */
function withTools(): string {
  return `${join(import.meta.dirname, "../../node_modules/.bin")}:${process.env.PATH}`;
}
