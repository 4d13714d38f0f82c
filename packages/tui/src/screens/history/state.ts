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

/** `asking`: a delete waits for its answer. `renaming`: the new title being typed. */
export type HistoryState = {
  /** The newest ones that the server has found by `foundBy`, as far as the mark has been. */
  readonly sessions: readonly SessionSummary[] | undefined;
  readonly foundBy: string;
  /** How many it has found in all. */
  readonly total: number;
  /** Where the next page begins; undefined: all are known. */
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

/** Has the server answered for the filter that is typed? */
export function isFound({ filter, foundBy }: HistoryState): boolean {
  return filter.trim() === foundBy.trim();
}

/** Sessions that match the filter: the server's result, and until it arrives, the matches among the known sessions. */
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

/** The marked row stays on a row that exists. */
export const historySlice = slice("history", emptyHistory, (history) => ({
  ...history,
  selected: clampSelection(history.selected, shownSessions(history).length),
}));
