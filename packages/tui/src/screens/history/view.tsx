import { Box } from "ink";
import { EMPTY_ROW, type Row, row, type Span, sanitiseLine, span, style } from "../../text/index.ts";
import { ActiveScope } from "../../widgets/active-scope.tsx";
import { spread } from "../../widgets/boxes.ts";
import { LineField } from "../../widgets/line-field.tsx";
import { formatCount } from "../../widgets/list-slice.ts";
import { PaintedRows, Rows } from "../../widgets/rows.tsx";
import { useTimeOfDay, useView } from "../../widgets/use-window.ts";
import { type HistoryLayout, historyLayout } from "./drawn/layout.ts";
import { beyond, sessionListRows } from "./drawn/list-rows.ts";
import { shownPreview } from "./drawn/preview-rows.ts";
import { askedOf, type HistoryState, historySlice, isFound, isSearching, listedEntries, problemOf } from "./state.ts";
import { isFullText, type SessionSection } from "./stored/asked-sessions.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const LABEL = style({ fg: "accent" });
const MARK = style({ fg: "success" });
const TITLE = [span("History  ", BOLD)];
const TITLE_FIELD = [span("Title: ", LABEL)];

type Part = { readonly history: HistoryState; readonly layout: HistoryLayout };

/** The stored sessions, or what a search finds in them, with a preview of the selected one. */
export function HistoryView() {
  const view = useView();
  const history = historySlice.of(view);
  const layout = historyLayout(history, view, view.keys);
  const columns = view.size.columns - 2;
  return (
    <Box flexDirection="column" flexGrow={1} overflow="hidden">
      <ActiveScope name="history" />
      <Box flexDirection="column" paddingX={1} flexShrink={0}>
        <Search history={history} />
        <Rows rows={[statusRow(history, layout, columns)]} />
      </Box>
      <Box height={layout.gap} flexShrink={0} />
      <Body history={history} layout={layout} />
      <Box height={layout.gap} flexShrink={0} />
      <Rows rows={layout.notes} />
      <Box flexDirection="column" paddingX={1} flexShrink={0}>
        <TypedField history={history} />
        <Rows rows={layout.footer} />
      </Box>
    </Box>
  );
}

/** The words of the search. Their field has the cursor until the list is moved. */
function Search({ history }: { readonly history: HistoryState }) {
  const { filter, typing, renaming, exporting, asking, reading } = history;
  const isBusy = renaming !== undefined || exporting !== undefined || asking !== undefined || reading;
  if (!isBusy && (typing || filter === ""))
    return <LineField label={TITLE} text={filter} placeholder="type to search everything said" />;
  return <Rows rows={[row(...TITLE, span(sanitiseLine(filter)))]} />;
}

function TypedField({ history: { renaming, exporting } }: Pick<Part, "history">) {
  if (renaming) return <LineField key="title" label={TITLE_FIELD} text={renaming.text} />;
  if (exporting) return <LineField key="export" label={[span("Folder: ", LABEL)]} text={exporting.folder.text} />;
  return null;
}

function Body({ history, layout }: Part) {
  const { isWide, list, preview } = layout;
  return (
    <Box flexDirection={isWide ? "row" : "column"} paddingX={1} flexGrow={1} overflow="hidden">
      {history.reading ? null : <List history={history} layout={layout} />}
      {preview.rows > 0 ? (
        <Box flexDirection="column" flexShrink={0} paddingLeft={isWide && !history.reading ? 3 : 0}>
          {isWide || history.reading ? null : <Box height={1} />}
          <PaintedRows
            height={preview.rows}
            width={preview.columns}
            paint={() => ({ rows: shownPreview(history, preview.columns, preview.rows) })}
          />
        </Box>
      ) : null}
      {list.rows < 0 ? null : <Box flexGrow={1} />}
    </Box>
  );
}

function List({ history, layout: { list } }: Part) {
  const nowMs = useTimeOfDay();
  const isEmpty = listedEntries(history).length === 0;
  const rows = isEmpty
    ? [row(span(emptyText(history), MUTED)), ...Array.from({ length: list.rows - 1 }, () => EMPTY_ROW)]
    : sessionListRows(history, { ...list, nowMs });
  return <PaintedRows name="list" height={list.rows} width={list.columns} paint={() => ({ rows })} />;
}

function emptyText(history: HistoryState): string {
  const { sessions, folder, section, filter, importable } = history;
  if (importable && !importable.isRead) return "Looking for sessions of other programs…";
  if (importable) return filter === "" ? "There are no sessions of other programs." : "Nothing was found.";
  const problem = problemOf(history);
  if (!sessions && !problem) return "Loading the sessions…";
  if (!problem && (!isFound(history) || isSearching(history))) return "Searching…";
  const where = folder === undefined ? "" : " in this folder";
  if (filter !== "") return `Nothing was found${where}.`;
  if (section === "bin") return folder === undefined ? "The bin is empty." : "No session of this folder is in the bin.";
  return section === "archive" ? `No session is archived${where}.` : `No sessions are stored${where} yet.`;
}

/** Which sessions the list shows, how many, and how many are out of view. */
function statusRow(history: HistoryState, { list }: HistoryLayout, columns: number): Row {
  const { marked, reading } = history;
  const { above, below } = reading || list.rows === 0 ? { above: 0, below: 0 } : beyond(history, list.rows);
  const more = [
    ...(above > 0 ? [`↑ ${above.toLocaleString("en")}`] : []),
    ...(below > 0 ? [`↓ ${below.toLocaleString("en")} more`] : []),
  ];
  const left: Span[] = [
    ...(marked.size > 0 ? [span(`✓ ${marked.size.toLocaleString("en")} marked`, MARK), span(" · ", MUTED)] : []),
    span(filtersText(history), MUTED),
  ];
  return spread(left, more.length > 0 ? [span(`  ${more.join("  ")}`, MUTED)] : [], columns);
}

const SECTION_WORDS: Readonly<Record<SessionSection, readonly string[]>> = {
  current: [],
  archive: ["archived"],
  bin: ["bin"],
};

function filtersText(history: HistoryState): string {
  const { folder, section, passages, total, sessions, importable } = history;
  if (importable) return `other programs · ${formatCount(listedEntries(history).length, "session")}`;
  const asked = askedOf(history);
  const { model, since } = asked;
  const isDone = isFullText(asked) ? !isSearching(history) : isFound(history) && sessions !== undefined;
  const count = isFullText(asked) ? passagesText(passages) : formatCount(total, "session");
  return [
    folder === undefined ? "all folders" : "this folder",
    ...SECTION_WORDS[section],
    ...(model === undefined ? [] : [`model ${sanitiseLine(model)}`]),
    ...(since === undefined ? [] : [`since ${sanitiseLine(since)}`]),
    isDone ? count : searchingText(history),
  ].join(" · ");
}

function passagesText(passages: HistoryState["passages"]): string {
  const { count, hits } = passages ?? { count: 0, hits: [] };
  if (count === 0) return "no passages";
  return count > hits.length
    ? `best ${hits.length} of ${formatCount(count, "passage")}`
    : formatCount(count, "passage");
}

function searchingText({ passages }: HistoryState): string {
  const pending = passages?.pending ?? 0;
  return pending > 0 ? `searching, ${formatCount(pending, "session")} left` : "searching…";
}
