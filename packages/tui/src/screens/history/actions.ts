import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { historyKeys } from "../../keymap/screen-keys.ts";
import { sanitiseLine } from "../../text/index.ts";
import { unconfirmed } from "../../widgets/confirm.ts";
import type { ScreenHost } from "../screen.ts";
import type { HistoryController } from "./history-controller.ts";
import { currentEntry, type HistoryState, listedEntries } from "./state.ts";
import type { HistoryEntry } from "./stored/entries.ts";

type Action = NonNullable<ReturnType<typeof historyKeys.idOf>>;
type Act = (state: HistoryState, entry: HistoryEntry | undefined) => void;

/** Removes the words about the last action, and the cursor of the search. */
const OVER = { problem: undefined, said: undefined, typing: false } as const;

/** The actions on sessions of other programs. */
const IMPORTING: ReadonlySet<Action> = new Set(["resume", "archived", "read", "scrollUp", "scrollDown"]);
/** Those that need a session that is not in the bin. */
const NOT_IN_BIN: ReadonlySet<Action> = new Set(["rename", "export"]);
/** With more sessions than this, the archive asks first, too. */
const MANY = 20;

/** Does what the key of an action stands for; returns false for other keys. */
export function historyActions(
  { store }: Pick<ScreenHost, "store">,
  history: HistoryController,
): (event: InputEvent, state: HistoryState) => boolean {
  const change = (changes: Partial<HistoryState>): void => history.change(changes);
  const acts: Readonly<Record<Action, Act>> = {
    resume: (_, entry) => entry && void history.open(entry),
    everywhere: ({ folder }) => history.ask({ folder: folder === undefined ? store.get().cwd : undefined }),
    archived({ section, importable }) {
      if (importable) history.ask({ importable: undefined, section: "current", filter: "" });
      else if (section === "bin") history.showImportable();
      else history.ask({ section: section === "current" ? "archive" : "bin" });
    },
    mark(state, entry) {
      if (!entry) return;
      history.mark(entry.session);
      if (state.selected + 1 < listedEntries(state).length) history.select(state.selected + 1);
    },
    markAll: () => void history.markAll(),
    fold: () => history.fold(),
    unfold: () => history.unfold(),
    read: ({ reading }, entry) => entry && change({ reading: !reading, typing: false }),
    scrollUp: () => history.preview.scroll(-1),
    scrollDown: () => history.preview.scroll(1),
    rename: (_, entry) => entry && change({ renaming: TextBuffer.of(sanitiseLine(entry.session.name)), ...OVER }),
    archive(state) {
      if (state.section === "bin") void history.acts.restore();
      else if (state.marked.size > MANY) change({ asking: { ...unconfirmed, about: "archive" }, ...OVER });
      else void history.acts.archive();
    },
    export: (_, entry) => entry && change({ exporting: { folder: TextBuffer.of("."), format: "md" }, ...OVER }),
    delete: (_, entry) => entry && change({ asking: { ...unconfirmed, about: "delete" }, ...OVER }),
    takeBack: () => void history.acts.takeBack(),
  };
  return (event, state) => {
    const action = historyKeys.idOf(event);
    const isOff =
      action && (state.importable ? !IMPORTING.has(action) : state.section === "bin" && NOT_IN_BIN.has(action));
    if (action && !isOff) acts[action](state, currentEntry(state));
    return action !== undefined;
  };
}
