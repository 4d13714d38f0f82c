import type { Session, SessionRouter } from "@harness/client/browser";
import { type Hud, ROOT_AGENT } from "@harness/protocol";
import { visibleText } from "@harness/protocol/text";
import { element, place } from "../dom.ts";
import { TranscriptView } from "../transcript/transcript-view.ts";
import { CommandLine } from "./command-line.ts";
import { promptField } from "./prompt-field.ts";
import { folderName } from "./session-list.ts";
import { SessionOptions } from "./session-options.ts";

type SessionScreenDeps = {
  session: Session;
  call: SessionRouter["call"];
  cardsOf(sessionId: string): HTMLElement[];
  goHome(): void;
  report(error: unknown): void;
};

/** A conversation: its messages, what waits for an answer, and the field for the next message. */
export class SessionScreen {
  readonly root: HTMLElement;
  readonly #deps: SessionScreenDeps;
  readonly #transcript = new TranscriptView();
  readonly #title = element("h1");
  readonly #state = element("span", { class: "muted", role: "status" });
  readonly #stop: HTMLButtonElement;
  readonly #commands: CommandLine;
  readonly #options: SessionOptions;
  readonly #cards = element("div", { class: "cards", "aria-live": "polite" });

  constructor(deps: SessionScreenDeps) {
    this.#deps = deps;
    const { session, call, goHome, report } = deps;
    this.#commands = new CommandLine(session, call);
    this.#options = new SessionOptions({ session, call, report });
    this.#stop = element("button", { class: "no", click: () => void session.cancel().catch(report) }, "Stop");
    this.root = element(
      "main",
      {},
      element("header", {}, element("button", { click: goHome }, "‹ Sessions"), this.#title, this.#state, this.#stop),
      this.#options.root,
      this.#transcript.root,
      this.#commands.answer,
      this.#cards,
      this.#commands.menu,
      promptField({
        placeholder: "Message, or / for commands",
        onInput: (text, replace) => void this.#suggest(text, replace),
        send: (text) =>
          this.send(text).catch((error: unknown) => {
            report(error);
            throw error;
          }),
      }),
    );
  }

  /** Sends a message, or runs a slash command. */
  async send(text: string): Promise<void> {
    if (!(await this.#commands.run(text))) await this.session.prompt(text);
    this.#transcript.toEnd();
  }

  async #suggest(text: string, replace: (text: string) => void): Promise<void> {
    await this.#commands.suggest(text, replace);
    // The field stays in view below the menu.
    if (this.#commands.menu.childElementCount > 0) this.#transcript.toEnd();
  }

  /** The session has been opened, or its configuration has changed. */
  refresh(): Promise<void> {
    return this.#options.refresh();
  }

  show(hud: Hud): void {
    this.#options.show(hud);
  }

  get session(): Session {
    return this.#deps.session;
  }

  draw(): void {
    const { session, cardsOf } = this.#deps;
    const { state } = session;
    const cards = session.id === undefined ? [] : cardsOf(session.id);
    const agent = state?.agents.get(ROOT_AGENT);
    const isBusy = agent !== undefined && agent.state !== "idle";
    this.#title.textContent = visibleText(state?.title ?? "New session");
    const queued = state && state.queue.length > 0 ? ` · ${state.queue.length} queued` : "";
    const doing = cards.length > 0 ? "waits for your answer" : isBusy ? "working…" : "";
    const folder = session.terms.cwd === "" ? "" : folderName(session.terms.cwd);
    this.#state.textContent = [folder, doing].filter((each) => each !== "").join(" · ") + queued;
    this.#stop.hidden = !isBusy;
    this.#transcript.draw(state, session.terms.cwd);
    const hadCards = this.#cards.childNodes.length > 0;
    place(this.#cards, cards);
    if (!hadCards && cards.length > 0) this.#transcript.toEnd();
  }
}
