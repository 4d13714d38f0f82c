import type { TranscriptView } from "../render/transcript/index.ts";
import type { AppState } from "../state/app-state.ts";
import { messageOf } from "../state/composer.ts";
import { runningCommands } from "../state/selectors.ts";
import { sanitise, sanitiseLine } from "../text/index.ts";
import { textOfRow } from "../text/style.ts";

export type LastScreens = {
  readonly transcript: Pick<TranscriptView, "mark" | "toEnd" | "resize" | "rows">;
  readonly count: number;
};

/** The end of the conversation as plain lines, at most this many screens, for a closing window. */
export function lastScreens(
  { size, session }: Pick<AppState, "size" | "session">,
  { transcript, count }: LastScreens,
): string[] {
  if (count === 0 || !session) return [];
  transcript.mark("");
  transcript.toEnd();
  transcript.resize(size.columns, size.rows * count);
  const lines = transcript.rows().map((row) => textOfRow(row).trimEnd());
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first < 0 ? [] : [...lines.slice(first, last + 1), ""];
}

/** Lines for the shell: unsent messages, and how to continue. */
export function farewell({ session, outgoing, composer, goesOn }: AppState): string[] {
  const unsent = [...outgoing.map(({ text }) => text), messageOf(composer)].filter((text) => text.trim() !== "");
  const id = session?.sessionId;
  if (id !== undefined && goesOn)
    return [
      ...unsent.map(notSent),
      `Session ${id} goes on. Look at it: harness attach ${id}; end it: harness stop ${id}`,
    ];
  const ended = runningCommands({ session }).map(({ command }) => sanitiseLine(command));
  return [
    ...unsent.map(notSent),
    ...(ended.length > 0 ? [`Ended, as it ran in the background: ${ended.join("; ")}`] : []),
    ...(id === undefined ? [] : [`Session ${id}. Continue with: harness -r ${id}`]),
  ];
}

function notSent(text: string): string {
  return `Not sent: ${sanitise(text)}`;
}
