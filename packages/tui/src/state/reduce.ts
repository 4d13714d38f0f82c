import type { Hud, SessionState, SessionSummary } from "@harness/protocol";
import { emptyHistory, type HistoryState, shownSessions, within } from "../screens/history/state.ts";
import type { ScreenId } from "../screens/screen-rows.ts";
import type { KeysState } from "../screens/settings/credentials-state.ts";
import { type SettingsState, settingsCount } from "../screens/settings/state.ts";
import type { AppState, LinkState, Note, Outgoing, Overlay, Providers } from "./app-state.ts";
import type { Card } from "./cards.ts";
import type { ComposerState } from "./composer.ts";
import { isBusy, rootAgent } from "./selectors.ts";
import type { TrustDialog } from "./trust-dialog.ts";

/** Everything that can happen to the window's state; times are on the window's clock. */
export type AppEvent =
  | { type: "resized"; size: AppState["size"] }
  | { type: "linkChanged"; link: LinkState }
  | {
      type: "sessionOpened";
      session: SessionState;
      title: string | undefined;
      reading?: string | undefined;
      nowMs: number;
    }
  | { type: "sessionLeft" }
  /** The fold took updates in place. */
  | { type: "folded"; nowMs: number }
  | { type: "hudChanged"; hud: Hud }
  | { type: "providersListed"; providers: Providers }
  | { type: "recentListed"; sessions: readonly SessionSummary[] }
  | { type: "commandsListed"; commands: AppState["serverCommands"] }
  | { type: "screenShown"; screen: ScreenId }
  | { type: "homeMarked"; at: number | undefined }
  | { type: "composerChanged"; composer: ComposerState }
  | { type: "messageQueued"; outgoing: Outgoing }
  | { type: "messageSettled"; promptId: string; steers: boolean }
  | { type: "cardAdded"; card: Card }
  | { type: "cardChanged"; card: Card }
  | { type: "cardRemoved"; id: string }
  | { type: "historyChanged"; history: Partial<HistoryState> }
  | { type: "settingsChanged"; settings: Partial<SettingsState> }
  | { type: "keysChanged"; keys: Partial<KeysState> }
  | { type: "overlayShown"; overlay: Overlay | undefined }
  | { type: "trustChanged"; trust: TrustDialog | undefined }
  | { type: "noted"; note: Note }
  | { type: "notesCleared" }
  /** A command begins: what was said before is answered, but for what is still wrong. */
  | { type: "commandGiven" }
  | { type: "leaveArmed"; armed: boolean };

type EventOf<T extends AppEvent["type"]> = Extract<AppEvent, { type: T }>;

/** Notes are a few lines above the composer, not a log. */
const MAX_NOTES = 4;
const NONE: ReadonlySet<string> = new Set();

const reducers: { [T in AppEvent["type"]]: (state: AppState, event: EventOf<T>) => AppState } = {
  resized: (state, { size }) => ({ ...state, size }),
  linkChanged: (state, { link }) => ({ ...state, link }),
  sessionOpened: (state, { session, title, reading, nowMs }) =>
    withTurn(
      {
        ...state,
        session,
        title: session.title ?? title,
        reading,
        changes: state.changes + 1,
        notes: session.sessionId === state.session?.sessionId ? state.notes : lasting(state.notes),
      },
      nowMs,
    ),
  sessionLeft: (state) => ({
    ...state,
    session: undefined,
    title: undefined,
    reading: undefined,
    turnSinceMs: undefined,
    request: undefined,
    changes: state.changes + 1,
  }),
  folded: (state, { nowMs }) =>
    withTurn({ ...state, changes: state.changes + 1, title: state.session?.title ?? state.title }, nowMs),
  hudChanged: (state, { hud }) => ({ ...state, hud }),
  providersListed: (state, { providers }) => ({ ...state, providers }),
  recentListed: (state, { sessions }) => ({
    ...state,
    recent: sessions,
    homeSelected:
      state.homeSelected === undefined || sessions.length === 0
        ? undefined
        : within(state.homeSelected, sessions.length),
  }),
  commandsListed: (state, { commands }) => ({ ...state, serverCommands: commands }),
  screenShown,
  homeMarked: (state, { at }) => ({ ...state, homeSelected: at }),
  composerChanged: (state, { composer }) => ({ ...state, composer }),
  messageQueued: (state, { outgoing }) => ({ ...state, outgoing: [...state.outgoing, outgoing], notes: [] }),
  messageSettled: (state, { promptId, steers }) => ({
    ...state,
    outgoing: state.outgoing.filter((each) => each.promptId !== promptId),
    steering: steers ? new Set(state.steering).add(promptId) : state.steering,
  }),
  cardAdded: (state, { card }) =>
    state.cards.some(({ id }) => id === card.id) ? state : { ...state, cards: [...state.cards, card] },
  cardChanged: (state, { card }) => ({
    ...state,
    cards: state.cards.map((each) => (each.id === card.id ? card : each)),
  }),
  cardRemoved: (state, { id }) =>
    state.cards.some((each) => each.id === id)
      ? { ...state, cards: state.cards.filter((each) => each.id !== id) }
      : state,
  historyChanged: (state, { history: changes }) => {
    const history = { ...state.history, ...changes };
    return { ...state, history: { ...history, selected: within(history.selected, shownSessions(history).length) } };
  },
  settingsChanged: (state, { settings: changes }) => {
    const settings = { ...state.settings, ...changes };
    const isOver = ({ of, text }: Note): boolean => of === "settings" && !settings.problems.includes(text);
    return withSelection({ ...state, settings, notes: without(state.notes, isOver) });
  },
  keysChanged: (state, { keys: changes }) => withSelection({ ...state, keys: { ...state.keys, ...changes } }),
  overlayShown: (state, { overlay }) => ({ ...state, overlay }),
  trustChanged: (state, { trust }) => ({ ...state, trust }),
  noted: (state, { note }) => ({
    ...state,
    notes: [...state.notes.filter(({ text }) => text !== note.text), note].slice(-MAX_NOTES),
  }),
  notesCleared: (state) => (state.notes.length === 0 ? state : { ...state, notes: [] }),
  commandGiven: (state) => ({ ...state, notes: without(state.notes, ({ of }) => of !== "settings") }),
  leaveArmed: (state, { armed }) => (state.leaveArmed === armed ? state : { ...state, leaveArmed: armed }),
};

/** Mere information is read once: it does not follow to another screen or session. */
function lasting(notes: AppState["notes"]): AppState["notes"] {
  return without(notes, ({ severity }) => severity === "info");
}

/** The same list where nothing goes: it is not drawn anew. */
function without(notes: AppState["notes"], goes: (note: Note) => boolean): AppState["notes"] {
  return notes.some(goes) ? notes.filter((note) => !goes(note)) : notes;
}

/** The marked row of the Settings screen stays on a row that exists. */
function withSelection(state: AppState): AppState {
  const selected = within(state.settings.selected, settingsCount(state));
  return selected === state.settings.selected ? state : { ...state, settings: { ...state.settings, selected } };
}

function screenShown(state: AppState, { screen }: EventOf<"screenShown">): AppState {
  const cameFrom = state.screen === "home" || state.screen === "chat" ? state.screen : state.before;
  return {
    ...state,
    screen,
    before: cameFrom,
    notes: lasting(state.notes),
    overlay: undefined,
    homeSelected: undefined,
    // A login goes on; a key that was half typed does not.
    keys: { ...state.keys, said: undefined, work: state.keys.work?.kind === "login" ? state.keys.work : undefined },
    history:
      screen === "history" && state.screen !== "history"
        ? { ...emptyHistory, sessions: state.history.sessions }
        : state.history,
  };
}

/** Keeps the time at which the running turn began; with its end nothing joins it any more. */
function withTurn(before: AppState, nowMs: number): AppState {
  const state = withRequest(before, nowMs);
  const busy = isBusy(state);
  if (busy === (state.turnSinceMs !== undefined)) return state;
  if (busy) return { ...state, turnSinceMs: nowMs };
  const notes = without(state.notes, ({ of }) => of === "turn");
  return { ...state, turnSinceMs: undefined, steering: NONE, notes };
}

/** Keeps the time at which a request began to wait for what it waits for. */
function withRequest(state: AppState, nowMs: number): AppState {
  const { status } = rootAgent(state.session) ?? {};
  const key = status && `${status.messageId} ${status.phase}`;
  if (key === state.request?.key) return state;
  return { ...state, request: key === undefined ? undefined : { key, sinceMs: nowMs } };
}

export function reduce(state: AppState, event: AppEvent): AppState {
  const reducer = reducers[event.type] as (state: AppState, event: AppEvent) => AppState;
  return reducer(state, event);
}
