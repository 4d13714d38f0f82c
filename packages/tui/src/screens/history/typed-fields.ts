import type { InputEvent, TextBuffer } from "../../input/index.ts";
import type { LineEditor } from "../../input/line-editor.ts";
import type { HistoryController } from "./history-controller.ts";
import type { HistoryState } from "./state.ts";
import { type ExportForm, nextFormat } from "./stored/export-form.ts";

/** Gives the keys to the title or the folder that is being typed; returns false if there is none. */
export function typedFields(
  lines: LineEditor,
  history: HistoryController,
): (event: InputEvent, state: HistoryState) => boolean {
  function takeTitle(event: InputEvent, title: TextBuffer): void {
    if (lines.keepsOpen(title, event)) return;
    const name = event.type === "key" ? event.name : "";
    if (name === "escape") history.change({ renaming: undefined, problem: undefined });
    else if (name === "enter") void history.saveTitle(title.text.trim());
    else {
      const next = lines.edit(title, event);
      if (next) history.change({ renaming: next, problem: undefined });
    }
  }

  function takeExport(event: InputEvent, exporting: ExportForm): void {
    if (lines.keepsOpen(exporting.folder, event)) return;
    const name = event.type === "key" ? event.name : "";
    if (name === "escape") history.change({ exporting: undefined });
    else if (name === "enter") history.export();
    else if (name === "tab") history.change({ exporting: { ...exporting, format: nextFormat(exporting.format) } });
    else {
      const folder = lines.edit(exporting.folder, event);
      if (folder) history.change({ exporting: { ...exporting, folder } });
    }
  }

  return (event, { renaming, exporting }) => {
    if (renaming) takeTitle(event, renaming);
    else if (exporting) takeExport(event, exporting);
    return renaming !== undefined || exporting !== undefined;
  };
}
