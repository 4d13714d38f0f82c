import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient, ServerProcess } from "@harness/client";
import type { Permission, PermissionMode, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import type { ScenarioInput } from "@harness/testkit";
import { LiveServer, say } from "./live-server.ts";

/** How the user answers a permission request. */
export type PersonAnswer = (permission: Permission) => PermissionOutcome | Promise<PermissionOutcome>;

export const TAKE: PermissionOutcome = { outcome: "selected", optionId: "take" };

type Start = {
  scenario: ScenarioInput;
  answer?: PersonAnswer;
  files?: Record<string, string>;
  env?: Record<string, string>;
  permissionMode?: PermissionMode;
};

/** A session whose edits wait for a review: a real server process over stdio, a scripted model over real HTTP. */
export class ReviewedSession {
  readonly live: LiveServer;
  /** The requests that the user saw. */
  readonly asked: Permission[];
  client: HarnessClient;
  server: ServerProcess;
  readonly sessionId: string;
  #prompts = 0;

  private constructor(
    live: LiveServer,
    connected: { client: HarnessClient; process: ServerProcess },
    { id, asked }: { id: string; asked: Permission[] },
  ) {
    this.live = live;
    this.asked = asked;
    this.client = connected.client;
    this.server = connected.process;
    this.sessionId = id;
  }

  /** Without an answer its client cannot be asked. */
  static async start({
    scenario,
    answer,
    files = {},
    env,
    permissionMode = "review",
  }: Start): Promise<ReviewedSession> {
    const live = await LiveServer.start(scenario);
    mkdirSync(live.cwd);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(live.cwd, name)), { recursive: true });
      writeFileSync(join(live.cwd, name), text);
    }
    const asked: Permission[] = [];
    const connected = await live.connect(answer && answering(asked, answer), env);
    const { session } = await connected.client.call("session/new", { cwd: live.cwd, config: { permissionMode } });
    return new ReviewedSession(live, connected, { id: session.sessionId, asked });
  }

  path(name: string): string {
    return join(this.live.cwd, name);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  /** Sends a message and waits for the end of its turn, which is returned. */
  async prompt(text: string): Promise<SessionUpdate> {
    this.#prompts += 1;
    const { sessionId } = this;
    const after = Math.max(0, ...this.live.updates.map(({ seq = 0 }) => seq));
    await this.client.call("session/prompt", { sessionId, promptId: `p${this.#prompts}`, prompt: say(text) });
    return await this.live.idle(after);
  }

  /** Runs a slash command; returns the text that the user reads. */
  async command(name: string, args = ""): Promise<string> {
    return (await this.client.call("command/run", { sessionId: this.sessionId, name, args })).text;
  }

  async pending() {
    return (await this.client.call("hud/get", { sessionId: this.sessionId })).pendingEdits;
  }

  /** The whole last request to the model. */
  get lastSent(): string {
    return JSON.stringify(this.live.model.chatRequests.at(-1)?.body);
  }

  async kill(): Promise<void> {
    process.kill(this.server.pid ?? Number.NaN, "SIGKILL");
    await this.server.exited;
  }

  /** Another process opens the session. */
  async reopen(answer: PersonAnswer): Promise<void> {
    const connected = await this.live.connect(answering(this.asked, answer));
    this.client = connected.client;
    this.server = connected.process;
    await this.client.call("session/resume", { sessionId: this.sessionId, replay: { type: "none" } });
  }

  close(): Promise<void> {
    return this.live.close();
  }
}

function answering(asked: Permission[], answer: PersonAnswer) {
  return async ({ permission }: { permission: Permission }) => {
    asked.push(permission);
    return await answer(permission);
  };
}
