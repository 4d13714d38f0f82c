import type { TrustView } from "@harness/protocol";
import { errorText, isConflict } from "../../client/server-errors.ts";
import type { WindowHost } from "../../client/window-host.ts";
import type { InputEvent } from "../../input/index.ts";
import { trustKeys } from "../../keymap/dialog-keys.ts";
import type { Scope } from "../../keymap/scope.ts";
import {
  markOf,
  movedMark,
  type TrustAnswer,
  type TrustDialog,
  type TrustOption,
  trustDialog,
  trustOptionOfKey,
  trustOptions,
  wantsAnswer,
} from "../../state/trust-dialog.ts";
import type { Arming } from "../arming.ts";
import { rowsToScroll, scrolledBy, WHEEL_ROWS, wasSeen } from "../scroll-body.ts";
import { type TrustLayout, trustLayout } from "./trust-layout.ts";

/** The dialog may appear while a message is typed: only a pause longer than between words means that it was seen. */
const QUIET_MS = 1000;

const answerTexts: Record<TrustAnswer, string> = {
  trust: "This folder is trusted. /trust shows what that covers.",
  session: "This folder is trusted for this run.",
  refuse: "None of this folder's own programs run. /trust shows what they are.",
  forget: "This folder is no longer trusted.",
};

/** Asks before the first message whether the folder's own files may take effect, and shows them again on request. */
export class TrustController {
  readonly #host: WindowHost;
  readonly #arming: Arming;
  readonly #changed: () => void;
  /** The answer that lasts as long as the server: it is sent to the next server again. */
  #answered: { hash: string; answer: "session" | "refuse" } | undefined;
  /** Messages wait until this resolves. */
  #held: PromiseWithResolvers<void> | undefined;
  #stopArming: (() => void) | undefined;

  /** `changed`: settings, models and commands may be others. */
  constructor(host: WindowHost, arming: Arming, changed: () => void) {
    this.#host = host;
    this.#arming = arming;
    this.#changed = changed;
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
      if (!this.#host.store.get().trust?.asked) this.#release();
    });
  }

  /** Shows the folder's files, whatever was answered before. */
  async open(): Promise<void> {
    const view = await this.#get();
    if (view.items.length > 0 || view.state === "trusted") this.#show(view, { asked: wantsAnswer(view) });
    else
      this.#host.store.note("info", `Nothing in ${view.root} would run or change harness: there is nothing to trust.`);
  }

  readonly take: Scope = (event) => {
    const { trust } = this.#host.store.get();
    if (!trust?.armed) return false;
    if (!trust.saving) this.#key(event, trust);
    return true;
  };

  #key(event: InputEvent, trust: TrustDialog): void {
    if (event.type === "wheel") this.#scroll(trust, event.direction * WHEEL_ROWS);
    if (this.#arming.isPasted(event) || event.type !== "key") return;
    const action = trustKeys.idOf(event);
    if (action === "no") {
      if (trust.asked) void this.#answer(trust, "refuse");
      else this.#close();
    } else if (action === "previous") this.#change({ marked: movedMark(trust, -1) });
    else if (action === "next") this.#change({ marked: movedMark(trust, 1) });
    else if (action === "take") this.#take(trust);
    else if (action) this.#scroll(trust, rowsToScroll(action, this.#layout(trust)));
    else if (!event.ctrl && !event.alt && !event.meta) this.#chosen(trust, trustOptionOfKey(trust.view, event.text));
  }

  #take(trust: TrustDialog): void {
    const marked = trustOptions(trust.view)[markOf(trust)];
    if (marked) this.#chosen(trust, marked);
    else if (!trust.asked) this.#close();
  }

  #chosen(trust: TrustDialog, option: TrustOption | undefined): void {
    if (!option) return;
    const grants = option.answer === "trust" || option.answer === "session";
    if (grants && !wasSeen(trust, this.#layout(trust), this.#arming)) this.#change({ tooEarly: true });
    else void this.#answer(trust, option.answer);
  }

  async #answer({ view }: TrustDialog, answer: TrustAnswer): Promise<void> {
    const { store, server, request } = this.#host;
    this.#change({ saving: true, problem: undefined });
    try {
      await server.call("trust/set", { cwd: request.cwd, hash: view.hash, decision: answer });
      this.#answered = answer === "session" || answer === "refuse" ? { hash: view.hash, answer } : undefined;
      // Notes about the folder are out of date.
      store.dispatch({ type: "notesCleared" });
      this.#host.store.note("info", answerTexts[answer]);
      this.#close();
      this.#changed();
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
    const { server, request, store } = this.#host;
    const view = await this.#get();
    const { hash, answer } = this.#answered ?? {};
    if (!wantsAnswer(view)) this.#release();
    else if (answer && hash === view.hash) {
      await server.call("trust/set", { cwd: request.cwd, hash, decision: answer });
      this.#release();
    } else if (!store.get().trust?.asked) this.#show(view, { asked: true });
  }

  #get(): Promise<TrustView> {
    const { server, request } = this.#host;
    return server.call("trust/get", { cwd: request.cwd });
  }

  #show(view: TrustView, { asked, problem }: { asked: boolean; problem?: string }): void {
    const { store } = this.#host;
    if (asked) this.#hold();
    store.set({ trust: trustDialog(view, { asked, problem }) });
    this.#stopArming?.();
    this.#stopArming = this.#arming.whenReady(() => this.#change({ armed: true }), QUIET_MS);
  }

  #close(): void {
    this.#stopArming?.();
    this.#host.store.set({ trust: undefined });
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
    return trustLayout(trust, this.#host.store.get().size);
  }

  #scroll(trust: TrustDialog, by: number): void {
    this.#change(scrolledBy(by, trust, this.#layout(trust), this.#arming.clock.now()));
  }

  #change(changes: Partial<TrustDialog>): void {
    const { store } = this.#host;
    const { trust } = store.get();
    if (trust) store.set({ trust: { ...trust, ...changes } });
  }
}
