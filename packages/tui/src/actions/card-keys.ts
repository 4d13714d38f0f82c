import { type InputEvent, type KeyEvent, TextBuffer } from "../input/index.ts";
import { denial, optionOfKey, type PermissionCard, type QuestionCard } from "../state/cards.ts";
import type { Store } from "../state/store.ts";
import type { CardDesk } from "./card-desk.ts";
import { lineEdited } from "./line-edits.ts";
import { windowKey } from "./window-keys.ts";

const SCROLL_ROWS = 5;

/** Keys of a permission card that is armed. Whatever means nothing to it is swallowed: no key falls through. */
export function permissionKey(store: Store, desk: CardDesk, card: PermissionCard, event: InputEvent): void {
  if (event.type === "wheel") {
    scroll(store, card, event.direction * 3);
    return;
  }
  if (event.type !== "key" && event.type !== "paste") return;
  if (card.words) {
    wordsKey(store, desk, card, card.words, event);
    return;
  }
  // A paste is never an answer.
  if (event.type === "paste") return;
  const action = windowKey(event, "permission");
  if (action === "words") {
    store.dispatch({ type: "cardChanged", card: { ...card, words: TextBuffer.empty } });
    return;
  }
  if (action === "deny") {
    desk.answer(card.id, denial(card.permission));
    return;
  }
  if (action === "previewUp") {
    scroll(store, card, -SCROLL_ROWS);
    return;
  }
  if (action === "previewDown") {
    scroll(store, card, SCROLL_ROWS);
    return;
  }
  if (event.ctrl || event.alt || event.meta) return;
  const option = optionOfKey(card.permission, event.text);
  if (option) desk.answer(card.id, { outcome: "selected", optionId: option.optionId });
}

function wordsKey(store: Store, desk: CardDesk, card: PermissionCard, words: TextBuffer, event: InputEvent): void {
  const name = event.type === "key" ? event.name : "";
  if (name === "enter") {
    desk.answer(card.id, denial(card.permission, words.text));
    return;
  }
  if (name === "escape") {
    store.dispatch({ type: "cardChanged", card: { ...card, words: undefined } });
    return;
  }
  const next = lineEdited(words, event);
  if (next) store.dispatch({ type: "cardChanged", card: { ...card, words: next } });
}

/** Keys of a question card that is armed. */
export function questionKey(store: Store, desk: CardDesk, card: QuestionCard, event: InputEvent): void {
  if (event.type === "wheel") {
    scroll(store, card, event.direction * 3);
    return;
  }
  if (event.type !== "key" && event.type !== "paste") return;
  const { question, words } = card;
  const option = event.type === "key" && words.isEmpty ? numbered(question.options, event) : undefined;
  if (option) {
    desk.answer(card.id, { action: "accept", optionId: option.optionId });
    return;
  }
  const action = event.type === "key" ? windowKey(event, "question") : undefined;
  if (action === "decline") {
    desk.answer(card.id, { action: "decline" });
    return;
  }
  if (!question.freeText) return;
  if (action === "answer") {
    const text = words.text.trim();
    if (text !== "") desk.answer(card.id, { action: "accept", text });
    return;
  }
  const next = lineEdited(words, event);
  if (next) store.dispatch({ type: "cardChanged", card: { ...card, words: next } });
}

function numbered<T>(options: readonly T[], { text }: KeyEvent): T | undefined {
  return /^[1-9]$/.test(text) ? options[Number(text) - 1] : undefined;
}

function scroll(store: Store, card: PermissionCard | QuestionCard, by: number): void {
  store.dispatch({ type: "cardChanged", card: { ...card, scroll: Math.max(0, card.scroll + by) } });
}
