import type { SessionSummary } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";
import { slice } from "../../state/slice.ts";
import { within } from "../../widgets/list-slice.ts";

/** First and last messages of a session, as plain lines. */
export type Preview = {
  readonly sessionId: string;
  readonly lines: readonly { readonly who: "user" | "agent"; readonly text: string }[];
};

/** `asking`: a delete waits for its yes. `renaming`: the new title being typed. */
export type HistoryState = {
  readonly sessions: readonly SessionSummary[] | undefined;
  readonly filter: string;
  readonly filtering: boolean;
  readonly selected: number;
  readonly preview: Preview | undefined;
  readonly asking: boolean;
  readonly renaming: TextBuffer | undefined;
  readonly problem: string | undefined;
};

export const emptyHistory: HistoryState = {
  sessions: undefined,
  filter: "",
  filtering: false,
  selected: 0,
  preview: undefined,
  asking: false,
  renaming: undefined,
  problem: undefined,
};

/** Sessions that match the filter: all its words, anywhere in what a row shows. */
export function shownSessions({ sessions, filter }: HistoryState): readonly SessionSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (!sessions || words.length === 0) return sessions ?? [];
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
  selected: within(history.selected, shownSessions(history).length),
}));
