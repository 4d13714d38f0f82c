import type { LinkState } from "@harness/client";
import {
  type Delivery,
  type Hud,
  type ProviderView,
  type Result,
  ROOT_AGENT,
  type ServerMethods,
  type SessionConfig,
  type SessionState,
} from "@harness/protocol";
import type { KeySentence } from "../keymap/key-labels.ts";
import { type Keymap, usualKeymap } from "../keymap/keymap.ts";
import type { PendingChord } from "../keymap/pending-chord.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { type ComposerState, emptyComposer } from "./composer.ts";
import type { Dialog } from "./dialogs.ts";
import type { FindState } from "./find.ts";
import type { TrustDialog } from "./trust-dialog.ts";

/**
 * A line above the composer. The next message or command removes it, and so does Esc. `of` names a subject that takes
 * the note along when it ends: the running turn, a problem of the settings, or the mode (only the last note about it is
 * shown).
 */
export type Note = {
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  /** The source of the text, if it names keys. */
  readonly sentence?: KeySentence;
  readonly of?: "turn" | "settings" | "mode" | "undo" | undefined;
};

/** A message that the server has not accepted yet. `promptId` makes sending it twice harmless. */
export type OutgoingMessage = {
  readonly promptId: string;
  readonly text: string;
  readonly delivery: Delivery;
  /** The agent that it is for. */
  readonly agentId: string;
};

/**
 * Covers the screen until it is closed. `kind` is its name in the table of overlays; only its folder knows the other
 * fields.
 */
export type Overlay = { readonly kind: string; readonly [field: string]: unknown };

type Providers = {
  readonly selected?: { readonly provider: string; readonly model: string; readonly warning?: string | undefined };
  readonly views: readonly ProviderView[];
};

/** Why a session can only be read. `elsewhere`: another process holds it, as the text says; `loading`: its end is on the screen before the rest is there. */
type ReadOnlyCause = { readonly why: "elsewhere"; readonly text: string } | { readonly why: "loading" };

/**
 * Everything the window shows. Replaced, never mutated; except `session`, the protocol's fold, which takes updates in
 * place: `changes` grows with each of them.
 */
export type AppState = {
  /** A name of the table of screens. */
  readonly screen: string;
  /** Where Esc leads from Settings and History. */
  readonly before: "home" | "chat";
  readonly size: { readonly columns: number; readonly rows: number };
  /** Code that colours a diff; replaced when more of it is loaded, so that rows are drawn again. */
  readonly drawing: { readonly code: DrawingCode; readonly generation: number };
  readonly cwd: string;
  readonly version: string;
  readonly link: LinkState;
  readonly session: SessionState | undefined;
  readonly changes: number;
  /** The agent whose transcript is in view; it gets what is typed. */
  readonly agentInView: string;
  /** Drafts for the other agents. */
  readonly drafts: ReadonlyMap<string, ComposerState>;
  readonly title: string | undefined;
  /** By id, the titles of sessions that were in view. */
  readonly leftTitles: ReadonlyMap<string, string>;
  /** Set if the session can only be read. */
  readonly reading: ReadOnlyCause | undefined;
  /** The session goes on when the window closes. */
  readonly goesOn: boolean;
  /** When the running turn began, on the window's clock. */
  readonly turnSinceMs: number | undefined;
  /** The phase of the running request (with its message id), or the running compaction, and since when. */
  readonly request: { readonly key: string; readonly sinceMs: number } | undefined;
  /** Configuration chosen in this window for the next session. */
  readonly nextConfig: SessionConfig;
  readonly hud: Hud | undefined;
  readonly providers: Providers | undefined;
  readonly composer: ComposerState;
  /** The message in the input that was sent while there was no model, and waits for one. */
  readonly held: string | undefined;
  readonly outgoing: readonly OutgoingMessage[];
  /** Ids of prompts that join the running turn; the rest of the queue waits for its end. */
  readonly steering: ReadonlySet<string>;
  readonly dialogs: readonly Dialog[];
  /** The states of screens, by name; use `slice` to read and change them. */
  readonly slices: Readonly<Record<string, object>>;
  readonly serverCommands: Result<ServerMethods, "commands/list">["commands"];
  readonly overlay: Overlay | undefined;
  /** The trust dialog, over everything else. */
  readonly trust: TrustDialog | undefined;
  readonly notes: readonly Note[];
  readonly find: FindState | undefined;
  /** Keys select text of the conversation. */
  readonly marking: boolean;
  readonly chord: PendingChord | undefined;
  /** The key bindings. */
  readonly keymap: Keymap;
  /** The tasks of the agent in view are listed; otherwise one row names the current one. */
  readonly todosOpen: boolean;
  /** Escape was pressed while idle, and a second press rewinds. */
  readonly rewindArmed: boolean;
  /** A sheet of keys is shown until the next key. */
  readonly keySheet: boolean;
  /** The terminal tells Shift+Enter from Enter, as far as it was asked. */
  readonly hasShiftEnter: boolean;
  /** Ctrl+C was pressed, and a second press exits. */
  readonly leaveArmed: boolean;
  /** The stop key was pressed: the turn was stopped, or the agent in view is about to be; a second press does more. */
  readonly stopArmed: boolean;
};

export function initialState(start: {
  cwd: string;
  version: string;
  size: { columns: number; rows: number };
}): AppState {
  return {
    ...start,
    screen: "home",
    before: "home",
    link: { status: "connecting" },
    session: undefined,
    changes: 0,
    agentInView: ROOT_AGENT,
    drafts: new Map(),
    title: undefined,
    leftTitles: new Map(),
    reading: undefined,
    goesOn: false,
    turnSinceMs: undefined,
    request: undefined,
    nextConfig: {},
    hud: undefined,
    providers: undefined,
    composer: emptyComposer,
    held: undefined,
    outgoing: [],
    steering: new Set(),
    dialogs: [],
    slices: {},
    serverCommands: [],
    overlay: undefined,
    trust: undefined,
    notes: [],
    find: undefined,
    marking: false,
    chord: undefined,
    keymap: usualKeymap,
    drawing: { code: new DrawingCode(), generation: 0 },
    todosOpen: false,
    rewindArmed: false,
    keySheet: false,
    hasShiftEnter: false,
    leaveArmed: false,
    stopArmed: false,
  };
}
