import type { TrustView } from "@harness/protocol";
import { isHeld, wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import type { InputEvent } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import type { Store } from "../../state/store.ts";
import { type TrustAnswer, type TrustDialog, trustOptionOfKey, wantsAnswer } from "../../state/trust-dialog.ts";
import type { Arming } from "../arming.ts";
import { trustLayout } from "./trust-layout.ts";

const WHEEL_ROWS = 3;
/** It comes while a first message is typed: only a pause longer than between words means that it was seen. */
const QUIET_MS = 1000;

export type TrustDeskParts = {
  store: Store;
  link: Pick<ServerLink, "call">;
  arming: Arming;
  cwd: string;
  /** Settings, models and commands may be others than before. */
  changed(): void;
};

const saidOf: Record<TrustAnswer, string> = {
  trust: "This folder is trusted, as it is now. /trust shows what that covers.",
  session: "This folder is trusted for this run.",
  refuse: "Nothing of this folder's own files runs. /trust shows what they are.",
  forget: "This folder is not trusted any more.",
};

/** Asks whether what the folder brings may run, before the first message is sent; and shows it again when told to. */
export class TrustDesk {
  readonly #parts: TrustDeskParts;
  /** What the person said for as long as the server lives: the next server is told it again. */
  #answered: { hash: string; answer: "session" | "refuse" } | undefined;
  /** Messages wait for this one. */
  #held: PromiseWithResolvers<void> | undefined;
  #stopArming: (() => void) | undefined;

  constructor(parts: TrustDeskParts) {
    this.#parts = parts;
  }

  /** Resolves when no answer is waited for. */
  async decided(): Promise<void> {
    await this.#held?.promise;
  }

  /** Looks at the folder with the first server, and with each one after it. Never rejects. */
  check(): Promise<void> {
    this.#hold();
    return this.#look().catch(() => {
      // Of a folder that nobody looked at nothing runs; a lost server is told of elsewhere.
      if (!this.#parts.store.get().trust?.asked) this.#release();
    });
  }

  /** Shows what there is, whatever was said of it. */
  async open(): Promise<void> {
    const view = await this.#get();
    if (view.items.length > 0 || view.state === "trusted") this.#show(view, { asked: wantsAnswer(view) });
    else this.#note(`Nothing in ${view.root} would run or change harness: there is nothing to trust.`);
  }

  key(event: InputEvent): void {
    const { trust } = this.#parts.store.get();
    if (!trust || trust.saving) return;
    if (event.type === "wheel") this.#scroll(trust, event.direction * WHEEL_ROWS);
    // A paste is never an answer.
    if (event.type !== "key") return;
    const action = windowKey(event, "trust");
    const { page, maxScroll } = trustLayout(trust, this.#parts.store.get().size);
    if (action === "no") {
      if (trust.asked) void this.#answer(trust, "refuse");
      else this.#close();
    } else if (action) {
      const rows = { up: -1, down: 1, pageUp: -page, pageDown: page, first: -maxScroll, last: maxScroll };
      this.#scroll(trust, rows[action]);
    } else if (!event.ctrl && !event.alt && !event.meta) this.#chosen(trust, event.text);
  }

  #chosen(trust: TrustDialog, key: string): void {
    const option = trustOptionOfKey(trust.view, key);
    if (!option) return;
    const grants = option.answer === "trust" || option.answer === "session";
    if (grants && !this.#wasSeen(trust)) this.#change({ tooEarly: true });
    else void this.#answer(trust, option.answer);
  }

  #wasSeen(trust: TrustDialog): boolean {
    const { endSeenAtMs } = trust;
    const { store, arming } = this.#parts;
    return endSeenAtMs === undefined
      ? trustLayout(trust, store.get().size).hidden === 0
      : arming.wasInView(endSeenAtMs);
  }

  async #answer({ view }: TrustDialog, answer: TrustAnswer): Promise<void> {
    const { store, link, cwd, changed } = this.#parts;
    this.#change({ saving: true, problem: undefined });
    try {
      await link.call("trust/set", { cwd, hash: view.hash, decision: answer });
      this.#answered = answer === "session" || answer === "refuse" ? { hash: view.hash, answer } : undefined;
      // What was said of the folder as it stood is old.
      store.dispatch({ type: "notesCleared" });
      this.#note(saidOf[answer]);
      this.#close();
      changed();
    } catch (error) {
      if (isHeld(error)) await this.#again("It has changed while you looked. Look again.");
      else this.#change({ saving: false, problem: `Your answer was not kept: ${wordsOf(error)}` });
    }
  }

  async #again(problem: string): Promise<void> {
    try {
      this.#show(await this.#get(), { asked: true, problem });
    } catch (error) {
      this.#change({ saving: false, problem: wordsOf(error) });
    }
  }

  async #look(): Promise<void> {
    const { link, cwd, store } = this.#parts;
    const view = await this.#get();
    const { hash, answer } = this.#answered ?? {};
    if (!wantsAnswer(view)) this.#release();
    else if (answer && hash === view.hash) {
      await link.call("trust/set", { cwd, hash, decision: answer });
      this.#release();
    } else if (!store.get().trust?.asked) this.#show(view, { asked: true });
  }

  #get(): Promise<TrustView> {
    const { link, cwd } = this.#parts;
    return link.call("trust/get", { cwd });
  }

  #show(view: TrustView, { asked, problem }: { asked: boolean; problem?: string }): void {
    const { store, arming } = this.#parts;
    if (asked) this.#hold();
    const trust: TrustDialog = { view, asked, scroll: 0, armed: false, problem };
    store.dispatch({ type: "trustChanged", trust });
    this.#stopArming?.();
    this.#stopArming = arming.whenReady(() => this.#change({ armed: true }), QUIET_MS);
  }

  #close(): void {
    this.#stopArming?.();
    this.#parts.store.dispatch({ type: "trustChanged", trust: undefined });
    this.#release();
  }

  #hold(): void {
    this.#held ??= Promise.withResolvers();
  }

  #release(): void {
    this.#held?.resolve();
    this.#held = undefined;
  }

  #scroll(trust: TrustDialog, by: number): void {
    const { store, arming } = this.#parts;
    const { scroll: at, maxScroll } = trustLayout(trust, store.get().size);
    const scroll = Math.max(0, Math.min(maxScroll, at + by));
    this.#change({ scroll, endSeenAtMs: trust.endSeenAtMs ?? (scroll === maxScroll ? arming.now() : undefined) });
  }

  #change(changes: Partial<TrustDialog>): void {
    const { store } = this.#parts;
    const { trust } = store.get();
    if (trust) store.dispatch({ type: "trustChanged", trust: { ...trust, ...changes } });
  }

  #note(text: string): void {
    this.#parts.store.dispatch({ type: "noted", note: { severity: "info", text } });
  }
}
