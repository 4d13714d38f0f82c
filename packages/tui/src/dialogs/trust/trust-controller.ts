import type { TrustView } from "@harness/protocol";
import type { Server } from "../../client/connect-server.ts";
import { errorText, isConflict } from "../../client/server-errors.ts";
import type { InputEvent } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import type { Scope } from "../../keymap/scope.ts";
import type { Store } from "../../state/store.ts";
import { type TrustAnswer, type TrustDialog, trustOptionOfKey, wantsAnswer } from "../../state/trust-dialog.ts";
import type { Arming } from "../arming.ts";
import { rowsToScroll, scrolledBy, WHEEL_ROWS, wasSeen } from "../scroll-body.ts";
import { type TrustLayout, trustLayout } from "./trust-layout.ts";

export const trustKeys = keyTable("trust", [
  { id: "no", keys: ["escape", "enter"], doc: "Not trusted; nothing of the folder runs" },
  { id: "up", keys: ["up"], doc: "A row up (also the wheel)" },
  { id: "down", keys: ["down"], doc: "A row down" },
  { id: "pageUp", keys: ["pageup", "shift+up"], doc: "A page up" },
  { id: "pageDown", keys: ["pagedown", "shift+down"], doc: "A page down" },
  { id: "first", keys: ["home"], doc: "The first row" },
  { id: "last", keys: ["end"], doc: "The end; nothing can be trusted before it was in view" },
]);

/** The dialog may appear while a message is typed: only a pause longer than between words means that it was seen. */
const QUIET_MS = 1000;

export type TrustControllerParts = {
  store: Store;
  server: Server;
  arming: Arming;
  cwd: string;
  /** Settings, models and commands may have changed. */
  changed(): void;
};

const answerTexts: Record<TrustAnswer, string> = {
  trust: "This folder is trusted, as it is now. /trust shows what that covers.",
  session: "This folder is trusted for this run.",
  refuse: "Nothing of this folder's own files runs. /trust shows what they are.",
  forget: "This folder is no longer trusted.",
};

/** Asks before the first message whether the folder's own files may take effect, and shows them again on request. */
export class TrustController implements Scope {
  readonly #parts: TrustControllerParts;
  /** The answer that lasts as long as the server: it is sent to the next server again. */
  #answered: { hash: string; answer: "session" | "refuse" } | undefined;
  /** Messages wait until this resolves. */
  #held: PromiseWithResolvers<void> | undefined;
  #stopArming: (() => void) | undefined;

  constructor(parts: TrustControllerParts) {
    this.#parts = parts;
  }

  /** Resolves when no answer is pending. */
  async decided(): Promise<void> {
    await this.#held?.promise;
  }

  /** Checks the folder with each new server. Never rejects. */
  check(): Promise<void> {
    this.#hold();
    return this.#check().catch(() => {
      // Nothing of an unchecked folder runs; the link reports a lost server.
      if (!this.#parts.store.get().trust?.asked) this.#release();
    });
  }

  /** Shows the folder's files, whatever was answered before. */
  async open(): Promise<void> {
    const view = await this.#get();
    if (view.items.length > 0 || view.state === "trusted") this.#show(view, { asked: wantsAnswer(view) });
    else this.#note(`Nothing in ${view.root} would run or change harness: there is nothing to trust.`);
  }

  take(event: InputEvent): boolean {
    const { trust } = this.#parts.store.get();
    if (!trust?.armed) return false;
    if (!trust.saving) this.#key(event, trust);
    return true;
  }

  #key(event: InputEvent, trust: TrustDialog): void {
    if (event.type === "wheel") this.#scroll(trust, event.direction * WHEEL_ROWS);
    // A paste is never an answer.
    if (event.type !== "key") return;
    const action = trustKeys.idOf(event);
    if (action === "no") {
      if (trust.asked) void this.#answer(trust, "refuse");
      else this.#close();
    } else if (action) this.#scroll(trust, rowsToScroll(action, this.#layout(trust)));
    else if (!event.ctrl && !event.alt && !event.meta) this.#chosen(trust, event.text);
  }

  #chosen(trust: TrustDialog, key: string): void {
    const option = trustOptionOfKey(trust.view, key);
    if (!option) return;
    const grants = option.answer === "trust" || option.answer === "session";
    if (grants && !wasSeen(trust, this.#layout(trust), this.#parts.arming)) this.#change({ tooEarly: true });
    else void this.#answer(trust, option.answer);
  }

  async #answer({ view }: TrustDialog, answer: TrustAnswer): Promise<void> {
    const { store, server, cwd, changed } = this.#parts;
    this.#change({ saving: true, problem: undefined });
    try {
      await server.call("trust/set", { cwd, hash: view.hash, decision: answer });
      this.#answered = answer === "session" || answer === "refuse" ? { hash: view.hash, answer } : undefined;
      // Notes about the folder are out of date.
      store.dispatch({ type: "notesCleared" });
      this.#note(answerTexts[answer]);
      this.#close();
      changed();
    } catch (error) {
      if (isConflict(error)) await this.#askAgain("It changed while you were looking. Please look again.");
      else this.#change({ saving: false, problem: `Your answer was not saved: ${errorText(error)}` });
    }
  }

  async #askAgain(problem: string): Promise<void> {
    try {
      this.#show(await this.#get(), { asked: true, problem });
    } catch (error) {
      this.#change({ saving: false, problem: errorText(error) });
    }
  }

  async #check(): Promise<void> {
    const { server, cwd, store } = this.#parts;
    const view = await this.#get();
    const { hash, answer } = this.#answered ?? {};
    if (!wantsAnswer(view)) this.#release();
    else if (answer && hash === view.hash) {
      await server.call("trust/set", { cwd, hash, decision: answer });
      this.#release();
    } else if (!store.get().trust?.asked) this.#show(view, { asked: true });
  }

  #get(): Promise<TrustView> {
    const { server, cwd } = this.#parts;
    return server.call("trust/get", { cwd });
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

  #layout(trust: TrustDialog): TrustLayout {
    return trustLayout(trust, this.#parts.store.get().size);
  }

  #scroll(trust: TrustDialog, by: number): void {
    this.#change(scrolledBy(by, trust, this.#layout(trust), this.#parts.arming.now()));
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
