import { Box } from "ink";
import { fieldHint } from "../../keymap/field-keys.ts";
import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import { joinIntoLine, type Row, row, sanitise, sanitiseLine, span, style } from "../../text/index.ts";
import { withoutMarks } from "../../text/markdown/without-marks.ts";
import { ActiveScope } from "../../widgets/active-scope.tsx";
import { confirmText } from "../../widgets/confirm.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { ago, formatCount, listWindow } from "../../widgets/list-slice.ts";
import { noteRows } from "../../widgets/note-rows.ts";
import { Rows } from "../../widgets/rows.tsx";
import { NamedRow, Themed } from "../../widgets/themed.tsx";
import { useTimeOfDay, useView } from "../../widgets/use-window.ts";
import { type HistoryState, historySlice, isFound, selectedSession, shownSessions } from "./state.ts";

const USER = style({ fg: "user" });
const MUTED = style({ fg: "muted" });
/** From this width on, the preview is beside the list. */
const WIDE = 96;
/** Rows that are neither list nor preview. */
const OTHER_ROWS = 8;
const TITLE = [span("Title: ", style({ fg: "accent" }))];

type ListProps = { readonly history: HistoryState; readonly rows: number };

function emptyText(history: HistoryState): string {
  if (!isFound(history) && !history.problem) return "Searching…";
  return history.filter === "" ? "No sessions are stored yet." : "No session matches the filter.";
}

function Sessions({ history, rows }: ListProps) {
  const nowMs = useTimeOfDay();
  const sessions = shownSessions(history);
  if (!history.sessions) return <Themed tone="muted">Loading the sessions…</Themed>;
  if (sessions.length === 0) return <Themed tone="muted">{emptyText(history)}</Themed>;
  const { from, to } = listWindow(history.selected, sessions.length, rows);
  return (
    <Box flexDirection="column">
      {sessions.slice(from, to).map((each, at) => {
        const agents = each.subagents > 0 ? ` · ${formatCount(each.subagents, "agent")}` : "";
        return (
          <NamedRow
            key={each.sessionId}
            marked={from + at === history.selected}
            end={`${formatCount(each.turns, "turn")}${agents} · ${ago(each.updatedAt, nowMs)}`}
          >
            {sanitiseLine(each.title ?? each.preview) || each.sessionId}
          </NamedRow>
        );
      })}
    </Box>
  );
}

function messageRow({ who, text }: { readonly who: "user" | "agent"; readonly text: string }): Row {
  const shown = sanitise(text);
  if (who === "user") return row(span(`> ${joinIntoLine(shown.trim(), " ⏎ ")}`, USER));
  return row(span(`  ${joinIntoLine(withoutMarks(shown).trim(), " ⏎ ")}`));
}

function PreviewPane({ history, rows }: { readonly history: HistoryState; readonly rows: number }) {
  const session = selectedSession(history);
  if (!session) return null;
  const lines = history.preview?.sessionId === session.sessionId ? history.preview.lines : undefined;
  const head = [
    `${session.sessionId}`,
    sanitiseLine(session.cwd),
    ...(session.model ? [sanitiseLine(session.model)] : []),
    ...(session.parent ? [`${session.parent.seq > 0 ? "fork of" : "follows"} ${session.parent.sessionId}`] : []),
  ];
  const room = Math.max(2, rows - head.length - 1);
  const shown = !lines || lines.length <= room ? (lines ?? []) : [...lines.slice(0, 1), ...lines.slice(1 - room)];
  return (
    <Box flexDirection="column" flexGrow={1} overflow="hidden">
      {head.map((each) => (
        <Themed key={each} tone="muted">
          {each}
        </Themed>
      ))}
      {session.damage ? <Themed tone="warning">{sanitiseLine(session.damage)}</Themed> : null}
      <Box height={1} />
      <Rows rows={shown.map(messageRow)} />
    </Box>
  );
}

type FooterProps = { readonly history: HistoryState; readonly keys: KeyLabels };

function Problem({ text }: { readonly text: string }) {
  return (
    <Themed tone="error" wrap="wrap">
      {sanitiseLine(text)}
    </Themed>
  );
}

function Footer({ history, keys }: FooterProps) {
  const session = selectedSession(history);
  if (history.renaming) {
    return (
      <>
        <LineField label={TITLE} text={history.renaming.text} />
        <Themed tone="muted">{fieldHint({ enter: "saves", leave: "cancels" })}</Themed>
        {history.problem ? <Problem text={history.problem} /> : null}
      </>
    );
  }
  if (history.asking && session) {
    return (
      <Themed tone="warning" wrap="wrap">
        {confirmText(
          `Delete "${sanitiseLine(session.title ?? session.preview) || session.sessionId}" from disk?`,
          "Delete",
          history.asking,
        )}
      </Themed>
    );
  }
  if (history.problem) return <Problem text={history.problem} />;
  return (
    <Themed tone="muted">
      {history.filtering
        ? hints("Type to filter", fieldHint({ enter: "keeps it", leave: "ends it" }))
        : hints(
            keys.hint("history.resume", "open"),
            keys.hint("history.filter", "filter"),
            keys.hint("history.rename", "rename"),
            keys.hint("history.delete", "delete"),
            keys.hint("lists.close", "back"),
          )}
    </Themed>
  );
}

/** The stored sessions with a preview of the marked one. */
export function HistoryView() {
  const view = useView();
  const { size } = view;
  const history = historySlice.of(view);
  const isWide = size.columns >= WIDE;
  const room = Math.max(4, size.rows - OTHER_ROWS);
  const listRows = isWide ? room : Math.ceil(room / 2);
  const count = isFound(history) ? history.total : shownSessions(history).length;
  const filter = history.filtering || history.filter !== "" ? "  filter: " : "";
  const label = [span("History", style({ bold: true })), span(`  ${formatCount(count, "session")}${filter}`, MUTED)];
  return (
    <Box flexDirection="column" flexGrow={1} overflow="hidden">
      <ActiveScope name="history" />
      <Box flexDirection="column" paddingX={1}>
        {history.filtering && !history.asking ? (
          <LineField label={label} text={history.filter} />
        ) : (
          <Rows rows={[row(...label, span(sanitiseLine(history.filter), MUTED))]} />
        )}
      </Box>
      <Box flexGrow={1} flexDirection={isWide ? "row" : "column"} paddingX={1} paddingTop={1} overflow="hidden">
        <Box
          width={isWide ? Math.floor(size.columns / 2) : size.columns - 2}
          height={listRows}
          flexShrink={0}
          overflow="hidden"
          flexDirection="column"
        >
          <Sessions history={history} rows={listRows} />
        </Box>
        <Box flexGrow={1} paddingLeft={isWide ? 3 : 0} paddingTop={isWide ? 0 : 1} overflow="hidden">
          <PreviewPane history={history} rows={isWide ? room : room - listRows - 1} />
        </Box>
      </Box>
      <Rows rows={noteRows({ ...view, notes: [] })} />
      <Box paddingX={1} flexDirection="column">
        <Footer history={history} keys={view.keys} />
      </Box>
    </Box>
  );
}
