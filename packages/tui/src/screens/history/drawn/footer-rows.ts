import { escapeHint, fieldHint, tabHint } from "../../../keymap/field-keys.ts";
import { hints, type KeyLabels } from "../../../keymap/key-labels.ts";
import { type Row, row, sanitiseLine, span, stringWidth, style, truncateRow, wrapSpans } from "../../../text/index.ts";
import type { Role } from "../../../theme/theme.ts";
import { confirmText, unconfirmed } from "../../../widgets/confirm.ts";
import { formatCount } from "../../../widgets/list-slice.ts";
import { chosenSessions, currentEntry, type HistoryState, problemOf } from "../state.ts";

/** The rows below the list: a question, what happened, or the keys. A field being typed in stands above them. */
export function footerRows(history: HistoryState, keys: KeyLabels, columns: number): Row[] {
  const said = (text: string, role: Role): Row[] => wrapSpans([span(sanitiseLine(text), style({ fg: role }))], columns);
  const hint = (text: string): Row => truncateRow(row(span(text, style({ fg: "muted" }))), columns);
  if (history.asking) return said(questionText(history), "warning");
  const { renaming, exporting, working } = history;
  const problem = problemOf(history);
  const problems = problem === undefined ? [] : said(problem, "error");
  if (renaming) return [hint(fieldHint({ enter: "saves", leave: "cancels" })), ...problems];
  if (exporting) return [hint(exportHint(history, exporting.format)), ...problems];
  if (working !== undefined) return said(`${working} · ${escapeHint("stops after this one")}`, "muted");
  if (problem !== undefined) return problems;
  if (history.said !== undefined) return said(`${history.said}${takeBackText(history, keys)}`, "success");
  return [hint(fitting(keyHints(history, keys), columns))];
}

function exportHint(history: HistoryState, format: string): string {
  const { marked } = history;
  const count = marked.size === 0 ? [] : [formatCount(marked.size, "marked session")];
  return hints(...count, `Format: ${format}`, tabHint("changes it"), fieldHint({ enter: "exports", leave: "cancels" }));
}

function takeBackText({ putAway }: HistoryState, keys: KeyLabels): string {
  return putAway ? keys.tail("history.takeBack", "takes it back") : "";
}

function questionText(history: HistoryState): string {
  const chosen = chosenSessions(history);
  const entry = currentEntry(history);
  const one = sanitiseLine(entry?.session.name ?? "") || (entry?.session.sessionId ?? "");
  const what = history.marked.size > 0 ? formatCount(chosen.length, "marked session") : `"${one}"`;
  const [they, stay] = history.marked.size > 0 ? ["They", "stay"] : ["It", "stays"];
  const asking = history.asking ?? { ...unconfirmed, about: "delete" };
  if (asking.about === "archive")
    return confirmText(
      history.section === "archive" ? `Take ${what} out of the archive?` : `Archive ${what}?`,
      history.section === "archive" ? "Take out" : "Archive",
      asking,
    );
  if (history.section === "bin")
    return confirmText(`Delete ${what} for good? ${they} cannot be restored then.`, "Delete", asking);
  return confirmText(`Delete ${what}? ${they} ${stay} in the bin for 30 days.`, "Delete", asking);
}

/** The most useful first: what does not fit is left out, except the way back. */
function keyHints(history: HistoryState, keys: KeyLabels): string[] {
  const { marked, folder, section, reading, filter, importable } = history;
  const many = marked.size > 0 ? ` ${marked.size.toLocaleString("en")}` : "";
  if (reading)
    return [
      keys.hint("history.resume", "open"),
      keys.hint(["lists.up", "lists.down", "lists.pageUp", "lists.pageDown"], "scroll"),
      keys.hint("history.read", "list"),
    ];
  if (importable)
    return [
      keys.hint("history.resume", "import"),
      keys.hint("history.archived", "your sessions"),
      keys.hint("lists.close", filter === "" ? "back" : "clear the search"),
    ];
  const leave = filter !== "" ? "clear the search" : marked.size > 0 ? "unmark" : "back";
  if (section === "bin")
    return [
      keys.hint("history.resume", `restore${many}`),
      keys.hint("history.delete", `delete${many} for good`),
      keys.hint("history.everywhere", folder === undefined ? "this folder" : "all folders"),
      keys.hint("history.mark", "mark"),
      keys.hint("history.archived", "other programs"),
      keys.hint("lists.close", leave),
    ].filter((each) => each !== "");
  return [
    keys.hint("history.resume", "open"),
    keys.hint("history.everywhere", folder === undefined ? "this folder" : "all folders"),
    keys.hint("history.mark", "mark"),
    keys.hint("history.delete", `delete${many}`),
    keys.hint("history.archive", `${section === "archive" ? "unarchive" : "archive"}${many}`),
    keys.hint("history.rename", "rename"),
    keys.hint("history.export", `export${many}`),
    keys.hint("history.read", "read"),
    keys.hint("history.archived", section === "archive" ? "bin" : "archived"),
    keys.hint("lists.close", leave),
  ].filter((each) => each !== "");
}

function fitting(all: readonly string[], columns: number): string {
  const kept = [...all];
  while (kept.length > 2 && stringWidth(hints(...kept)) > columns) kept.splice(-2, 1);
  return hints(...kept);
}
