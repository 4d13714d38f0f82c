import { errorText, isConflict, type ResumeOptions, type ServerConnection, Session } from "@harness/client";
import type { SessionConfig, SessionUpdate } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { AppState } from "../state/app-state.ts";
import { remember } from "../state/composer.ts";
import { isBusy, ownMessages } from "../state/selectors.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { HudInView } from "./hud-in-view.ts";
import { ModeController } from "./mode-controller.ts";

/**
 * The session in view, and those that were left while a turn ran: they stay attached so that they can ask for
 * permission.
 */
export class SessionController {
  readonly #host: WindowHost;
  readonly hud: HudInView;
  readonly modes: ModeController;
  #inView: Session;
  /** Replaces the one in view once it is open, or once its last messages are there. */
  #opening: Session | undefined;
  /** Was in view before the one that is being opened, and is again if that fails. */
  #behind: { session: Session; shown: Pick<AppState, "title" | "reading" | "screen"> } | undefined;
  #left: readonly Session[] = [];
  /** The session whose folder no longer exists; it continues in the window's folder if it is opened again. */
  #offered: string | undefined;

  constructor(host: WindowHost) {
    this.#host = host;
    this.hud = new HudInView(host.store);
    this.modes = new ModeController(host, this);
    this.#inView = this.#create();
    host.store.dispatch({ type: "configChosen", config: host.request.config });
  }

  /** The session in view; it has no id before its first message. */
  get inView(): Session {
    return this.#inView;
  }

  get sessionId(): string | undefined {
    return this.#inView.id;
  }

  take(update: SessionUpdate): void {
    for (const session of new Set([this.#inView, this.#opening, this.#behind?.session, ...this.#left]))
      session?.take(update);
  }

  /** The server has exited: a partly streamed reply stays in view. */
  lost(): void {
    if (this.#inView.lost()) this.#folded();
  }

  /** A new server has started: resumes the session after the last fact seen. */
  async reattach(server: Pick<ServerConnection, "call">): Promise<void> {
    this.#left = [];
    await this.#inView.reattach(server);
  }

  /** The server that held a session has gone: goes on with it after the last fact seen. */
  async returned(sessionId: string, server: Pick<ServerConnection, "call">): Promise<void> {
    for (const session of [this.#inView, ...this.#left].filter(({ id }) => id === sessionId)) {
      if (session.lost() && session === this.#inView) this.#folded();
      await session.reattach(server);
    }
  }

  /**
   * Opens a stored session by id, prefix or title; `config` overrides its configuration. Returns false if that failed,
   * and a note says why.
   */
  async open(
    wanted: string,
    config?: SessionConfig,
    { fork = false }: Pick<ResumeOptions, "fork"> = {},
  ): Promise<boolean> {
    const { store, request } = this.#host;
    const isOther = this.#opening !== undefined && this.#opening !== this.#inView;
    if (wanted === this.sessionId && !this.#inView.isReadOnly && !fork && !isOther) {
      store.dispatch({ type: "screenShown", screen: "chat" });
      return true;
    }
    const session = this.#create();
    this.#opening = session;
    try {
      const isWanted = request.isFolderNamed || this.#offered === wanted;
      const onTail = (): void => this.#showTail(session);
      const opened = await session.resume(wanted, { config, isWanted, fork, onTail });
      if (this.#opening !== session) {
        // Meanwhile another was opened or begun.
        if (!("gone" in opened) && session.id !== this.#opening?.id && session.id !== this.sessionId) session.leave();
        return false;
      }
      if ("gone" in opened) {
        const { text } = opened.gone;
        this.#goBack();
        this.offer(wanted, `${text} To go on with it in ${request.cwd}, open it again: /resume ${wanted}`);
        return false;
      }
      this.#replace(session);
      if (this.#offered !== undefined) store.dispatch({ type: "notesCleared" });
      this.#offered = undefined;
      const { title, damage } = opened.session;
      this.#show(title);
      if (damage) store.note("warning", `This session's file was damaged: ${damage}`);
      return true;
    } catch (error) {
      if (this.#opening !== session) return false;
      this.#goBack();
      if (isConflict(error) && (await this.#read(wanted, errorText(error)))) return true;
      store.note("error", `The session could not be opened: ${errorText(error)}`);
      return false;
    } finally {
      if (this.#opening === session) this.#opening = undefined;
    }
  }

  /** Says why a session is not open yet; opening it again continues it in this folder. */
  offer(sessionId: string, text: string): void {
    this.#offered = sessionId;
    this.#host.store.note("warning", text);
  }

  /** Shows an empty screen; the session itself is created with its first message. Nothing is deleted. */
  begin(follows?: string): void {
    this.#opening = undefined;
    this.#replace(this.#create(follows));
    const { store } = this.#host;
    store.dispatch({ type: "sessionLeft" });
    store.dispatch({ type: "screenShown", screen: "chat" });
    void this.refreshHud();
  }

  /** The session that a message goes to, created if there is none yet. */
  async need(): Promise<Session> {
    const session = this.#inView;
    if (session.id !== undefined) return session;
    const { title } = (await session.begin(this.#host.store.get().nextConfig)).session;
    if (session !== this.#inView) this.#goesOn(session);
    else if (this.#host.store.get().session !== session.state) this.#show(title);
    return session;
  }

  cancel(): void {
    if (this.sessionId) void this.stop(this.sessionId);
  }

  /** Stops the turn of a session, or one agent of it. Never rejects. */
  async stop(sessionId: string, agentId?: string): Promise<void> {
    try {
      await [this.#inView, ...this.#left].find(({ id }) => id === sessionId)?.cancel(agentId);
    } catch (error) {
      this.#host.store.note("error", `The turn could not be stopped: ${errorText(error)}`);
    }
  }

  /** Shows the transcript of an agent of the session; messages go to it from then on. */
  showAgent(agentId: string): void {
    const { store, clock } = this.#host;
    store.dispatch({ type: "agentShown", agentId, nowMs: clock.now() });
  }

  /** Stops one subagent and those below it. Returns false if it had already ended. */
  stopAgent(agentId: string): Promise<boolean> {
    return this.#inView.cancel(agentId);
  }

  /** The session was deleted. */
  forget(sessionId: string): void {
    if (this.sessionId !== sessionId) return;
    this.#inView = this.#create();
    this.#host.store.dispatch({ type: "sessionLeft" });
  }

  async rename(title: string): Promise<void> {
    if (!this.sessionId) return this.#host.store.note("info", "There is no session to name yet. Send a message first.");
    await this.#inView.rename(title);
  }

  /** Changes the configuration of the session, and of the next one. */
  async configure(config: SessionConfig): Promise<void> {
    this.#host.store.dispatch({ type: "configChosen", config });
    if (this.sessionId) await this.#inView.configure(config);
    else await this.refreshHud();
  }

  async refreshHud(): Promise<void> {
    const { server, store, request } = this.#host;
    // This server has no numbers for a session that another process holds.
    const view = (): string | undefined => (this.#inView.isReadOnly ? undefined : this.sessionId);
    const sessionId = view();
    // Before a session exists, the server does not know the options that this window was started with.
    const config = store.get().nextConfig;
    try {
      const { context, ...rest } = await server.call(
        "hud/get",
        sessionId ? { sessionId } : { cwd: request.cwd, config, follow: true },
      );
      if (view() !== sessionId || (!sessionId && config !== store.get().nextConfig)) return;
      // The numbers would describe an empty session.
      const isKnown = context !== undefined && !this.#inView.isReadOnly;
      this.hud.take(isKnown ? { ...rest, context } : rest);
    } catch {
      // The HUD keeps its last numbers; the link reports a lost server.
    }
  }

  #create(follows?: string): Session {
    const { server, request } = this.#host;
    const session: Session = new Session(
      server,
      { ...request, follows },
      {
        onUpdate: (_update, applied) => {
          if (applied === "applied" && session === this.#inView) this.#folded();
        },
        onCaughtUp: () => void this.refreshHud(),
        onLeft: () => {
          this.#left = this.#left.filter((each) => each !== session);
        },
        onProblem: (error) =>
          this.#host.store.note(
            "error",
            `The session could not be continued: ${errorText(error)} /new starts a new one.`,
          ),
      },
    );
    return session;
  }

  #folded(): void {
    this.#host.store.dispatch({ type: "folded", nowMs: this.#host.clock.now() });
  }

  /** Another process holds the session: shows the stored facts, read-only. */
  async #read(wanted: string, why: string): Promise<boolean> {
    const session = this.#create();
    if (!(await session.read(wanted).catch(() => false))) return false;
    this.#replace(session);
    this.#show(undefined, { why: "elsewhere", text: why });
    const { rest } = firstSentence(why);
    if (rest !== "") this.#host.store.note("info", rest);
    return true;
  }

  /** The last messages of a long session, before the rest is there. */
  #showTail(session: Session): void {
    if (this.#opening !== session) return;
    const { title, reading, screen } = this.#host.store.get();
    this.#behind ??= { session: this.#inView, shown: { title, reading, screen } };
    this.#inView = session;
    this.#show(undefined, { why: "loading" });
  }

  /** Turns from a session that could not be opened to the one before it. */
  #goBack(): void {
    const { store } = this.#host;
    if (!this.#behind) return;
    const { session, shown } = this.#behind;
    this.#behind = undefined;
    this.#inView = session;
    if (session.state) this.#show(shown.title, shown.reading);
    else store.dispatch({ type: "sessionLeft" });
    store.dispatch({ type: "screenShown", screen: shown.screen });
  }

  #show(title: string | undefined, reading?: AppState["reading"]): void {
    const { store, clock } = this.#host;
    const { state: session } = this.#inView;
    if (!session) return;
    store.dispatch({ type: "sessionOpened", session, title, reading, nowMs: clock.now() });
    store.dispatch({ type: "screenShown", screen: "chat" });
    const { composer } = store.get();
    const sent = ownMessages(session).reduce(remember, composer.sent);
    store.set({ composer: { ...composer, sent } });
    void this.refreshHud();
  }

  /** Replaces the session in view with another. */
  #replace(next: Session): void {
    const before = this.#behind?.session ?? this.#inView;
    this.#behind = undefined;
    this.#inView = next;
    this.#left = this.#left.filter(({ id }) => id !== next.id);
    // The same session may have been opened again by its title.
    if (before.id === undefined || before.isReadOnly || before.id === next.id) return;
    if (isBusy({ session: before.state, reading: undefined })) this.#goesOn(before);
    else before.leave();
  }

  /** A turn of a session that is not in view may ask for permission until it ends. */
  #goesOn(session: Session): void {
    session.leave({ isBusy: true });
    this.#left = [...this.#left, session];
    this.#host.store.note("info", (keys) => {
      return `The turn of session ${session.id} goes on; ${keys.of("anywhere.history") ?? "/history"} opens it again.`;
    });
  }
}
