import type { SessionConfig, SessionState } from "@harness/protocol";
import type { AppState, Note, Outgoing } from "./app-state.ts";
import type { Dialog } from "./dialogs.ts";
import { isBusy, rootAgent } from "./selectors.ts";

/** Parts of the state that are replaced as they are. */
type Plain = "size" | "link" | "hud" | "providers" | "serverCommands" | "composer" | "overlay" | "trust";

/** Everything that can happen to the window's state; times are on the window's clock. */
export type AppEvent =
  | { type: "changed"; changes: Partial<Pick<AppState, Plain>> }
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
  | { type: "configChosen"; config: SessionConfig }
  | { type: "screenShown"; screen: string }
  | { type: "sliceChanged"; name: string; slice: object }
  | { type: "messageQueued"; outgoing: Outgoing }
  | { type: "messageSettled"; promptId: string; steers: boolean }
  | { type: "dialogAdded"; dialog: Dialog }
  | { type: "dialogChanged"; dialog: Dialog }
  | { type: "dialogRemoved"; id: string }
  | { type: "noted"; note: Note }
  | { type: "notesCleared" }
  /** These settings are wrong, and no others. */
  | { type: "problemsOfSettings"; problems: readonly string[] }
  /** A command begins: notes go, except problems of the settings. */
  | { type: "commandGiven" }
  | { type: "leaveArmed"; armed: boolean };

type EventOf<T extends AppEvent["type"]> = Extract<AppEvent, { type: T }>;

/** Notes are a few lines above the composer, not a log. */
const MAX_NOTES = 4;
const NONE: ReadonlySet<string> = new Set();

const reducers: { [T in AppEvent["type"]]: (state: AppState, event: EventOf<T>) => AppState } = {
  changed: (state, { changes }) => ({ ...state, ...changes }),
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
  configChosen: (state, { config }) => ({ ...state, nextConfig: { ...state.nextConfig, ...config } }),
  screenShown,
  sliceChanged: (state, { name, slice }) => ({ ...state, slices: { ...state.slices, [name]: slice } }),
  messageQueued: (state, { outgoing }) => ({ ...state, outgoing: [...state.outgoing, outgoing], notes: [] }),
  messageSettled: (state, { promptId, steers }) => ({
    ...state,
    outgoing: state.outgoing.filter((each) => each.promptId !== promptId),
    steering: steers ? new Set(state.steering).add(promptId) : state.steering,
  }),
  dialogAdded: (state, { dialog }) =>
    state.dialogs.some(({ id }) => id === dialog.id) ? state : { ...state, dialogs: [...state.dialogs, dialog] },
  dialogChanged: (state, { dialog }) => ({
    ...state,
    dialogs: state.dialogs.map((each) => (each.id === dialog.id ? dialog : each)),
  }),
  dialogRemoved: (state, { id }) =>
    state.dialogs.some((each) => each.id === id)
      ? { ...state, dialogs: state.dialogs.filter((each) => each.id !== id) }
      : state,
  noted: (state, { note }) => ({
    ...state,
    notes: [...state.notes.filter(({ text }) => text !== note.text), note].slice(-MAX_NOTES),
  }),
  notesCleared: (state) => (state.notes.length === 0 ? state : { ...state, notes: [] }),
  problemsOfSettings: (state, { problems }) => ({
    ...state,
    notes: without(state.notes, ({ of, text }) => of === "settings" && !problems.includes(text)),
  }),
  commandGiven: (state) => ({ ...state, notes: without(state.notes, ({ of }) => of !== "settings") }),
  leaveArmed: (state, { armed }) => (state.leaveArmed === armed ? state : { ...state, leaveArmed: armed }),
};

/** Information is read once and does not follow to another screen or session. */
function lasting(notes: AppState["notes"]): AppState["notes"] {
  return without(notes, ({ severity }) => severity === "info");
}

/** The same list object when nothing is removed, so that it is not drawn again. */
function without(notes: AppState["notes"], goes: (note: Note) => boolean): AppState["notes"] {
  return notes.some(goes) ? notes.filter((note) => !goes(note)) : notes;
}

function screenShown(state: AppState, { screen }: EventOf<"screenShown">): AppState {
  const cameFrom = state.screen === "home" || state.screen === "chat" ? state.screen : state.before;
  return {
    ...state,
    screen,
    before: cameFrom,
    notes: lasting(state.notes),
    overlay: undefined,
  };
}

/** Keeps the time at which the running turn began; its end clears messages that were to join it. */
function withTurn(before: AppState, nowMs: number): AppState {
  const state = withRequest(before, nowMs);
  const busy = isBusy(state);
  if (busy === (state.turnSinceMs !== undefined)) return state;
  if (busy) return { ...state, turnSinceMs: nowMs };
  const notes = without(state.notes, ({ of }) => of === "turn");
  return { ...state, turnSinceMs: undefined, steering: NONE, notes };
}

/** Keeps the time at which the request entered its current phase. */
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
