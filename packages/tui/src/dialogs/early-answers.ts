import type { InputEvent } from "../input/index.ts";
import { onLatinKey } from "../keymap/keyboard-layouts.ts";
import { inputKeys } from "../keymap/shared-keys.ts";
import { withBuffer } from "../state/composer.ts";
import { type Dialog, isAnswerCharacter } from "../state/dialogs.ts";
import type { Store } from "../state/store.ts";
import type { AnswerGuard } from "./answer-guard.ts";

/**
 * Answers that come before their dialog accepts any: the second of two quick ones, or a `y` pressed as soon as a dialog
 * appears. In an empty input they would become a draft, which would take the next dialog's keys, and their Enter would
 * send waiting text; so they are dropped, unless a message continues with them.
 */
export class EarlyAnswers {
  readonly #store: Store;
  readonly #arming: AnswerGuard;
  /** The last character that marked an answer, too early or not, and its time. */
  #last = "";
  #held = "";
  #atMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store, arming: AnswerGuard) {
    this.#store = store;
    this.#arming = arming;
  }

  /** A dialog was answered, possibly by a character: pressed again at once, it is meant for the next one. */
  answered(character: string): void {
    this.#last = character;
    this.#held = "";
    this.#atMs = this.#arming.clock.now();
  }

  /** Takes an answer that came too early. `dialog`: the one in view, which accepts no keys yet. */
  take(event: InputEvent, dialog: Dialog | undefined): boolean {
    const { composer } = this.#store.get();
    if (event.type !== "key" || !composer.buffer.isEmpty) return false;
    const isAtOnce = this.#arming.isAtOnce(this.#atMs);
    if (inputKeys.idOf(event) === "submit") {
      this.#held = "";
      return isAtOnce || dialog !== undefined;
    }
    const isText = event.text !== "" && !event.ctrl && !event.alt && !event.meta;
    const isMeant = dialog?.kind === "permission" || (isAtOnce && event.text === this.#last);
    if (isText && isAnswerCharacter(onLatinKey(event.text)) && isMeant) {
      this.#held = isAtOnce ? this.#held + event.text : event.text;
      this.#last = event.text;
      this.#atMs = this.#arming.clock.now();
      // Someone who keeps pressing keys is not answering a dialog that has just appeared.
      this.#arming.typed();
      if (dialog) this.#store.dispatch({ type: "dialogChanged", dialog: { ...dialog, early: this.#held } });
      return true;
    }
    // A word begins with these letters.
    if (isText && isAtOnce && this.#held !== "") {
      if (dialog) this.#store.dispatch({ type: "dialogChanged", dialog: { ...dialog, early: undefined } });
      this.#store.set({ composer: withBuffer(composer, composer.buffer.insert(this.#held)) });
    }
    this.#held = "";
    return false;
  }
}
