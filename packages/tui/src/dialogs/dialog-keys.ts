import { type InputEvent, type KeyEvent, TextBuffer } from "../input/index.ts";
import { windowKey } from "../keymap/window-keys.ts";
import { denial, optionOfKey, type PermissionCard, type QuestionCard } from "../state/cards.ts";
import { askerText } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { lineEdited } from "../widgets/line-edits.ts";
import type { CardDesk } from "./dialog-queue.ts";
import { cardPlace, type PermissionLayout, permissionLayout } from "./permission/permission-layout.ts";
import { questionLayout } from "./question/question-layout.ts";

const WHEEL_ROWS = 3;

/** Keys of a permission card that is armed. Whatever means nothing to it is swallowed: no key falls through. */
export function permissionKey(store: Store, desk: CardDesk, card: PermissionCard, event: InputEvent): void {
  if (event.type === "wheel") {
    scrollBody(store, desk, card, event.direction * WHEEL_ROWS);
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
  if (action !== undefined) {
    const { page, maxScroll } = layoutOf(store, card);
    const rows = { up: -1, down: 1, pageUp: -page, pageDown: page, first: -maxScroll, last: maxScroll };
    scrollBody(store, desk, card, rows[action]);
    return;
  }
  if (event.ctrl || event.alt || event.meta) return;
  const option = optionOfKey(card.permission, event.text);
  if (!option) return;
  // What lasts, a denial too, holds for what is said at the end.
  if (option.kind !== "reject_once" && !wasSeen(store, desk, card)) {
    store.dispatch({ type: "cardChanged", card: { ...card, tooEarly: true } });
    return;
  }
  desk.answer(card.id, { outcome: "selected", optionId: option.optionId });
}

/** The end was on the screen, long enough to be read there. */
function wasSeen(store: Store, desk: CardDesk, card: PermissionCard): boolean {
  const { endSeenAtMs } = card;
  return endSeenAtMs === undefined ? layoutOf(store, card).hidden === 0 : desk.wasInView(endSeenAtMs);
}

function layoutOf(store: Store, card: PermissionCard): PermissionLayout {
  const state = store.get();
  const sessionId = state.session?.sessionId;
  return permissionLayout(card, cardPlace({ ...state, sessionId, asker: askerText(state) }));
}

function scrollBody(store: Store, desk: CardDesk, card: PermissionCard, by: number): void {
  const { scroll: at, maxScroll } = layoutOf(store, card);
  const to = Math.max(0, Math.min(maxScroll, at + by));
  const endSeenAtMs = card.endSeenAtMs ?? (to === maxScroll ? desk.now() : undefined);
  store.dispatch({ type: "cardChanged", card: { ...card, scroll: to, endSeenAtMs } });
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
    scrollQuestion(store, card, event.direction * WHEEL_ROWS);
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
  if (action === "pageUp" || action === "pageDown") {
    const { page } = layoutOfQuestion(store, card);
    scrollQuestion(store, card, action === "pageUp" ? -page : page);
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

function layoutOfQuestion(store: Store, card: QuestionCard) {
  const state = store.get();
  return questionLayout(card, cardPlace({ ...state, sessionId: state.session?.sessionId, asker: askerText(state) }));
}

function scrollQuestion(store: Store, card: QuestionCard, by: number): void {
  const { scroll: at, maxScroll } = layoutOfQuestion(store, card);
  store.dispatch({ type: "cardChanged", card: { ...card, scroll: Math.max(0, Math.min(maxScroll, at + by)) } });
}
