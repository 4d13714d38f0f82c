import type { SessionSummary } from "@harness/protocol";
import { type Row, row, type Span, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";
import { withoutMarks } from "../../text/markdown/without-marks.ts";
import { listMarker as markedSpan, spread } from "../../widgets/boxes.ts";
import { ago, listWindow } from "../../widgets/list-slice.ts";
import { countSpans } from "./fact-rows.ts";

const MUTED = style({ fg: "muted" });
/** If fewer sessions than this would fit, the answers are left out. */
const MIN_SHOWN = 3;

export type SessionList = {
  readonly recent: readonly SessionSummary[];
  readonly marked: number | undefined;
  readonly openId: string | undefined;
};

/** The recent sessions in at most this many rows, each with its last answer if there is room. */
export function sessionRows(
  { recent, marked, openId }: SessionList,
  { columns, height, nowMs }: { columns: number; height: number; nowMs: number },
): Row[] {
  const hasAnswers = recent.some(({ answer }) => answer !== undefined);
  const each = hasAnswers && height >= 2 * Math.min(MIN_SHOWN, recent.length) ? 2 : 1;
  const { from, to } = listWindow(marked ?? 0, recent.length, Math.floor(height / each));
  return recent.slice(from, to).flatMap((session, at) => {
    const name = markedSpan(nameOf(session), { isMarked: from + at === marked });
    const end = endOf(session, { isOpen: session.sessionId === openId, nowMs });
    const first = spread([name], end, columns);
    if (each === 1 || session.answer === undefined) return [first];
    return [first, truncateRow(row(span(`    ${withoutMarks(sanitiseLine(session.answer))}`, MUTED)), columns)];
  });
}

function nameOf({ title, preview, sessionId }: SessionSummary): string {
  return sanitiseLine(title ?? preview) || sessionId;
}

/** The number of rows that the list takes if there is room for all of it. */
export function wantedRows(recent: readonly SessionSummary[]): number {
  return recent.length + recent.filter(({ answer }) => answer !== undefined).length;
}

/** The session's origin, its changes, and when it was last used. */
function endOf(
  { client, changes, updatedAt }: SessionSummary,
  { isOpen, nowMs }: { isOpen: boolean; nowMs: number },
): Span[] {
  const isScript = client !== undefined && client !== "window";
  const words = [...(isOpen ? ["open"] : []), ...(isScript ? ["script"] : [])].map((word) => ` ${word} ·`).join("");
  // The next part begins with its own blank.
  const counts = changes && changes.added + changes.removed > 0 ? [...countSpans(changes), span(" ·", MUTED)] : [];
  return [span(` ${words}`, MUTED), ...counts, span(` ${ago(updatedAt, nowMs)}`, MUTED)];
}
