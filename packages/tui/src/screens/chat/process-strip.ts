import { elapsed } from "../../figures/elapsed.ts";
import type { AppState } from "../../state/app-state.ts";
import { runningCommands } from "../../state/selectors.ts";
import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";

const MARK = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });

/** One row about the background commands: how many, and the one that was started last. */
export function processStrip({ session, size }: Pick<AppState, "session" | "size">, nowMs: number): Row | undefined {
  const running = runningCommands({ session });
  const newest = running.at(-1);
  if (!newest) return undefined;
  const { columns } = size;
  const count = running.length === 1 ? "1 command" : `${running.length} commands`;
  const end = ` · ${elapsed(nowMs - Date.parse(newest.startedAt))} · /ps shows ${running.length === 1 ? "it" : "them"}`;
  const text = row(
    span(" ▹ ", MARK),
    span(`${count} in the background`),
    span(` · ${sanitiseLine(newest.processId)}: ${sanitiseLine(newest.command)}`, MUTED),
  );
  const body = truncateRow(text, Math.max(10, columns - end.length));
  return truncateRow(row(...body.spans, span(end, MUTED)), columns);
}
