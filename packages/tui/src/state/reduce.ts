import { ROOT_AGENT, type SessionConfig, type SessionState } from "@harness/protocol";
import { shownAgent } from "./agents.ts";
import type { AppState, Note, OutgoingMessage } from "./app-state.ts";
import { emptied, emptyComposer, withTextBefore } from "./composer.ts";
import type { Dialog } from "./dialogs.ts";
import { isBusy } from "./selectors.ts";

/** Parts of the state that are simply replaced. */
type Plain =
  | "size"
  | "link"
  | "hud"
  | "goesOn"
  | "held"
  | "providers"
  | "serverCommands"
  | "composer"
  | "overlay"
  | "trust"
  | "find"
  | "marking"
  | "chord"
  | "keymap"
  | "drawing"
  | "rewindArmed"
  | "keySheet"
  | "hasShiftEnter"
  | "todosOpen";

/** Everything that can happen to the window's state; times are on the window's clock. */
export type AppEvent =
  | { type: "changed"; changes: Partial<Pick<AppState, Plain>> }
  | {
      type: "sessionOpened";
      session: SessionState;
      title: string | undefined;
      reading?: AppState["reading"];
      nowMs: number;
    }
  | { type: "sessionLeft" }
  /** The fold took updates in place. */
  | { type: "folded"; nowMs: number }
  | { type: "configChosen"; config: SessionConfig }
  | { type: "screenShown"; screen: string }
  | { type: "sliceChanged"; name: string; slice: object }
  | { type: "messageQueued"; outgoing: OutgoingMessage }
  | { type: "messageSettled"; promptId: string; steers: boolean }
  | { type: "dialogAdded"; dialog: Dialog }
  | { type: "dialogChanged"; dialog: Dialog }
  | { type: "dialogRemoved"; id: string }
  | { type: "noted"; note: Note }
  | { type: "notesCleared" }
  /** All current problems of the settings. */
  | { type: "problemsOfSettings"; problems: readonly string[] }
  /** A command begins: notes are removed, except problems of the settings. */
  | { type: "commandGiven" }
  | { type: "leaveArmed"; armed: boolean }
  | { type: "stopArmed"; armed: boolean }
  | { type: "agentShown"; agentId: string; nowMs: number }
  /** A message was not sent: its text returns to the input of its agent. */
  | { type: "textReturned"; agentId: string; text: string };

type EventOf<T extends AppEvent["type"]> = Extract<AppEvent, { type: T }>;

/** Notes are a few lines above the composer, not a log. */
const MAX_NOTES = 4;
const NONE: ReadonlySet<string> = new Set();
const NO_DRAFTS: AppState["drafts"] = new Map();

const reducers: { [T in AppEvent["type"]]: (state: AppState, event: EventOf<T>) => AppState } = {
  changed: (state, { changes }) => ({
    ...state,
    ...changes,
    ...(changes.keymap ? withKeys(state, changes.keymap) : {}),
  }),
  sessionOpened: (state, { session, title, reading, nowMs }) =>
    withTurn(
      {
        ...(session.sessionId === state.session?.sessionId ? state : withoutAgents(state)),
        session,
        leftTitles: titlesWith(state),
        title: session.title ?? title,
        reading,
        changes: state.changes + 1,
        notes: session.sessionId === state.session?.sessionId ? state.notes : lasting(state.notes),
      },
      nowMs,
    ),
  sessionLeft: (state) => ({
    ...withoutAgents(state),
    session: undefined,
    title: undefined,
    leftTitles: titlesWith(state),
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
    notes: [...state.notes.filter((each) => !isReplaced(each, note)), note].slice(-MAX_NOTES),
  }),
  notesCleared: (state) => (state.notes.length === 0 ? state : { ...state, notes: [] }),
  problemsOfSettings: (state, { problems }) => ({
    ...state,
    notes: without(state.notes, ({ of, text }) => of === "settings" && !problems.includes(text)),
  }),
  commandGiven: (state) => ({ ...state, notes: without(state.notes, ({ of }) => of !== "settings") }),
  leaveArmed: (state, { armed }) => (state.leaveArmed === armed ? state : { ...state, leaveArmed: armed }),
  stopArmed: (state, { armed }) => (state.stopArmed === armed ? state : { ...state, stopArmed: armed }),
  agentShown: (state, { agentId, nowMs }) =>
    withRequest(screenShown(withAgent(state, agentId), { type: "screenShown", screen: "chat" }), nowMs),
  textReturned,
};

/** Switches to another agent's transcript and draft. */
function withAgent(state: AppState, agentId: string): AppState {
  if (agentId === state.agentInView) return state;
  const drafts = new Map(state.drafts).set(state.agentInView, state.composer);
  const { sent, killed, stashed } = state.composer;
  const draft = drafts.get(agentId);
  const composer = draft ? { ...draft, sent, killed, stashed, completion: undefined } : emptied(state.composer);
  drafts.delete(agentId);
  return { ...state, agentInView: agentId, drafts, composer, stopArmed: false };
}

/** The session is left, and its agents with it. */
function withoutAgents(state: AppState): AppState {
  return { ...withAgent(state, ROOT_AGENT), drafts: NO_DRAFTS };
}

function textReturned(state: AppState, { agentId, text }: EventOf<"textReturned">): AppState {
  if (agentId === state.agentInView) return { ...state, composer: withTextBefore(state.composer, text) };
  const draft = withTextBefore(state.drafts.get(agentId) ?? emptyComposer, text);
  return { ...state, drafts: new Map(state.drafts).set(agentId, draft) };
}

/** Information is read once and does not follow to another screen or session. */
function lasting(notes: AppState["notes"]): AppState["notes"] {
  return without(notes, ({ severity }) => severity === "info");
}

function isReplaced({ text, of }: Note, by: Note): boolean {
  return text === by.text || (of === "mode" && by.of === "mode");
}

/** Rewrites notes that name keys after the keymap has changed. */
function withKeys({ notes }: AppState, { names }: AppState["keymap"]): Pick<AppState, "notes"> {
  return { notes: notes.map((note) => (note.sentence ? { ...note, text: note.sentence(names) } : note)) };
}

/** Returns the same list object if nothing is removed, so that it is not redrawn. */
function without(notes: AppState["notes"], goes: (note: Note) => boolean): AppState["notes"] {
  return notes.some(goes) ? notes.filter((note) => !goes(note)) : notes;
}

function screenShown(state: AppState, { screen }: EventOf<"screenShown">): AppState {
  const cameFrom = state.screen === "home" || state.screen === "chat" ? state.screen : state.before;
  return {
    // Home has the input as well: text typed there is for the main agent.
    ...(screen === "home" ? withAgent(state, ROOT_AGENT) : state),
    screen,
    before: cameFrom,
    notes: lasting(state.notes),
    overlay: undefined,
  };
}

function titlesWith({ session, title, leftTitles }: AppState): AppState["leftTitles"] {
  return session && title !== undefined ? new Map(leftTitles).set(session.sessionId, title) : leftTitles;
}

/** Tracks when the running turn began; its end clears messages that were to join it. */
function withTurn(before: AppState, nowMs: number): AppState {
  const state = withRequest(before, nowMs);
  const busy = isBusy(state);
  if (busy === (state.turnSinceMs !== undefined)) return state;
  if (busy) return { ...state, turnSinceMs: nowMs };
  const notes = without(state.notes, ({ of }) => of === "turn");
  return { ...state, turnSinceMs: undefined, steering: NONE, notes };
}

/** Tracks when the request entered its current phase, or the compaction began. */
function withRequest(state: AppState, nowMs: number): AppState {
  const { status, compaction } = shownAgent(state) ?? {};
  const key = compaction?.compactionId ?? (status && `${status.messageId} ${status.phase}`);
  if (key === state.request?.key) return state;
  return { ...state, request: key === undefined ? undefined : { key, sinceMs: nowMs } };
}

export function reduce(state: AppState, event: AppEvent): AppState {
  const reducer = reducers[event.type] as (state: AppState, event: AppEvent) => AppState;
  return reducer(state, event);
}
