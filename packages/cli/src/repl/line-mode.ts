import { randomUUID } from "node:crypto";
import type { ClientOptions, HarnessClient, SessionRequest } from "@harness/client";
import { imagePart, nextStep, readSession, resumeHere } from "@harness/client/actions";
import {
  type LoadedImage,
  ROOT_AGENT,
  type SessionState,
  type SessionUpdate,
  type ToolOutcome,
} from "@harness/protocol";
import { RunReport } from "../headless/run-report.ts";
import { noteText } from "../steps/note-text.ts";
import { StepLines } from "../steps/step-lines.ts";
import { LineAsks } from "./asking/line-asks.ts";
import type { Lines } from "./lines.ts";
import { ReplyLines } from "./reply-lines.ts";

/** A conversation in plain lines: messages go to the session, and what happens there is printed. */
export class LineMode {
  readonly #lines: Lines;
  readonly #request: SessionRequest;
  readonly #steps = new StepLines();
  readonly #replies = new ReplyLines();
  readonly #asks: LineAsks;
  /** The images of the next message. */
  images: readonly LoadedImage[] = [];
  #client: HarnessClient | undefined;
  #sessionId: string | undefined;
  /** The person's own command that runs, once the server has named it. */
  #command:
    | { id: string | undefined; ended: PromiseWithResolvers<void>; outcomes: Map<string, ToolOutcome> }
    | undefined;
  /** Of the running turn: its end need not be said twice. */
  #lastNote = "";
  /** The session whose folder is gone, and which goes on in this one when it is opened again. */
  #offered: string | undefined;
  #turn: { report: RunReport; idle: PromiseWithResolvers<void> } | undefined;
  /** Work of the server outside of a turn. */
  #work: AbortController | undefined;

  constructor(lines: Lines, request: SessionRequest) {
    this.#lines = lines;
    this.#request = request;
    this.#asks = new LineAsks(lines, request.cwd, () => void this.stop().catch(() => undefined));
  }

  /** Routes a client's updates and questions to this object. */
  get listeners(): Pick<ClientOptions, "onUpdate" | "onPermission" | "onQuestion"> {
    return {
      onUpdate: (update) => this.#take(update),
      onPermission: ({ permission }, signal) => this.#asks.permission(permission, signal),
      onQuestion: (question, signal) => this.#asks.question(question, signal),
    };
  }

  set client(client: HarnessClient) {
    this.#client = client;
  }

  get client(): HarnessClient {
    if (!this.#client) throw new Error("The server is not connected yet.");
    return this.#client;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  get isBusy(): boolean {
    return this.#turn !== undefined || this.#command !== undefined || this.#work !== undefined;
  }

  /** Your next message starts a new session. */
  begin(): void {
    this.#sessionId = undefined;
  }

  /** Goes on with a stored session, by id, beginning of an id, or title. */
  async open(wanted: string): Promise<void> {
    const { cwd, isFolderNamed } = this.#request;
    const params = { sessionId: wanted, replay: { type: "none" } as const, ...this.#asked() };
    const isWanted = isFolderNamed || this.#offered === wanted;
    const opened = await resumeHere(this.client, params, { cwd, isWanted });
    this.#offered = "gone" in opened ? wanted : undefined;
    if ("gone" in opened) {
      this.#lines.print(`${opened.gone.text} To go on with it in ${cwd}: /resume ${wanted}`);
      return;
    }
    const { session } = opened;
    this.#sessionId = session.sessionId;
    this.#lines.print(`Session ${session.sessionId}: ${session.title ?? session.preview}`);
    if (session.damage !== undefined) this.#lines.print(`This session's file was damaged: ${session.damage}`);
  }

  /** The session that a message goes to, made when there is none yet. */
  async need(): Promise<string> {
    if (this.#sessionId !== undefined) return this.#sessionId;
    const { session } = await this.client.call("session/new", { cwd: this.#request.cwd, ...this.#asked() });
    this.#sessionId = session.sessionId;
    return session.sessionId;
  }

  /** The stored session as it is now; undefined where there is none yet. */
  async session(): Promise<SessionState | undefined> {
    return this.#sessionId === undefined ? undefined : await readSession(this.client, this.#sessionId);
  }

  /** Sends a message with its images, and waits for the end of its turn. */
  async send(text: string): Promise<void> {
    await this.turn(async () => {
      await this.#deliver(text, "queue");
      return true;
    });
  }

  /** Sends a message into the running turn: it is read with the next step. */
  async steer(text: string): Promise<void> {
    await this.#deliver(text, "steer");
    this.#lines.print("Sent with the next step.");
  }

  async #deliver(text: string, delivery: "queue" | "steer"): Promise<void> {
    const sessionId = await this.need();
    const prompt = [{ type: "text" as const, text: text.toWellFormed() }, ...this.images.map(imagePart)];
    await this.client.call("session/prompt", { sessionId, promptId: randomUUID(), prompt, delivery });
    this.images = [];
  }

  /** Work that Ctrl+C and `/stop` end. */
  async work(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const work = new AbortController();
    this.#work = work;
    try {
      await run(work.signal);
    } finally {
      this.#work = undefined;
    }
  }

  /** Waits for the turn that `begin` starts, where it starts one, and says how it ended where that is not plain. */
  async turn(begin: () => Promise<boolean>): Promise<void> {
    const turn = { report: new RunReport(), idle: Promise.withResolvers<void>() };
    this.#turn = turn;
    this.#lastNote = "";
    const startedAt = performance.now();
    try {
      if (!(await begin())) return;
      await turn.idle.promise;
    } finally {
      this.#turn = undefined;
    }
    const { report } = turn;
    const ending = report.ending ?? "failed";
    const durationMs = performance.now() - startedAt;
    const { error, stopReason } = report.result({ ending, sessionId: null, isStored: true, durationMs });
    if (error && !this.#lastNote.startsWith(error.message)) this.#lines.print(error.message);
    const step = nextStep(ending === "failed" ? "error" : stopReason);
    if (error && step !== undefined) this.#lines.print(step);
  }

  /** Runs a command of the person's own, and waits for its end. `share`: the agent sees it. */
  async shell(command: string, { share }: { share: boolean }): Promise<void> {
    const sessionId = await this.need();
    const own = { id: undefined as string | undefined, ended: Promise.withResolvers<void>(), outcomes: new Map() };
    this.#command = own;
    try {
      own.id = (await this.client.call("session/shell", { sessionId, command, share })).toolCallId;
      this.#endCommand();
      await own.ended.promise;
    } finally {
      this.#command = undefined;
    }
  }

  #endCommand(): void {
    const { id, ended, outcomes } = this.#command ?? {};
    const outcome = id === undefined ? undefined : outcomes?.get(id);
    if (!outcome) return;
    for (const block of outcome.blocks)
      if (block.type === "terminal" && block.output !== "") this.#lines.print(block.output.trimEnd());
    ended?.resolve();
  }

  async stop(): Promise<void> {
    if (this.#work) return this.#work.abort();
    const { id } = this.#command ?? {};
    if (this.#sessionId !== undefined && id !== undefined)
      return void (await this.client.call("tool_call/cancel", { sessionId: this.#sessionId, toolCallId: id }));
    if (this.#sessionId !== undefined) await this.client.call("session/cancel", { sessionId: this.#sessionId });
  }

  #asked() {
    const { config, rules, additionalDirectories, mcp, maxTurns, customInstructions } = this.#request;
    return {
      config,
      rules,
      additionalDirectories,
      mcp,
      ...(maxTurns === undefined ? {} : { limits: { maxTurns } }),
      ...(customInstructions === undefined ? {} : { customInstructions }),
    };
  }

  #take(update: SessionUpdate): void {
    if (update.sessionId !== this.#sessionId) return;
    if (update.agentId === ROOT_AGENT) for (const line of this.#replies.take(update)) this.#lines.print(line);
    if (update.update.sessionUpdate !== "agent_message")
      for (const line of this.#steps.take(update)) this.#lines.print(line);
    const note = noteText(update);
    if (note !== undefined) this.#lines.print(note);
    this.#lastNote = note ?? this.#lastNote;
    const { update: fact } = update;
    if (fact.sessionUpdate === "tool_call_update" && fact.outcome && this.#command) {
      this.#command.outcomes.set(fact.toolCallId, fact.outcome);
      this.#endCommand();
    }
    if (this.#turn?.report.take(update)) this.#turn.idle.resolve();
  }
}
