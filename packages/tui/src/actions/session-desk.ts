import { emptySession, ROOT_AGENT, type SessionConfig, type SessionState, type SessionUpdate } from "@harness/protocol";
import { remember, withText } from "../state/composer.ts";
import { isBusy, ownMessages } from "../state/selectors.ts";
import { takeUpdate } from "../state/session-fold.ts";
import type { Store } from "../state/store.ts";
import type { WindowRequest } from "../window-request.ts";
import { type Clock, type HarnessClient, isLost, wordsOf } from "./harness-client.ts";
import type { ServerLink } from "./server-link.ts";

export type SessionDeskParts = {
  link: Pick<ServerLink, "call">;
  store: Store;
  clock: Clock;
  request: Pick<WindowRequest, "cwd" | "config" | "rules" | "maxTurns" | "customInstructions">;
  newId(): string;
};

type Call = Pick<HarnessClient, "call">;

/** The session in view: opens, follows and feeds it, over as many lives of the server as it takes. */
export class SessionDesk {
  readonly #parts: SessionDeskParts;
  /** What a new session is asked to run with; a model chosen in the window joins it. */
  #config: SessionConfig;
  /** Folds of sessions that are being opened: their facts come before the answer. */
  #opening: Map<string, SessionState> | undefined;
  /** Sessions that were left while they worked: still listened to, so that they can ask. */
  readonly #background = new Set<string>();
  #sending: Promise<void> = Promise.resolve();
  #resuming: Promise<void> | undefined;

  constructor(parts: SessionDeskParts) {
    this.#parts = parts;
    this.#config = { ...parts.request.config };
  }

  get sessionId(): string | undefined {
    return this.#parts.store.get().session?.sessionId;
  }

  take(update: SessionUpdate): void {
    const { store, clock } = this.#parts;
    const { session } = store.get();
    if (session?.sessionId === update.sessionId) {
      const applied = takeUpdate(session, update);
      if (applied === "gap") void this.#resume(this.#parts.link);
      if (applied === "applied") store.dispatch({ type: "folded", nowMs: clock.now() });
      return;
    }
    if (this.#opening) {
      const fold = this.#opening.get(update.sessionId) ?? emptySession(update.sessionId);
      this.#opening.set(update.sessionId, fold);
      takeUpdate(fold, update);
    }
    const { update: fact } = update;
    const isOver = fact.sessionUpdate === "state_update" && fact.state === "idle" && update.agentId === ROOT_AGENT;
    if (isOver && this.#background.delete(update.sessionId)) this.#detach(update.sessionId);
  }

  /** A new server is there: goes on where the old one ended. */
  async reattach(client: Call): Promise<void> {
    this.#background.clear();
    if (this.sessionId) await this.#resume(client);
  }

  /**
   * Opens a stored session, by id, prefix or title; `config` changes what it runs with. False, with a note, when it
   * cannot be opened.
   */
  async open(wanted: string, config?: SessionConfig): Promise<boolean> {
    const { link, store } = this.#parts;
    if (wanted === this.sessionId) {
      store.dispatch({ type: "screenShown", screen: "chat" });
      return true;
    }
    const folds = new Map<string, SessionState>();
    this.#opening = folds;
    try {
      const opened = await link.call("session/resume", { sessionId: wanted, ...this.#asked(config) });
      this.#leave();
      const { sessionId, title } = opened.session;
      this.#background.delete(sessionId);
      this.#show(folds.get(sessionId) ?? emptySession(sessionId), title);
      if (opened.session.damage) this.#note("warning", `This session's file was damaged: ${opened.session.damage}`);
      return true;
    } catch (error) {
      this.#note("error", `The session could not be opened: ${wordsOf(error)}`);
      return false;
    } finally {
      if (this.#opening === folds) this.#opening = undefined;
    }
  }

  /** An empty screen; the session itself is made with its first message. Nothing is deleted. */
  begin(): void {
    this.#leave();
    const { store } = this.#parts;
    store.dispatch({ type: "sessionLeft" });
    store.dispatch({ type: "screenShown", screen: "chat" });
    void this.refreshHud();
  }

  /** Sends a message; it is kept until a server has taken it. Messages arrive in the order they were sent. */
  send(text: string, delivery: "queue" | "steer"): void {
    const { store, newId } = this.#parts;
    const promptId = newId();
    store.dispatch({ type: "messageQueued", outgoing: { promptId, text, delivery } });
    if (store.get().screen !== "chat") store.dispatch({ type: "screenShown", screen: "chat" });
    this.#sending = this.#sending.then(() => this.#deliver(promptId, text, delivery));
  }

  cancel(): void {
    const { sessionId } = this;
    if (sessionId) this.#do(this.#parts.link.call("session/cancel", { sessionId }), "The turn could not be stopped");
  }

  /** Takes the newest waiting message back into the composer. */
  async unqueue(): Promise<void> {
    const { store, link } = this.#parts;
    const { session } = store.get();
    const last = session?.queue.at(-1);
    if (!session || !last) return;
    const { removed } = await link.call("session/unqueue", { sessionId: session.sessionId, promptId: last.promptId });
    if (!removed) return;
    const text = last.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    this.#giveBack(text);
  }

  async rename(title: string): Promise<void> {
    const { sessionId } = this;
    if (!sessionId) return this.#note("info", "There is no session to name yet. Send a message first.");
    await this.#parts.link.call("session/set_title", { sessionId, title });
  }

  /** What the session (or the next one) runs with. */
  async configure(config: SessionConfig): Promise<void> {
    this.#config = { ...this.#config, ...config };
    const { sessionId } = this;
    if (sessionId) await this.#parts.link.call("session/set_config_option", { sessionId, config });
    else await this.refreshHud();
  }

  async refreshHud(): Promise<void> {
    const { link, store, request } = this.#parts;
    const { sessionId } = this;
    try {
      const hud = await link.call("hud/get", sessionId ? { sessionId } : { cwd: request.cwd });
      if (this.sessionId !== sessionId) return;
      // Before a session exists the server knows nothing of what this window was started with.
      const { model, provider, permissionMode } = this.#config;
      const asked = {
        ...(model ? { model } : {}),
        ...(provider ? { provider } : {}),
        ...(permissionMode ? { permissionMode } : {}),
      };
      store.dispatch({ type: "hudChanged", hud: sessionId ? hud : { ...hud, ...asked } });
    } catch {
      // The display keeps its last numbers; a lost server is told of elsewhere.
    }
  }

  #asked(config?: SessionConfig) {
    const { rules, maxTurns, customInstructions } = this.#parts.request;
    return {
      ...(config && Object.keys(config).length > 0 ? { config } : {}),
      rules,
      ...(maxTurns === undefined ? {} : { limits: { maxTurns } }),
      ...(customInstructions === undefined ? {} : { customInstructions }),
    };
  }

  #show(session: SessionState, title: string | undefined): void {
    const { store, clock } = this.#parts;
    store.dispatch({ type: "sessionOpened", session, title, nowMs: clock.now() });
    store.dispatch({ type: "screenShown", screen: "chat" });
    const { composer } = store.get();
    const sent = ownMessages(session).reduce(remember, composer.sent);
    store.dispatch({ type: "composerChanged", composer: { ...composer, sent } });
    void this.refreshHud();
  }

  async #deliver(promptId: string, text: string, delivery: "queue" | "steer"): Promise<void> {
    const { link, store } = this.#parts;
    for (;;) {
      try {
        const sessionId = this.sessionId ?? (await this.#create());
        await link.call("session/prompt", { sessionId, promptId, prompt: [{ type: "text", text }], delivery });
        store.dispatch({ type: "messageSettled", promptId });
        return;
      } catch (error) {
        // The same promptId on the next server: it takes the message once, whether it had it already or not.
        if (isLost(error)) continue;
        store.dispatch({ type: "messageSettled", promptId });
        this.#giveBack(text);
        this.#note("error", `Not sent: ${wordsOf(error)}`);
        return;
      }
    }
  }

  async #create(): Promise<string> {
    const { link, request, newId } = this.#parts;
    const folds = new Map<string, SessionState>();
    this.#opening = folds;
    try {
      const opened = await link.call("session/new", {
        cwd: request.cwd,
        idempotencyKey: newId(),
        ...this.#asked(this.#config),
      });
      const { sessionId, title } = opened.session;
      this.#show(folds.get(sessionId) ?? emptySession(sessionId), title);
      return sessionId;
    } finally {
      if (this.#opening === folds) this.#opening = undefined;
    }
  }

  /** Fetches what is missing since the last fact seen; one at a time. */
  #resume(client: Call): Promise<void> {
    this.#resuming ??= this.#resumeAfter(client).finally(() => {
      this.#resuming = undefined;
    });
    return this.#resuming;
  }

  async #resumeAfter(client: Call): Promise<void> {
    const { session } = this.#parts.store.get();
    if (!session) return;
    const { sessionId, seq } = session;
    try {
      await client.call("session/resume", { sessionId, replay: { type: "after", seq }, ...this.#asked() });
      void this.refreshHud();
    } catch (error) {
      if (isLost(error)) return;
      this.#note("error", `The session could not be continued: ${wordsOf(error)} /new starts another one.`);
    }
  }

  #leave(): void {
    const { sessionId } = this;
    if (!sessionId) return;
    if (isBusy(this.#parts.store.get())) {
      this.#background.add(sessionId);
      this.#note("info", `The turn of session ${sessionId} goes on; History leads back to it.`);
    } else this.#detach(sessionId);
  }

  #detach(sessionId: string): void {
    // A server that forgot the session has nothing left to detach.
    this.#parts.link.call("session/detach", { sessionId }).catch(() => undefined);
  }

  /** Puts a text back where it was typed; beside what stands there, into the list that ↑ shows. */
  #giveBack(text: string): void {
    const { store } = this.#parts;
    const { composer } = store.get();
    const next = composer.buffer.isEmpty
      ? withText(composer, text)
      : { ...composer, sent: remember(composer.sent, text) };
    store.dispatch({ type: "composerChanged", composer: next });
  }

  #do(call: Promise<unknown>, what: string): void {
    call.catch((error: unknown) => this.#note("error", `${what}: ${wordsOf(error)}`));
  }

  #note(severity: "info" | "warning" | "error", text: string): void {
    this.#parts.store.dispatch({ type: "noted", note: { severity, text } });
  }
}
