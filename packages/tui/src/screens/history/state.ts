import type { SessionSummary } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";
import { slice } from "../../state/slice.ts";
import type { Confirm } from "../../widgets/confirm.ts";
import { clampSelection } from "../../widgets/list-slice.ts";

/** First and last messages of a session, as plain lines. */
export type SessionPreview = {
  readonly sessionId: string;
  readonly lines: readonly { readonly who: "user" | "agent"; readonly text: string }[];
};

/** `asking`: a deletion waits for confirmation. `renaming`: the new title being typed. */
export type HistoryState = {
  /** The newest sessions that the server has found by `foundBy`, as far as the mark has been. */
  readonly sessions: readonly SessionSummary[] | undefined;
  readonly foundBy: string;
  /** How many the server has found in all. */
  readonly total: number;
  /** Where the next page begins; undefined if all sessions are loaded. */
  readonly cursor: string | undefined;
  readonly filter: string;
  readonly filtering: boolean;
  readonly selected: number;
  readonly preview: SessionPreview | undefined;
  readonly asking: Confirm | undefined;
  readonly renaming: TextBuffer | undefined;
  readonly problem: string | undefined;
};

export const emptyHistory: HistoryState = {
  sessions: undefined,
  foundBy: "",
  total: 0,
  cursor: undefined,
  filter: "",
  filtering: false,
  selected: 0,
  preview: undefined,
  asking: undefined,
  renaming: undefined,
  problem: undefined,
};

/** True if the server has answered for the filter as typed. */
export function isFound({ filter, foundBy }: HistoryState): boolean {
  return filter.trim() === foundBy.trim();
}

/** Sessions that match the filter: the server's result or, until it arrives, the matches among the loaded sessions. */
export function shownSessions(history: HistoryState): readonly SessionSummary[] {
  const { sessions, filter } = history;
  if (!sessions || isFound(history)) return sessions ?? [];
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((each) => {
    const text = `${each.title ?? ""} ${each.preview} ${each.sessionId} ${each.cwd} ${each.model ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export function selectedSession(history: HistoryState): SessionSummary | undefined {
  return shownSessions(history)[history.selected];
}

/** Keeps the mark on an existing row. */
export const historySlice = slice("history", emptyHistory, (history) => ({
  ...history,
  selected: clampSelection(history.selected, shownSessions(history).length),
}));
