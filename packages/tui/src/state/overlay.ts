import type { SetupOption } from "@harness/client";
import type {
  AgentState,
  AgentWorktree,
  CapabilityRecord,
  ContextReport,
  Cost,
  ModelView,
  ProbeOutcome,
  ProcessView,
  Result,
  ServerMethods,
} from "@harness/protocol";
import type { ActionName } from "../keymap/key-tables.ts";
import type { Keymap } from "../keymap/keymap.ts";
import type { SetupPage } from "./setup-page.ts";

/** A view that covers the screen until it is closed. */
export type Overlay = SheetOverlay | RewindPicker | ModelPicker | ProcessList | AgentTree | KeyList;

/** Rows that are read, scrolled and closed. `scroll`: the first row in view, or the last screenful when it is beyond. */
export type SheetOverlay = HelpSheet | UsageSheet | ContextSheet | DoctorSheet | TextSheet;

/** The end of a sheet, however long it becomes. */
export const SHEET_END = Number.MAX_SAFE_INTEGER;

/** Usage and description of the commands, and the screens; keys are those that hold at the moment. */
export type HelpTables = {
  readonly commands: readonly (readonly string[])[];
  readonly screens: readonly { readonly title: string; readonly openedBy: ActionName; readonly purpose: string }[];
};

type HelpSheet = { readonly kind: "help"; readonly scroll: number; readonly tables: HelpTables };

/** Tokens and money; without either field they are being added up. */
export type UsageSheet = {
  readonly kind: "usage";
  readonly scroll: number;
  readonly usage?: Result<ServerMethods, "usage/get">;
  readonly problem?: string;
};

/** What fills a context window; without either field it is being counted. */
export type ContextSheet = {
  readonly kind: "context";
  readonly scroll: number;
  readonly report?: ContextReport;
  readonly problem?: string;
};

/** A model that is being probed. `of`: the number of probes, once that is known. */
export type DoctorSheet = {
  readonly kind: "doctor";
  readonly scroll: number;
  readonly label: string;
  readonly probes: readonly ProbeOutcome[];
  readonly of: number | undefined;
  readonly running: boolean;
  readonly capabilities?: CapabilityRecord;
  readonly problem?: string;
};

/** A long answer of a command. `look`: a diff, or places that were found by these words. */
export type TextSheet = {
  readonly look?: "diff" | { readonly found: readonly string[] } | undefined;
  readonly kind: "text";
  readonly title: string;
  readonly text: string;
  readonly scroll: number;
};

/** The list of models, and the ways to get one; `models` is undefined while they are being fetched. */
export type ModelPicker = {
  readonly kind: "models";
  readonly models: readonly ModelView[] | undefined;
  readonly options: readonly SetupOption[];
  /** The way that was taken. */
  readonly page: SetupPage | undefined;
  readonly problems: readonly string[];
  readonly filter: string;
  readonly selected: number;
};

/** All keys. `pressing`: the next key is for this action; `first`: a chord may begin with this key. `said`: what came of the last change. */
export type KeyList = {
  readonly kind: "keys";
  readonly keymap: Keymap;
  /** What is wrong with the file of the person's keys. */
  readonly problems: readonly string[];
  readonly filter: string;
  readonly selected: number;
  readonly pressing: { readonly action: string; readonly adds: boolean; readonly first?: string } | undefined;
  readonly said: string | undefined;
};

/** Processes that stay; undefined while they are being fetched. `nowMs`: when they were. */
export type ProcessList = {
  readonly kind: "processes";
  readonly processes: readonly ProcessView[] | undefined;
  readonly selected: number;
  /** The process that another press of the key stops. */
  readonly stopping?: string | undefined;
  readonly nowMs: number;
};

/** An agent of the session as its tree shows it; texts are untrusted. */
export type AgentLine = {
  readonly agentId: string;
  /** Of its definition. */
  readonly name: string | undefined;
  readonly task: string;
  readonly state: AgentState["state"] | NonNullable<AgentState["run"]>;
  readonly canStop: boolean;
  /** It goes on when the turn that started it ends. */
  readonly background: boolean;
  /** What it does, or what it has returned. */
  readonly doing: string;
  /** What it has changed in a worktree of its own. */
  readonly worktree: Pick<AgentWorktree, "files" | "added" | "removed" | "state"> | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  readonly unread: number;
  /** Of all its requests. */
  readonly tokens: number;
  readonly cost: Cost;
  /** What joins it to its parent, and what stands before the agents below it. */
  readonly branch: string;
  readonly stem: string;
};

/** What a second press of its key does to an agent. */
export type AskedOfAgent = { readonly agentId: string; readonly what: "stop" | "apply" | "drop" };

/** The session's agents as they were at `nowMs`. `said`: what came of the last key. */
export type AgentTree = {
  readonly kind: "agents";
  readonly lines: readonly AgentLine[];
  /** The agent that is marked. */
  readonly marked: string;
  readonly asked: AskedOfAgent | undefined;
  readonly said: string | undefined;
  readonly nowMs: number;
};

/** A place to rewind to, and what changed in the files between it and the next place. */
export type RewindPlace = {
  /** Of a message, or of a checkpoint. */
  readonly id: string;
  /** A checkpoint lies within a turn: only the files can be restored to it. */
  readonly kind: "message" | "checkpoint";
  /** The whole message, untrusted: the person may have pasted it. Empty for a checkpoint. */
  readonly text: string;
  /** What the row says: the message without the text that it quotes, untrusted too. */
  readonly title: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
};

/** `chosen`: the marked place was chosen, and the picker asks what to restore. `working`: the server restores it. */
export type RewindPicker = {
  readonly kind: "rewind";
  readonly places: readonly RewindPlace[];
  readonly selected: number;
  readonly chosen: boolean;
  readonly working: boolean;
};
