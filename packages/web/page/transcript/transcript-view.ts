import { ROOT_AGENT, type SessionState, type TranscriptItem } from "@harness/protocol";
import { element, place } from "../dom.ts";
import { outputText } from "../shown-text.ts";
import { itemElement } from "./items.ts";
import { markdown } from "./markdown.ts";

/** Entries that are drawn at first, and that a button adds. */
const PAGE = 200;
/** Within this distance of the end the view follows it. */
const NEAR_PIXELS = 80;

/** The conversation. An entry is drawn once; one that changes is another object. */
export class TranscriptView {
  readonly root = element("section", { class: "transcript", "aria-label": "Conversation" });
  readonly #drawn = new WeakMap<TranscriptItem, HTMLElement | undefined>();
  readonly #earlier = element("button", { click: () => this.#showEarlier() }, "Show earlier messages");
  readonly #live = element("article", { class: "agent live" });
  #shown = PAGE;
  #state: SessionState | undefined;
  #root = "";

  /** `root`: paths are shown relative to it. */
  draw(state: SessionState | undefined, root: string): void {
    const isAtEnd = this.#isAtEnd();
    if (state?.sessionId !== this.#state?.sessionId) this.#shown = PAGE;
    this.#state = state;
    this.#root = root;
    const agent = state?.agents.get(ROOT_AGENT);
    const items = agent?.items ?? [];
    const from = Math.max(0, items.length - this.#shown);
    const nodes = items.slice(from).flatMap((item) => this.#elementOf(item, root) ?? []);
    const text = agent?.live?.text ?? "";
    const output = [...(agent?.output.values() ?? [])].at(-1) ?? "";
    if (text !== "") this.#live.replaceChildren(markdown(text));
    else if (output !== "")
      this.#live.replaceChildren(element("pre", { class: "output" }, outputText(output).slice(-4000)));
    const isLive = text !== "" || output !== "";
    place(this.root, [...(from > 0 ? [this.#earlier] : []), ...nodes, ...(isLive ? [this.#live] : [])]);
    if (isAtEnd) this.toEnd();
  }

  toEnd(): void {
    window.scrollTo(0, document.documentElement.scrollHeight);
  }

  #elementOf(item: TranscriptItem, root: string): HTMLElement | undefined {
    if (!this.#drawn.has(item)) this.#drawn.set(item, itemElement(item, root));
    return this.#drawn.get(item);
  }

  #showEarlier(): void {
    this.#shown += PAGE;
    this.draw(this.#state, this.#root);
  }

  #isAtEnd(): boolean {
    const { scrollHeight, clientHeight } = document.documentElement;
    return window.scrollY + clientHeight >= scrollHeight - NEAR_PIXELS;
  }
}
