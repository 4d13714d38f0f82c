import {
  type AttachingClient,
  GOES_ON_HERE,
  OPEN_ELSEWHERE,
  type openAttachingClient,
  type ResumeOptions,
  readSession,
  Session,
  type SessionRequest,
  type SessionServer,
} from "@harness/client";
import { imagePart, nextStep } from "@harness/client/actions";
import { type LoadedImage, ROOT_AGENT, type SessionState, type SessionUpdate } from "@harness/protocol";
import { RunReport } from "../headless/run-report.ts";
import { LineAsks } from "../lines/asking/line-asks.ts";
import type { Lines } from "../lines/lines.ts";
import { noteText } from "../steps/note-text.ts";
import { StepLines } from "../steps/step-lines.ts";
import { ReplyLines } from "./reply-lines.ts";

type AttachingOptions = Parameters<typeof openAttachingClient>[2];

/** A conversation in plain lines: messages go to the session, and its events are printed. */
export class LineMode {
  readonly #lines: Lines;
  readonly #request: SessionRequest;
  readonly #steps = new StepLines();
  readonly #replies = new ReplyLines();
  readonly #asks: LineAsks;
  /** The images of the next message. */
  images: readonly LoadedImage[] = [];
  #connected: { client: AttachingClient; session: Session } | undefined;
  #opening: Session | undefined;
  /** The running call of the user's own command, once the server has named it. */
  #command: { id?: string } | undefined;
  /** For the running turn: its end need not be reported twice. */
  #lastNote = "";
  /** The session whose folder no longer exists; it continues in this folder if it is opened again. */
  #offered: string | undefined;
  /** For the running turn. */
  #report: RunReport | undefined;
  /** Work of the server outside of a turn. */
  #work: AbortController | undefined;

  constructor(lines: Lines, request: SessionRequest) {
    this.#lines = lines;
    this.#request = request;
    this.#asks = new LineAsks(lines, request.cwd, () => void this.stop().catch(() => undefined));
  }

  /** Routes a client's updates and questions to this object. */
  get listeners(): Pick<AttachingOptions, "onUpdate" | "onPermission" | "onQuestion" | "onAttached" | "onHolderLost"> {
    return {
      onUpdate: (update) => {
        this.#connected?.session.take(update);
        this.#opening?.take(update);
      },
      onPermission: ({ permission }, signal) => this.#asks.permission(permission, signal),
      onQuestion: (question, signal) => this.#asks.question(question, signal),
      onAttached: () => this.#lines.print(OPEN_ELSEWHERE),
      onHolderLost: (sessionId, server) => this.#returned(sessionId, server),
    };
  }

  set client(client: AttachingClient) {
    this.#connected = { client, session: this.#newSession(client) };
  }

  get client(): AttachingClient {
    return this.#need().client;
  }

  /** The session that messages go to; it is created with the first one. */
  get session(): Session {
    return this.#need().session;
  }

  get isBusy(): boolean {
    return this.#report !== undefined || this.#command !== undefined || this.#work !== undefined;
  }

  /** Your next message starts a new session. */
  begin(follows?: string): void {
    const { client } = this;
    const session = this.#newSession(client, follows);
    this.#leaveFor(session);
    this.#connected = { client, session };
  }

  /** Continues a stored session, by id, beginning of an id, or title. */
  async open(
    wanted: string,
    { fork = false, config: more }: Pick<ResumeOptions, "fork" | "config"> = {},
  ): Promise<void> {
    const { client } = this;
    const { cwd, isFolderNamed, config } = this.#request;
    const session = this.#newSession(client);
    this.#opening = session;
    const isWanted = isFolderNamed || this.#offered === wanted;
    const opened = await session
      .resume(wanted, { config: { ...config, ...more }, replay: "none", isWanted, fork })
      .finally(() => {
        this.#opening = undefined;
      });
    this.#offered = "gone" in opened ? wanted : undefined;
    if ("gone" in opened) {
      this.#lines.print(`${opened.gone.text} To go on with it in ${cwd}: /resume ${wanted}`);
      return;
    }
    this.#leaveFor(session);
    this.#connected = { client, session };
    const { sessionId, title, preview, damage } = opened.session;
    this.#lines.print(`Session ${sessionId}: ${title ?? preview}`);
    if (damage !== undefined) this.#lines.print(`This session's file was damaged: ${damage}`);
  }

  /** The current stored session; undefined if there is none yet. */
  async stored(): Promise<SessionState | undefined> {
    const { client, session } = this;
    return session.id === undefined ? undefined : await readSession(client, session.id);
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
    const content = [{ type: "text" as const, text: text.toWellFormed() }, ...this.images.map(imagePart)];
    await this.session.prompt(content, { delivery });
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

  /** Waits for the turn that `begin` starts, if it starts one, and reports how it ended unless that is obvious. */
  async turn(begin: () => Promise<boolean>): Promise<void> {
    const report = new RunReport();
    this.#report = report;
    this.#lastNote = "";
    const startedAt = performance.now();
    let hasBegun = false;
    try {
      await this.session.turn(async () => {
        hasBegun = await begin();
        return hasBegun;
      });
    } finally {
      this.#report = undefined;
    }
    if (!hasBegun) return;
    const ending = report.ending ?? "failed";
    const durationMs = performance.now() - startedAt;
    const { error, stopReason } = report.result({ ending, sessionId: null, isStored: true, durationMs });
    if (error && !this.#lastNote.startsWith(error.message)) this.#lines.print(error.message);
    const step = nextStep(ending === "failed" ? "error" : stopReason);
    if (error && step !== undefined) this.#lines.print(step);
  }

  /** Runs the user's own command, and waits for its end. `share`: the agent sees it. */
  async shell(command: string, { share }: { share: boolean }): Promise<void> {
    const own: { id?: string } = {};
    this.#command = own;
    try {
      const { toolCallId, outcome } = await this.session.shell(command, { share });
      own.id = toolCallId;
      for (const block of (await outcome).blocks)
        if (block.type === "terminal" && block.output !== "") this.#lines.print(block.output.trimEnd());
    } finally {
      this.#command = undefined;
    }
  }

  async stop(): Promise<void> {
    if (this.#work) return this.#work.abort();
    const { id } = this.#command ?? {};
    await (id === undefined ? this.session.cancel() : this.session.stopCall(id));
  }

  /** Questions of a session that goes on elsewhere are no longer asked here. */
  #leaveFor(next: Session): void {
    const { client, session } = this;
    if (session.id !== undefined && session.id !== next.id && client.isElsewhere(session.id)) session.leave();
  }

  /** The server that held the session has gone. */
  async #returned(sessionId: string, server: SessionServer): Promise<void> {
    const { session } = this;
    if (session.id !== sessionId) return;
    this.#lines.print(GOES_ON_HERE);
    session.lost();
    await session.reattach(server);
  }

  #newSession(client: AttachingClient, follows?: string): Session {
    return new Session(client, { ...this.#request, follows }, { onUpdate: (update) => this.#print(update) });
  }

  #need(): { client: AttachingClient; session: Session } {
    if (!this.#connected) throw new Error("The server is not connected yet.");
    return this.#connected;
  }

  #print(update: SessionUpdate): void {
    if (update.agentId === ROOT_AGENT) for (const line of this.#replies.see(update)) this.#lines.print(line);
    if (update.update.sessionUpdate !== "agent_message")
      for (const line of this.#steps.see(update)) this.#lines.print(line);
    const note = noteText(update);
    if (note !== undefined) this.#lines.print(note);
    this.#lastNote = note ?? this.#lastNote;
    this.#report?.see(update);
  }
}
