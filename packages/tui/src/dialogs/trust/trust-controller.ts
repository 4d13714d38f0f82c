import { errorText, isConflict } from "@harness/client";
import type { ProviderSecrets, TrustView } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import type { InputEvent, KeyEvent } from "../../input/index.ts";
import { trustKeys } from "../../keymap/dialog-keys.ts";
import { onLatinKey } from "../../keymap/keyboard-layouts.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { inputKeys } from "../../keymap/shared-keys.ts";
import {
  markedTrustAnswer,
  movedMark,
  type TrustAnswer,
  type TrustDialog,
  type TrustOption,
  trustDialog,
  trustOptionOfKey,
  trustOptions,
  undecidedProviders,
  wantsAnswer,
} from "../../state/trust-dialog.ts";
import type { AnswerGuard } from "../answer-guard.ts";
import { isMessage, moveToInput, typedText } from "../begun-message.ts";
import { type Acknowledge, DialogVisibility } from "../dialog-visibility.ts";
import { rowsToScroll, scrolledBy, WHEEL_ROWS } from "../scroll-body.ts";
import { SecretGrants } from "./secret-grants.ts";
import { isWritten, type TrustLayout, trustLayout, trustPlaceIn } from "./trust-layout.ts";

/** The dialog may appear while a message is typed: only a pause longer than between words means that it was seen. */
const QUIET_MS = 1000;

/** There is a single thing to read to its end. */
const END = "content";

/** Decides when a key may answer. */
type TrustSight = { readonly arming: AnswerGuard; readonly acknowledge: Acknowledge };

type TrustDecision = Extract<TrustAnswer, "trust" | "session" | "refuse" | "forget">;

const answerTexts: Record<TrustDecision, string> = {
  trust: "This folder is trusted. /trust shows what that covers.",
  session: "This folder is trusted for this run.",
  refuse: "None of this folder's own programs run. /trust shows what they are.",
  forget: "This folder is no longer trusted.",
};

/** Asks before the first message whether the folder's own files may take effect, and shows them again on request. */
export class TrustController {
  readonly #host: WindowHost;
  readonly #arming: AnswerGuard;
  readonly #sight: DialogVisibility<TrustDialog>;
  readonly #secrets: SecretGrants;
  readonly #changed: () => void;
  /** The answer that lasts as long as the server, so it is sent to the next server again. */
  #answered: { hash: string; answer: "session" | "refuse" } | undefined;
  /** Messages wait until this resolves. */
  #held: PromiseWithResolvers<void> | undefined;
  #stopArming: (() => void) | undefined;

  /** `changed`: settings, models and commands may have changed. */
  constructor(host: WindowHost, { arming, acknowledge }: TrustSight, changed: () => void) {
    this.#host = host;
    this.#arming = arming;
    this.#sight = new DialogVisibility(arming, acknowledge);
    this.#secrets = new SecretGrants(host);
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
      // Nothing in an unchecked folder runs; the link reports a lost server.
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

  /** The terminal has taken a frame that shows this dialog, or none. */
  drawn(dialog: TrustDialog | undefined): void {
    const { trust } = this.#host.store.get();
    // An older dialog does not count.
    if (dialog?.view !== trust?.view) this.hide();
    if (!dialog || dialog.view !== trust?.view) return;
    const isAtEnd = this.#layout(dialog).hidden === 0;
    this.#sight.frameTaken(dialog, isAtEnd ? END : undefined, () => {
      this.#stopArming = this.#arming.whenReady(() => this.#change({ armed: true }), QUIET_MS);
    });
  }

  /** The terminal no longer shows the dialog: no key answers until it shows it again. */
  hide(): void {
    this.#stopArming?.();
    this.#stopArming = undefined;
    this.#sight.hide();
    if (this.#host.store.get().trust?.armed) this.#change({ armed: false });
  }

  readonly take: KeyScope = (event) => {
    const { trust, composer, screen } = this.#host.store.get();
    if (!trust) return false;
    // Words are a message; a screen without an input has no use for them.
    const hasInput = screen === "home" || screen === "chat";
    if (!trust.armed) return !hasInput;
    const isPasted = this.#arming.isPasted(event);
    if (trust.saving) return true;
    if (event.type === "wheel") this.#scroll(trust, event.direction * WHEEL_ROWS);
    if (event.type !== "key" && event.type !== "paste") return true;
    if (hasInput && isWritten(trust, { hasDraft: !composer.buffer.isEmpty })) return this.#whileWriting(event);
    if (isPasted && event.type !== "paste") return true;
    const isAnswer = (text: string): boolean => trustOptionOfKey(trust, onLatinKey(text)) >= 0;
    if (hasInput && isMessage(event, trust.begun, isAnswer)) return this.#leaveToInput(trust, event);
    if (event.type === "key") this.#key(event, trust);
    return true;
  };

  /** A draft keeps the keys that edit and send it; Escape leads to the answers. */
  #whileWriting(event: InputEvent): boolean {
    const action = trustKeys.idOf(event);
    if (action === "no") this.#change({ isEntered: true });
    return action === "no" || (typedText(event) === undefined && inputKeys.idOf(event) === undefined);
  }

  /** Restores the mark, and gives the keys to the draft. False: the input must handle the event. */
  #leaveToInput({ begun }: TrustDialog, event: InputEvent): boolean {
    this.#change({ isEntered: false, begun: undefined, ...(begun ? { marked: begun.before } : {}) });
    return moveToInput(this.#host.store, begun, event);
  }

  #key(event: KeyEvent, trust: TrustDialog): void {
    const action = trustKeys.idOf(event);
    const text = typedText(event);
    if (action === "no") {
      if (trust.asked) void this.#answer(trust, trust.providers.length > 0 ? "withhold" : "refuse");
      else this.#close();
    } else if (action === "previous") this.#change({ marked: movedMark(trust, -1), begun: undefined });
    else if (action === "next") this.#change({ marked: movedMark(trust, 1), begun: undefined });
    else if (action === "whole") this.#change({ isWhole: trust.isWhole !== true, scroll: 0 });
    else if (action === "take") this.#enter(event, trust);
    else if (action) this.#scroll(trust, rowsToScroll(action, this.#layout(trust)));
    else if (inputKeys.idOf(event) === "deleteBack" && trust.begun)
      this.#change({ marked: trust.begun.before, begun: undefined });
    else if (text !== undefined) this.#mark(trust, text);
  }

  #mark(trust: TrustDialog, text: string): void {
    const { marked: before } = trust;
    const marked = trustOptionOfKey(trust, onLatinKey(text));
    if (marked >= 0) this.#change({ marked, begun: { text, before } });
  }

  /** Enter gives the marked answer once the user sees the mark; before that it may belong to a message. */
  #enter({ endsBurst }: KeyEvent, trust: TrustDialog): void {
    const { begun } = trust;
    if (!endsBurst && this.#sight.shows(trust)) {
      this.#change({ begun: undefined });
      this.#take(trust);
    } else if (begun) this.#change({ begun: { ...begun, text: `${begun.text}\n` } });
  }

  #take(trust: TrustDialog): void {
    const marked = trustOptions(trust)[markedTrustAnswer(trust)];
    if (marked) this.#chosen(trust, marked);
    else if (!trust.asked) this.#close();
  }

  #chosen(trust: TrustDialog, { answer }: TrustOption): void {
    const grants = answer === "trust" || answer === "session" || answer === "grant";
    if (grants && !this.#sight.wasRead(END)) this.#change({ tooEarly: true });
    else if (answer === "secrets") this.#show(trust.view, { asked: false, providers: trust.view.secrets ?? [] });
    else void this.#answer(trust, answer);
  }

  async #answer(trust: TrustDialog, answer: Exclude<TrustAnswer, "secrets">): Promise<void> {
    this.#change({ saving: true, problem: undefined });
    try {
      const isOfSecrets = answer === "grant" || answer === "withhold";
      const open = isOfSecrets ? await this.#secrets.decide(trust, answer) : await this.#decide(trust.view, answer);
      if (open.providers.length > 0) this.#show(open.view, { asked: trust.asked, providers: open.providers });
      else this.#close();
      this.#changed();
    } catch (error) {
      if (isConflict(error)) await this.#askAgain("It changed while you were looking. Please look again.");
      else this.#change({ saving: false, problem: `Your answer was not saved: ${errorText(error)}` });
    }
  }

  /** Returns what to ask next: providers that may run from now on, and ask for secrets. */
  async #decide({ hash }: TrustView, answer: TrustDecision) {
    const { store, server, request } = this.#host;
    const view = await server.call("trust/set", { cwd: request.cwd, hash, decision: answer });
    this.#answered = answer === "session" || answer === "refuse" ? { hash, answer } : undefined;
    this.#secrets.forget();
    // Notes about the folder are out of date.
    store.dispatch({ type: "notesCleared" });
    store.note("info", answerTexts[answer]);
    return { view, providers: undecidedProviders(view) };
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
    if (!wantsAnswer(view)) await this.#checkSecrets(view);
    else if (answer && hash === view.hash) {
      await this.#checkSecrets(await server.call("trust/set", { cwd: request.cwd, hash, decision: answer }));
    } else if (!store.get().trust?.asked) this.#show(view, { asked: true });
  }

  async #checkSecrets(view: TrustView): Promise<void> {
    const providers = await this.#secrets.decideAgain(view, { isForRun: this.#answered?.answer === "session" });
    if (providers.length === 0) this.#release();
    else if (!this.#host.store.get().trust?.asked) this.#show(view, { asked: true, providers });
  }

  #get(): Promise<TrustView> {
    const { server, request } = this.#host;
    return server.call("trust/get", { cwd: request.cwd });
  }

  #show(view: TrustView, options: { asked: boolean; problem?: string; providers?: readonly ProviderSecrets[] }): void {
    const { asked, problem, providers = [] } = options;
    const { store } = this.#host;
    if (asked) this.#hold();
    this.#stopArming?.();
    this.#sight.reset();
    store.set({ trust: trustDialog(view, { asked, problem, providers }) });
  }

  #close(): void {
    this.#stopArming?.();
    this.#sight.reset();
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
    return trustLayout(trust, trustPlaceIn(this.#host.store.get()));
  }

  #scroll(trust: TrustDialog, by: number): void {
    this.#change(scrolledBy(by, this.#layout(trust)));
  }

  #change(changes: Partial<TrustDialog>): void {
    const { store } = this.#host;
    const { trust } = store.get();
    if (trust) store.set({ trust: { ...trust, ...changes } });
  }
}
