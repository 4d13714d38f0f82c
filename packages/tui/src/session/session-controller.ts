import { type Modes, nextModes, readSession } from "@harness/client/actions";
import {
  applyUpdate,
  emptySession,
  ROOT_AGENT,
  type SessionConfig,
  type SessionState,
  type SessionUpdate,
} from "@harness/protocol";
import type { Server } from "../client/connect-server.ts";
import { errorText, isConflict, isLost } from "../client/server-errors.ts";
import type { WindowHost } from "../client/window-host.ts";
import { remember } from "../state/composer.ts";
import { modeNote } from "../state/mode-note.ts";
import { isBusy, modesInForce, ownMessages } from "../state/selectors.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { GoneFolders } from "./gone-folders.ts";
import { HudInView } from "./hud-in-view.ts";
import { dropUnsaved, keepUnsaved } from "./unsaved-reply.ts";

/** The session in view: opens and follows it, and resumes it when the server was restarted. */
export class SessionController {
  readonly #host: WindowHost;
  readonly hud: HudInView;
  readonly gone: GoneFolders;
  /** The modes that the server was asked for and has not confirmed. */
  #askedModes: Modes | undefined;
  /** Folds of sessions that are being opened: their facts arrive before the answer does. */
  #opening: Map<string, SessionState> | undefined;
  /** Sessions left while a turn ran; they stay attached so that they can ask for permission. */
  readonly #background = new Set<string>();
  #resuming: Promise<void> | undefined;

  constructor(host: WindowHost) {
    this.#host = host;
    this.hud = new HudInView(host.store);
    this.gone = new GoneFolders(host);
    host.store.dispatch({ type: "configChosen", config: host.request.config });
  }

  get sessionId(): string | undefined {
    return this.#host.store.get().session?.sessionId;
  }

  take(update: SessionUpdate): void {
    const { store, clock } = this.#host;
    const { session } = store.get();
    if (session?.sessionId === update.sessionId) {
      dropUnsaved(session, update);
      const applied = applyUpdate(session, update);
      if (applied === "gap") void this.#resume(this.#host.server);
      if (applied === "applied") store.dispatch({ type: "folded", nowMs: clock.now() });
      return;
    }
    if (this.#opening) {
      const fold = this.#opening.get(update.sessionId) ?? emptySession(update.sessionId);
      this.#opening.set(update.sessionId, fold);
      applyUpdate(fold, update);
    }
    const { update: fact } = update;
    const isOver = fact.sessionUpdate === "state_update" && fact.state === "idle" && update.agentId === ROOT_AGENT;
    if (isOver && this.#background.delete(update.sessionId)) this.#detach(update.sessionId);
  }

  /** The server is gone: a partly streamed reply stays in view. */
  lost(): void {
    const { store, clock } = this.#host;
    const { session } = store.get();
    if (session && keepUnsaved(session)) store.dispatch({ type: "folded", nowMs: clock.now() });
  }

  /** A new server is there: resumes the session after the last fact seen. */
  async reattach(client: Pick<Server, "call">): Promise<void> {
    this.#background.clear();
    if (this.sessionId && !this.#host.store.get().reading) await this.#resume(client);
  }

  /** Opens a stored session, by id, prefix or title; `config` changes what it runs with. False: it is not, and a note says why. */
  async open(wanted: string, config?: SessionConfig): Promise<boolean> {
    const { store } = this.#host;
    if (wanted === this.sessionId && !store.get().reading) {
      store.dispatch({ type: "screenShown", screen: "chat" });
      return true;
    }
    const folds = new Map<string, SessionState>();
    this.#opening = folds;
    try {
      const opened = await this.gone.resume({ sessionId: wanted, ...this.#asked(config) });
      if (!opened) return false;
      this.#leave();
      const { sessionId, title, damage } = opened.session;
      this.#background.delete(sessionId);
      this.#show(folds.get(sessionId) ?? emptySession(sessionId), title);
      if (damage) store.note("warning", `This session's file was damaged: ${damage}`);
      return true;
    } catch (error) {
      if (isConflict(error) && (await this.#read(wanted, errorText(error)))) return true;
      store.note("error", `The session could not be opened: ${errorText(error)}`);
      return false;
    } finally {
      if (this.#opening === folds) this.#opening = undefined;
    }
  }

  /** An empty screen; the session itself is made with its first message. Nothing is deleted. */
  begin(): void {
    this.#leave();
    const { store } = this.#host;
    store.dispatch({ type: "sessionLeft" });
    store.dispatch({ type: "screenShown", screen: "chat" });
    void this.refreshHud();
  }

  /** The session that a message goes to, made when there is none yet. */
  async need(): Promise<string> {
    return this.sessionId ?? (await this.#create());
  }

  cancel(): void {
    const { sessionId } = this;
    if (sessionId) void this.stop(sessionId);
  }

  /** Stops the turn of a session, or one agent of it. Never rejects. */
  async stop(sessionId: string, agentId?: string): Promise<void> {
    const { server, store } = this.#host;
    try {
      await server.call("session/cancel", agentId === undefined ? { sessionId } : { sessionId, agentId });
    } catch (error) {
      store.note("error", `The turn could not be stopped: ${errorText(error)}`);
    }
  }

  /** Shows the transcript of an agent of the session; messages go to it from then on. */
  showAgent(agentId: string): void {
    const { store, clock } = this.#host;
    store.dispatch({ type: "agentShown", agentId, nowMs: clock.now() });
  }

  /** Stops one subagent, with those below it. False when it had ended already. */
  async stopAgent(agentId: string): Promise<boolean> {
    const { sessionId } = this;
    if (!sessionId) return false;
    return (await this.#host.server.call("session/cancel", { sessionId, agentId })).cancelled;
  }

  /** The session was deleted. */
  forget(sessionId: string): void {
    if (this.sessionId === sessionId) this.#host.store.dispatch({ type: "sessionLeft" });
  }

  async rename(title: string): Promise<void> {
    const { sessionId } = this;
    if (!sessionId) return this.#host.store.note("info", "There is no session to name yet. Send a message first.");
    await this.#host.server.call("session/set_title", { sessionId, title });
  }

  /** Changes the configuration of the session, and of the next one. */
  async configure(config: SessionConfig): Promise<void> {
    this.#host.store.dispatch({ type: "configChosen", config });
    const { sessionId } = this;
    if (sessionId) await this.#host.server.call("session/set_config_option", { sessionId, config });
    else await this.refreshHud();
  }

  /** Switches to the next mode, and says what it does. A second press before the server has confirmed continues from the first. */
  async cycleMode(): Promise<void> {
    const { store } = this.#host;
    const state = store.get();
    if (!state.hud || state.reading) return;
    const from = this.#askedModes ?? modesInForce(state);
    const round = { hasSandbox: state.hud.sandbox?.active === true };
    const next = nextModes(from, round);
    this.#askedModes = next;
    try {
      const { permissionMode, mode } = next;
      await this.configure({
        ...(permissionMode === from.permissionMode ? {} : { permissionMode }),
        ...(mode === (from.mode ?? "agent") ? {} : { mode }),
      });
      if (this.#askedModes === next) store.note("info", modeNote(next, nextModes(next, round)), "mode");
    } catch (error) {
      store.note("error", `The mode could not be changed: ${errorText(error)}`);
      await this.refreshHud();
    } finally {
      if (this.#askedModes === next) this.#askedModes = undefined;
    }
  }

  async refreshHud(): Promise<void> {
    const { server, store, request } = this.#host;
    // This server has no numbers of a session that another process holds.
    const view = (): string | undefined => (store.get().reading ? undefined : this.sessionId);
    const sessionId = view();
    // Before a session exists the server does not know how this window was started.
    const config = store.get().nextConfig;
    try {
      const { context, ...rest } = await server.call(
        "hud/get",
        sessionId ? { sessionId } : { cwd: request.cwd, config },
      );
      if (view() !== sessionId || (!sessionId && config !== store.get().nextConfig)) return;
      // The numbers would describe an empty session.
      const isKnown = context !== undefined && !store.get().reading;
      this.hud.take(isKnown ? { ...rest, context } : rest);
    } catch {
      // The HUD keeps its last numbers; the link reports a lost server.
    }
  }

  #asked(config?: SessionConfig) {
    const { rules, additionalDirectories, mcp, maxTurns, customInstructions } = this.#host.request;
    return {
      ...(config && Object.keys(config).length > 0 ? { config } : {}),
      rules,
      additionalDirectories,
      mcp,
      ...(maxTurns === undefined ? {} : { limits: { maxTurns } }),
      ...(customInstructions === undefined ? {} : { customInstructions }),
    };
  }

  /** Another process holds the session: shows the stored facts, read-only. */
  async #read(wanted: string, why: string): Promise<boolean> {
    const session = await readSession(this.#host.server, wanted).catch(() => undefined);
    if (!session) return false;
    this.#leave();
    this.#show(session, session.title, why);
    const { rest } = firstSentence(why);
    if (rest !== "") this.#host.store.note("info", rest);
    return true;
  }

  #show(session: SessionState, title: string | undefined, reading?: string): void {
    const { store, clock } = this.#host;
    store.dispatch({ type: "sessionOpened", session, title, reading, nowMs: clock.now() });
    store.dispatch({ type: "screenShown", screen: "chat" });
    const { composer } = store.get();
    const sent = ownMessages(session).reduce(remember, composer.sent);
    store.set({ composer: { ...composer, sent } });
    void this.refreshHud();
  }

  async #create(): Promise<string> {
    const { server, request } = this.#host;
    const folds = new Map<string, SessionState>();
    this.#opening = folds;
    try {
      const opened = await server.call("session/new", {
        cwd: request.cwd,
        idempotencyKey: server.newId(),
        ...this.#asked(this.#host.store.get().nextConfig),
      });
      const { sessionId, title } = opened.session;
      this.#show(folds.get(sessionId) ?? emptySession(sessionId), title);
      return sessionId;
    } finally {
      if (this.#opening === folds) this.#opening = undefined;
    }
  }

  /** Fetches the facts after the last one seen; one call at a time. */
  #resume(client: Pick<Server, "call">): Promise<void> {
    this.#resuming ??= this.#resumeAfter(client).finally(() => {
      this.#resuming = undefined;
    });
    return this.#resuming;
  }

  async #resumeAfter(client: Pick<Server, "call">): Promise<void> {
    const { session } = this.#host.store.get();
    if (!session) return;
    const { sessionId, seq } = session;
    try {
      await client.call("session/resume", { sessionId, replay: { type: "after", seq }, ...this.#asked() });
      void this.refreshHud();
    } catch (error) {
      if (isLost(error)) return;
      this.#host.store.note("error", `The session could not be continued: ${errorText(error)} /new starts a new one.`);
    }
  }

  #leave(): void {
    const { sessionId } = this;
    if (!sessionId || this.#host.store.get().reading) return;
    if (isBusy(this.#host.store.get())) {
      this.#background.add(sessionId);
      this.#host.store.note("info", (keys) => {
        return `The turn of session ${sessionId} goes on; ${keys.of("anywhere.history") ?? "/history"} opens it again.`;
      });
    } else this.#detach(sessionId);
  }

  #detach(sessionId: string): void {
    // A server that forgot the session has nothing left to detach.
    this.#host.server.call("session/detach", { sessionId }).catch(() => undefined);
  }
}
