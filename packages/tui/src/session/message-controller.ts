import { errorText, isOutsideRefusal, type Session } from "@harness/client";
import { type Content, type Delivery, ROOT_AGENT, textOf } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import type { OutgoingMessage } from "../state/app-state.ts";
import { returnPictures, takePictures } from "../state/attachments.ts";
import { isBusy, isWithoutModel } from "../state/selectors.ts";

/** Handles a message that no model could answer. */
export type ModelAsk = {
  /** Reads which model is in use. */
  refresh(): Promise<void>;
  /** Lets the user choose how to get one. */
  ask(): void;
};

/** Sends the user's messages, and takes queued ones back. */
export class MessageController {
  readonly #host: WindowHost;
  readonly #session: () => Promise<Session>;
  readonly #model: ModelAsk;
  #sending: Promise<void> = Promise.resolve();
  /** A message that was refused for a file outside the workspace: sent once more, it is meant. */
  #unconfirmed: string | undefined;

  /** `session`: returns the one in view, created if there is none yet. */
  constructor(host: WindowHost, session: () => Promise<Session>, model: ModelAsk) {
    this.#host = host;
    this.#session = session;
    this.#model = model;
  }

  /**
   * Without a model the message stays in the input until there is one. Returns false if there is one, or if that is not
   * known yet.
   */
  hold(text: string): boolean {
    const { store } = this.#host;
    if (!isWithoutModel(store.get()) || store.get().agentInView !== ROOT_AGENT) return false;
    store.set({ held: text });
    this.#model.ask();
    return true;
  }

  /**
   * Sends a message with its images, which is kept until a server has accepted it. Messages arrive in the order they
   * were sent.
   */
  send(text: string, delivery: Delivery): void {
    const { store } = this.#host;
    const words = text.trim() === "" ? [] : [{ type: "text" as const, text }];
    this.#post([...words, ...takePictures(store)], delivery, store.get().agentInView);
  }

  /** Runs a command of the user (`!npm test`); its output arrives as updates. */
  async runOwn({ command, share }: { readonly command: string; readonly share: boolean }): Promise<void> {
    const { store, clock } = this.#host;
    // Its output appears in the main agent's transcript.
    store.dispatch({ type: "agentShown", agentId: ROOT_AGENT, nowMs: clock.now() });
    try {
      await (await this.#session()).shell(command, { share });
    } catch (error) {
      store.dispatch({ type: "textReturned", agentId: ROOT_AGENT, text: `${share ? "!" : "!!"}${command}` });
      store.note("error", `Not run: ${errorText(error)}`);
    }
  }

  /** Sends the first queued message if no turn runs because the previous one was stopped. */
  async sendNext(): Promise<void> {
    const { store } = this.#host;
    const state = store.get();
    const [first] = state.session?.queue ?? [];
    if (!first || isBusy(state) || state.reading || state.agentInView !== ROOT_AGENT) return;
    // Queued again, it would come after those that wait behind it.
    if (await this.#unqueue(first.promptId)) this.#post(first.content, "start", ROOT_AGENT);
  }

  /** Moves the newest queued message back into the composer. */
  async unqueue(): Promise<void> {
    const { store } = this.#host;
    const { session, agentInView } = store.get();
    const last = agentInView === ROOT_AGENT ? session?.queue.at(-1) : undefined;
    if (!last || !(await this.#unqueue(last.promptId))) return;
    store.dispatch({ type: "textReturned", agentId: ROOT_AGENT, text: textOf(last.content) });
    returnPictures(store, last.content);
  }

  async #unqueue(promptId: string): Promise<boolean> {
    const { store, server } = this.#host;
    const { session, reading } = store.get();
    if (!session || reading) return false;
    try {
      return (await server.call("session/unqueue", { sessionId: session.sessionId, promptId })).removed;
    } catch (error) {
      store.note("error", `The message could not be removed from the queue: ${errorText(error)}`);
      return false;
    }
  }

  #post(content: readonly Content[], delivery: Delivery, agentId: string): void {
    const { store, server } = this.#host;
    const outgoing: OutgoingMessage = { promptId: server.newId(), text: textOf(content), delivery, agentId };
    store.dispatch({ type: "messageQueued", outgoing });
    if (store.get().screen !== "chat") store.dispatch({ type: "screenShown", screen: "chat" });
    this.#sending = this.#sending.then(() => this.#deliver(outgoing, content));
  }

  async #deliver({ promptId, delivery, agentId, text }: OutgoingMessage, content: readonly Content[]): Promise<void> {
    const { store } = this.#host;
    if (store.get().hud === undefined) await this.#model.refresh();
    if (agentId === ROOT_AGENT && isWithoutModel(store.get())) {
      store.dispatch({ type: "messageSettled", promptId, steers: false });
      store.dispatch({ type: "textReturned", agentId, text });
      this.hold(text);
      return;
    }
    try {
      const session = await this.#session();
      const allowOutside = this.#unconfirmed === text;
      this.#unconfirmed = undefined;
      const { disposition } = await session.prompt(content, {
        promptId,
        delivery,
        agentId,
        ...(allowOutside && { allowOutside }),
      });
      store.dispatch({ type: "messageSettled", promptId, steers: disposition === "steered" });
    } catch (error) {
      store.dispatch({ type: "messageSettled", promptId, steers: false });
      store.dispatch({ type: "textReturned", agentId, text });
      returnPictures(store, content);
      if (isOutsideRefusal(error)) {
        this.#unconfirmed = text;
        const again = store
          .get()
          .keymap.names.say("input.submit", (key) => ` ${key} again sends it.`, " Send it again.");
        store.note("warning", `Not sent yet: ${errorText(error)}${again}`);
      } else store.note("error", `Not sent: ${errorText(error)}`);
    }
  }
}
