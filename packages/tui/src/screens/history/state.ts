import type { SessionHit, SessionSummary } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";
import { slice } from "../../state/slice.ts";
import type { Confirm } from "../../widgets/confirm.ts";
import { clampSelection } from "../../widgets/list-slice.ts";
import {
  type AskedSessions,
  isFullText,
  keyOfAsked,
  readFilter,
  type SessionSection,
} from "./stored/asked-sessions.ts";
import { type HistoryEntry, historyEntries, importableEntries } from "./stored/entries.ts";
import type { ExportForm } from "./stored/export-form.ts";
import type { ImportableSession } from "./stored/importable.ts";
import type { SessionPreview } from "./stored/session-preview.ts";

/** The passages that a search has found so far. `of`: the key of the question. */
type FoundPassages = {
  readonly of: string;
  readonly hits: readonly SessionHit[];
  /** How many passages match. */
  readonly count: number;
  /** The number of sessions that have not been searched yet. */
  readonly pending: number;
  readonly problem?: string | undefined;
};

/** Sessions that were put away, and how: a key takes it back. */
export type PutAway = {
  readonly how: "deleted" | "archived" | "unarchived" | "restored";
  readonly sessionIds: readonly string[];
};

/** A question before something is done to the chosen sessions. */
export type HistoryQuestion = Confirm & { readonly about: "delete" | "archive" };

export type HistoryState = {
  /** The newest sessions that the server has found by `foundBy`, as far as the list has been. */
  readonly sessions: readonly SessionSummary[] | undefined;
  /** The key of the question that `sessions` answers; undefined: none has been answered. */
  readonly foundBy: string | undefined;
  /** How many the server has found in all. */
  readonly total: number;
  /** Where the next page begins; undefined if all sessions are loaded. */
  readonly cursor: string | undefined;
  readonly passages: FoundPassages | undefined;
  /** As typed, with `model:` and `since:`. */
  readonly filter: string;
  /** The last key has edited the filter, which therefore has the cursor. */
  readonly typing: boolean;
  /** Only sessions of this folder; undefined: of all folders. */
  readonly folder: string | undefined;
  readonly section: SessionSection;
  /** Sessions of other programs, which are listed instead; undefined: they are not. */
  readonly importable: { readonly sessions: readonly ImportableSession[]; readonly isRead: boolean } | undefined;
  readonly selected: number;
  /** The first entry in view, if the selected one is in view from there; `wheeled`: even if it is not. */
  readonly top: number;
  readonly wheeled: boolean;
  /** Sessions whose forks are folded away. */
  readonly folded: ReadonlySet<string>;
  readonly marked: ReadonlySet<string>;
  readonly preview: SessionPreview | undefined;
  /** The preview has the whole screen. */
  readonly reading: boolean;
  /** The first row of the preview in view; undefined: the one that the preview itself prefers. */
  readonly scroll: number | undefined;
  /** The question that waits for its answer. */
  readonly asking: HistoryQuestion | undefined;
  /** The new title being typed. */
  readonly renaming: TextBuffer | undefined;
  readonly exporting: ExportForm | undefined;
  readonly putAway: PutAway | undefined;
  /** The work on several sessions, such as `Exporting 2 of 12`. */
  readonly working: string | undefined;
  readonly said: string | undefined;
  /** The reason why the last action failed. */
  readonly problem: string | undefined;
  /** Why sessions are missing from the list. */
  readonly unlisted: string | undefined;
};

const NONE: ReadonlySet<string> = new Set();

export const emptyHistory: HistoryState = {
  sessions: undefined,
  foundBy: undefined,
  total: 0,
  cursor: undefined,
  passages: undefined,
  filter: "",
  typing: false,
  folder: undefined,
  section: "current",
  importable: undefined,
  selected: 0,
  top: 0,
  wheeled: false,
  folded: NONE,
  marked: NONE,
  preview: undefined,
  reading: false,
  scroll: undefined,
  asking: undefined,
  renaming: undefined,
  exporting: undefined,
  putAway: undefined,
  working: undefined,
  said: undefined,
  problem: undefined,
  unlisted: undefined,
};

/** The question that the list answers. */
export function askedOf({ filter, folder, section }: HistoryState): AskedSessions {
  return { ...readFilter(filter), folder, section };
}

/** True if the server has listed the sessions for the question as it is now. */
export function isFound(history: HistoryState): boolean {
  return history.foundBy === undefined || history.foundBy === keyOfAsked(askedOf(history));
}

/** True while the messages of some sessions have not been searched for the words. */
export function isSearching(history: HistoryState): boolean {
  const asked = askedOf(history);
  if (!isFullText(asked) || history.importable) return false;
  const { passages } = history;
  return passages?.of !== keyOfAsked(asked) || passages.pending > 0;
}

/** The reason why the last action, the search or the list failed. */
export function problemOf(history: HistoryState): string | undefined {
  const { problem, passages, unlisted } = history;
  const ofSearch = passages?.of === keyOfAsked(askedOf(history)) ? passages.problem : undefined;
  return problem ?? ofSearch ?? unlisted;
}

/** Memo of a pure function: the entries of the last sources. */
let last: { of: readonly unknown[]; entries: readonly HistoryEntry[] } | undefined;

export function listedEntries(history: HistoryState): readonly HistoryEntry[] {
  const { sessions, passages, filter, folder, section, folded, foundBy, importable } = history;
  const of = [sessions, passages, filter, folder, section, folded, foundBy, importable];
  if (!last?.of.every((each, at) => each === of[at])) {
    const asked = askedOf(history);
    const entries = importable
      ? importableEntries(importable.sessions, asked.words)
      : historyEntries({ ...history, asked, isFound: isFound(history) });
    last = { of, entries };
  }
  return last.entries;
}

export function currentEntry(history: HistoryState): HistoryEntry | undefined {
  return listedEntries(history)[history.selected];
}

/** The sessions that an action is for: the marked ones, else the selected one. */
export function chosenSessions(history: HistoryState): readonly string[] {
  if (history.marked.size > 0) return [...history.marked];
  const entry = currentEntry(history);
  return entry ? [entry.session.sessionId] : [];
}

/** Keeps the selection on an existing row. */
export const historySlice = slice("history", emptyHistory, (history) => ({
  ...history,
  selected: clampSelection(history.selected, listedEntries(history).length),
}));
