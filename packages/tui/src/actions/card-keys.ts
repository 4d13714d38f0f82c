import { type PermissionLayout, permissionLayout } from "../components/permission-layout.ts";
import { type InputEvent, type KeyEvent, TextBuffer } from "../input/index.ts";
import { denial, isDenial, optionOfKey, type PermissionCard, type QuestionCard } from "../state/cards.ts";
import type { Store } from "../state/store.ts";
import type { CardDesk } from "./card-desk.ts";
import { lineEdited } from "./line-edits.ts";
import { windowKey } from "./window-keys.ts";

const WHEEL_ROWS = 3;

/** Keys of a permission card that is armed. Whatever means nothing to it is swallowed: no key falls through. */
export function permissionKey(store: Store, desk: CardDesk, card: PermissionCard, event: InputEvent): void {
  if (event.type === "wheel") {
    scrollPreview(store, card, event.direction * WHEEL_ROWS);
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
  if (action === "previewUp" || action === "previewDown") {
    const { page } = layoutOf(store, card);
    scrollPreview(store, card, action === "previewUp" ? -page : page);
    return;
  }
  if (event.ctrl || event.alt || event.meta) return;
  const option = optionOfKey(card.permission, event.text);
  if (!option) return;
  if (!isDenial(option) && !card.seenEnd && layoutOf(store, card).hidden > 0) {
    store.dispatch({ type: "cardChanged", card: { ...card, tooEarly: true } });
    return;
  }
  desk.answer(card.id, { outcome: "selected", optionId: option.optionId });
}

function layoutOf(store: Store, card: PermissionCard): PermissionLayout {
  const { size, session } = store.get();
  return permissionLayout(card, { ...size, elsewhere: card.sessionId !== session?.sessionId });
}

function scrollPreview(store: Store, card: PermissionCard, by: number): void {
  const { scroll: at, maxScroll } = layoutOf(store, card);
  const to = Math.max(0, Math.min(maxScroll, at + by));
  store.dispatch({
    type: "cardChanged",
    card: { ...card, scroll: to, seenEnd: card.seenEnd === true || to === maxScroll },
  });
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
    scroll(store, card, event.direction * WHEEL_ROWS);
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

function scroll(store: Store, card: QuestionCard, by: number): void {
  store.dispatch({ type: "cardChanged", card: { ...card, scroll: Math.max(0, card.scroll + by) } });
}
