import { randomUUID } from "node:crypto";
import {
  applyUpdate,
  type Content,
  emptySession,
  type PermissionOutcome,
  type Result,
  ROOT_AGENT,
  type ServerMethods,
  type SessionConfig,
  type SessionState,
  type SessionUpdate,
  type ToolOutcome,
} from "@harness/protocol";
import { isLost } from "../errors.ts";
import { Arrivals } from "./arrivals.ts";
import { CallOutcomes } from "./call-outcomes.ts";
import { type GoneFolder, openAnywhere } from "./moved-session.ts";
import { OpenQuestions } from "./open-questions.ts";
import { readSession } from "./read-session.ts";
import type { PromptOptions, ResumeOptions, SessionEvents } from "./session-options.ts";
import { repeated, type SessionServer } from "./session-server.ts";
import { type SessionTerms, sharedParams } from "./session-terms.ts";
import { endsTurn, TurnWait } from "./turn-wait.ts";
import { dropUnsaved, keepUnsaved } from "./unsaved-reply.ts";

type ResumeResult = Result<ServerMethods, "session/resume">;
type PromptResult = Result<ServerMethods, "session/prompt">;

/**
 * A session as a client has it, from before its first message to its end: every front stands on it, and programs that drive
 * harness. It begins or opens the session, sends messages and answers, and folds what the server reports into `state`. Where
 * an update is missing, or the server was restarted, it fetches the rest.
 *
 * Give each update of the connection to `take`; those of other sessions are ignored.
 */
export class Session {
  readonly terms: SessionTerms;
  /** Questions that are answered later: pass `questions.ask` as a client's `onQuestion`. */
  readonly questions = new OpenQuestions();
  readonly #server: SessionServer;
  readonly #events: SessionEvents;
  readonly #turn = new TurnWait();
  readonly #outcomes = new CallOutcomes();
  #state: SessionState | undefined;
  #opened: ResumeResult | undefined;
  #isReadOnly = false;
  #isLeaving = false;
  #arrivals: Arrivals | undefined;
  #beginning: Promise<ResumeResult> | undefined;
  /** Never rejects. */
  #opening: Promise<void> | undefined;
  #catchingUp: Promise<void> | undefined;
  /** Lets the server recognise a second request for the same session. */
  #key: string | undefined;

  constructor(server: SessionServer, terms: SessionTerms, events: SessionEvents = {}) {
    this.#server = server;
    this.terms = terms;
    this.#events = events;
  }

  /** Undefined until it is begun or opened. */
  get id(): string | undefined {
    return this.state?.sessionId;
  }

  /** The fold of its facts and the current stream; changed in place. While a long one is opened: of its last facts alone. */
  get state(): SessionState | undefined {
    return this.#state ?? this.#arrivals?.tail;
  }

  /** True if another process works on it: it was only read, and accepts no messages. */
  get isReadOnly(): boolean {
    return this.#isReadOnly;
  }

  /** Identifies the session in calls, or its folder as long as there is none. */
  get place(): { sessionId: string } | { cwd: string } {
    return this.id === undefined ? { cwd: this.terms.cwd } : { sessionId: this.id };
  }

  /** Begins the session, unless it exists already. */
  begin(config: SessionConfig = this.terms.config ?? {}): Promise<ResumeResult> {
    if (this.#opened) return Promise.resolve(this.#opened);
    this.#beginning ??= repeated(this.#server, () => this.#begin(config)).finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  /**
   * Opens a stored or live session by id, prefix or title. If its folder no longer exists, it continues in this one if
   * that is certainly the same folder or the user wants it; otherwise it stays closed, and the answer names the folder.
   */
  async resume(wanted: string, options: ResumeOptions = {}): Promise<ResumeResult | { gone: GoneFolder }> {
    const { config, replay = "start", isWanted = this.terms.isFolderNamed === true, fork = false, onTail } = options;
    const forked = { sessionId: wanted, ...(fork === "worktree" && { worktree: true }) };
    const { session } = fork ? await this.#server.call("session/fork", forked) : {};
    const sessionId = session?.sessionId ?? wanted;
    const arrivals = new Arrivals(replay);
    this.#arrivals = arrivals;
    const params = { sessionId, replay: { type: replay }, ...sharedParams(this.terms, config) };
    const openAll = () => openAnywhere(this.#server, params, { cwd: this.terms.cwd, isWanted });
    // The server reads all of it at one go: what it is asked meanwhile would wait.
    const opening = onTail ? arrivals.readTail(this.#server, sessionId, onTail).then(openAll) : openAll();
    this.#opening = opening.then(
      (opened) => this.#settle(arrivals, opened),
      () => this.#settle(arrivals),
    );
    await this.#opening;
    return await opening;
  }

  /** Reads a session without opening it, for example if another process holds it. False: there is none. */
  async read(wanted: string): Promise<boolean> {
    this.#state = await readSession(this.#server, wanted);
    this.#isReadOnly = this.#state !== undefined;
    return this.#isReadOnly;
  }

  /**
   * Sends a message, in a new session if there is none. The server answers once it has stored it; `turn` waits for what
   * follows. Repeating a `promptId` changes nothing: a message whose answer was lost can be sent again.
   */
  async prompt(content: string | readonly Content[], options: PromptOptions = {}): Promise<PromptResult> {
    const { delivery = "queue", promptId = this.#newId(), agentId = ROOT_AGENT, ...more } = options;
    const text = (words: string) => [{ type: "text" as const, text: words.toWellFormed() }];
    const prompt = typeof content === "string" ? text(content) : [...content];
    const to = agentId === ROOT_AGENT ? {} : { agentId };
    const sessionId = await this.#ensured();
    const params = { sessionId, promptId, prompt, delivery, ...to, ...more };
    return await repeated(this.#server, () => this.#server.call("session/prompt", params));
  }

  /** Sends a message into the running turn: the agent reads it before its next request. */
  steer(content: string | readonly Content[], options: Omit<PromptOptions, "delivery"> = {}): Promise<PromptResult> {
    return this.prompt(content, { ...options, delivery: "steer" });
  }

  /** Takes back a message that is waiting for the end of the turn. False: it is no longer waiting. */
  async unqueue(promptId: string): Promise<boolean> {
    return (await this.#server.call("session/unqueue", { sessionId: await this.#need(), promptId })).removed;
  }

  /** Waits for the end of the turn that `start` starts, if that resolves to true. */
  turn(start: () => Promise<boolean>): Promise<void> {
    return this.#turn.run(start);
  }

  /** The turn that `turn` waits for: `begun` once the server has accepted its start, `ended` with its last fact. */
  get running(): TurnWait["running"] {
    return this.#turn.running;
  }

  /** Stops the running turn, or one subagent with its descendants. False: nothing was running. */
  async cancel(agentId?: string): Promise<boolean> {
    await this.#opening;
    const { id: sessionId } = this;
    if (sessionId === undefined) return false;
    return (await this.#server.call("session/cancel", { sessionId, agentId })).cancelled;
  }

  /** Runs one of the user's commands, in a new session if there is none. `share`: the agent sees it. */
  async shell(command: string, { share = true } = {}): Promise<{ toolCallId: string; outcome: Promise<ToolOutcome> }> {
    const sessionId = await this.#ensured();
    const { toolCallId } = await this.#server.call("session/shell", { sessionId, command, share });
    return { toolCallId, outcome: this.#outcomes.of(toolCallId, this.#state) };
  }

  /** Stops one running call, such as that of `shell`. */
  async stopCall(toolCallId: string): Promise<boolean> {
    return (await this.#server.call("tool_call/cancel", { sessionId: await this.#need(), toolCallId })).cancelled;
  }

  /**
   * Runs a slash command of the server, in the session or in its folder. `needsSession`: begins one if there is none.
   */
  async command(
    { name, args }: { name: string; args: string },
    { needsSession = true } = {},
  ): Promise<Result<ServerMethods, "command/run">> {
    if (needsSession) await this.#ensured();
    return await this.#server.call("command/run", { ...this.place, name, args });
  }

  /** Changes the session's configuration, from the next request to the model on. */
  async configure(config: SessionConfig): Promise<void> {
    await this.#server.call("session/set_config_option", { sessionId: await this.#ensured(), config });
  }

  async rename(title: string): Promise<void> {
    await this.#server.call("session/set_title", { sessionId: await this.#ensured(), title });
  }

  /** Answers a permission request of `state.permissions`; rejects with a `conflict` if it is no longer open. */
  async reply(permissionId: string, outcome: PermissionOutcome): Promise<void> {
    await this.#server.call("permission/reply", { sessionId: await this.#need(), permissionId, outcome });
  }

  /** Call with each update from the connection. */
  take(update: SessionUpdate): void {
    const state = this.#state;
    this.#arrivals?.take(update);
    if (state?.sessionId !== update.sessionId || this.#isReadOnly) return;
    dropUnsaved(state, update);
    const applied = applyUpdate(state, update);
    if (applied === "gap") return void this.#catchUp(this.#server);
    if (applied === "duplicate" && update.seq !== undefined) return;
    this.#events.onUpdate?.(update, applied);
    this.#outcomes.see(update);
    this.#turn.see(update);
    if (this.#isLeaving && endsTurn(update)) this.#detach(state.sessionId);
  }

  /**
   * The connection is lost: a partly streamed reply stays in `state`, marked. `error`: no other server will come, and
   * everything that waits for a turn fails with it. Returns true if `state` has changed.
   */
  lost(error?: Error): boolean {
    if (error) this.#turn.fail(error);
    return this.#state !== undefined && keepUnsaved(this.#state);
  }

  /**
   * A new server is connected: continues after the last fact seen. `server`: the target of calls that cannot wait for
   * it.
   */
  async reattach(server: SessionServer = this.#server): Promise<void> {
    await this.#catchUp(server);
  }

  /** Stops following the session, which continues; `isBusy`: only after its turn, so that it can still ask. */
  leave({ isBusy = false } = {}): void {
    this.#isLeaving = isBusy;
    if (!isBusy && !this.#isReadOnly && this.id !== undefined) this.#detach(this.id);
  }

  async #begin(config: SessionConfig): Promise<ResumeResult> {
    this.#key ??= this.#newId();
    const { cwd, title, ephemeral, follows } = this.terms;
    const params = { cwd, title, ephemeral, follows, idempotencyKey: this.#key, ...sharedParams(this.terms, config) };
    const opened = await this.#server.call("session/new", params);
    this.#opened = opened;
    this.#state = emptySession(opened.session.sessionId);
    return opened;
  }

  /** It is open now, or stays closed. */
  #settle(arrivals: Arrivals, opened?: ResumeResult | { gone: GoneFolder }): void {
    this.#arrivals = undefined;
    this.#opening = undefined;
    if (!opened || "gone" in opened) return;
    const { state, rest } = arrivals.opened(opened.session.sessionId, opened.seq);
    this.#state = state;
    this.#opened = opened;
    for (const update of rest) this.take(update);
  }

  /** Fetches the facts after the last one seen; one call at a time. */
  #catchUp(server: SessionServer): Promise<void> {
    this.#catchingUp ??= this.#fetchRest(server).finally(() => {
      this.#catchingUp = undefined;
    });
    return this.#catchingUp;
  }

  async #fetchRest(server: SessionServer): Promise<void> {
    if (!this.#state || this.#isReadOnly) return;
    const { sessionId, seq } = this.#state;
    try {
      await server.call("session/resume", { sessionId, replay: { type: "after", seq }, ...sharedParams(this.terms) });
      this.#events.onCaughtUp?.();
    } catch (error) {
      if (!isLost(error)) this.#events.onProblem?.(error);
    }
  }

  #detach(sessionId: string): void {
    // A server that forgot the session has nothing left to detach.
    this.#server.call("session/detach", { sessionId }).catch(() => undefined);
    this.#events.onLeft?.();
  }

  /** Its id; begins it if there is none. */
  async #ensured(): Promise<string> {
    if (this.#opening !== undefined) return await this.#need();
    return this.id ?? (await this.begin()).session.sessionId;
  }

  async #need(): Promise<string> {
    await this.#opening;
    if (this.id === undefined) throw new Error("The session is not open.");
    return this.id;
  }

  #newId(): string {
    return this.#server.newId?.() ?? randomUUID();
  }
}
