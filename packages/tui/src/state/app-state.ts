import type {
  CapabilityCard,
  Hud,
  ModelView,
  ProbeOutcome,
  Result,
  ServerMethods,
  SessionState,
  SessionSummary,
} from "@harness/protocol";
import { emptyHistory, type HistoryState } from "../screens/history/state.ts";
import type { ScreenId } from "../screens/screen-rows.ts";
import { emptyKeys, type KeysState } from "../screens/settings/credentials-state.ts";
import { emptySettings, type SettingsState } from "../screens/settings/state.ts";
import type { Card } from "./cards.ts";
import { type ComposerState, emptyComposer } from "./composer.ts";
import type { RewindPicker } from "./rewind-places.ts";
import type { TrustDialog } from "./trust-dialog.ts";

/** `connecting` at the start and while a fallen server is started again; `failed`: no further try will be made. */
export type LinkState = { readonly status: "connecting" | "ready" | "failed"; readonly text?: string };

/**
 * A line for the person above the composer. It goes with the next message or command, with Esc, and when it is old: `of`
 * says what it is about, where that ends by itself: the turn that runs, or a problem of the settings.
 */
export type Note = {
  readonly severity: "info" | "warning" | "error";
  readonly text: string;
  readonly of?: "turn" | "settings";
};

/** A message that the server has not taken yet. `promptId` makes sending it twice harmless. */
export type Outgoing = { readonly promptId: string; readonly text: string; readonly delivery: "queue" | "steer" };

/** What covers the screen until it is closed. `undefined` models are still being fetched. */
export type Overlay =
  | SheetOverlay
  | RewindPicker
  | {
      readonly kind: "models";
      readonly models: readonly ModelView[] | undefined;
      readonly problems: readonly string[];
      readonly filter: string;
      readonly selected: number;
    };

/** Tokens and money; without either field they are being added up. */
export type UsageSheet = {
  readonly kind: "usage";
  readonly scroll: number;
  readonly usage?: Result<ServerMethods, "usage/get">;
  readonly problem?: string;
};

/** A model that is tried out. `of`: how many probes there are, once that is known. */
export type DoctorSheet = {
  readonly kind: "doctor";
  readonly scroll: number;
  readonly label: string;
  readonly probes: readonly ProbeOutcome[];
  readonly of: number | undefined;
  readonly running: boolean;
  readonly card?: CapabilityCard;
  readonly problem?: string;
};

/** The end of a sheet, however long it becomes. */
export const SHEET_END = Number.MAX_SAFE_INTEGER;

/** Rows that are read, scrolled and closed. `scroll`: the first row in view, or the last screenful when it is beyond. */
export type SheetOverlay = { readonly kind: "help"; readonly scroll: number } | UsageSheet | DoctorSheet | TextSheet;

/** A long answer of a command. */
export type TextSheet = {
  readonly kind: "text";
  readonly title: string;
  readonly text: string;
  readonly scroll: number;
};

export type Providers = {
  readonly selected?: { readonly provider: string; readonly model: string; readonly warning?: string | undefined };
  readonly advice: readonly string[];
};

/**
 * Everything the window shows. Replaced, never changed; except `session`, the protocol's fold, which takes updates in
 * place: `changes` grows with each of them.
 */
type ServerCommandRow = Result<ServerMethods, "commands/list">["commands"][number];

export type AppState = {
  readonly screen: ScreenId;
  /** Where Esc leads from Settings and History. */
  readonly before: "home" | "chat";
  readonly size: { readonly columns: number; readonly rows: number };
  readonly cwd: string;
  readonly version: string;
  readonly link: LinkState;
  readonly session: SessionState | undefined;
  readonly changes: number;
  readonly title: string | undefined;
  /** Why the session can only be read: another process works on it. */
  readonly reading: string | undefined;
  /** When the running turn began, on the window's clock. */
  readonly turnSinceMs: number | undefined;
  /** What the running request waits for (its message and phase), and since when. */
  readonly request: { readonly key: string; readonly sinceMs: number } | undefined;
  readonly hud: Hud | undefined;
  readonly providers: Providers | undefined;
  readonly recent: readonly SessionSummary[] | undefined;
  /** The marked row of Home's list; undefined: none. */
  readonly homeSelected: number | undefined;
  readonly composer: ComposerState;
  readonly outgoing: readonly Outgoing[];
  /** Prompts that join the running turn, by id; the rest of the queue waits for its end. */
  readonly steering: ReadonlySet<string>;
  readonly cards: readonly Card[];
  readonly history: HistoryState;
  readonly settings: SettingsState;
  readonly keys: KeysState;
  readonly serverCommands: readonly ServerCommandRow[];
  readonly overlay: Overlay | undefined;
  /** Over everything else: whether what the folder brings may run. */
  readonly trust: TrustDialog | undefined;
  readonly notes: readonly Note[];
  /** Ctrl+C was pressed and a second press leaves. */
  readonly leaveArmed: boolean;
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
    title: undefined,
    reading: undefined,
    turnSinceMs: undefined,
    request: undefined,
    hud: undefined,
    providers: undefined,
    recent: undefined,
    homeSelected: undefined,
    composer: emptyComposer,
    outgoing: [],
    steering: new Set(),
    cards: [],
    history: emptyHistory,
    settings: emptySettings,
    keys: emptyKeys,
    serverCommands: [],
    overlay: undefined,
    trust: undefined,
    notes: [],
    leaveArmed: false,
  };
}
