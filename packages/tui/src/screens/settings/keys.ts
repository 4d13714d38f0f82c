import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { credentialKeys, settingsKeys } from "../../keymap/screen-keys.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { sanitiseLine } from "../../text/index.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { ScreenHost } from "../screen.ts";
import type { CredentialController } from "./credential-controller.ts";
import { type SettingsEntry, shownEntries } from "./entries.ts";
import type { SettingsController } from "./settings-controller.ts";
import { type SettingsScreenState, selectedEntry, settingsSlice } from "./state.ts";

function isListKey(key: KeyEvent): boolean {
  return [listKeys, settingsKeys, credentialKeys].some((table) => table.idOf(key) !== undefined);
}

/** A key, login or value being typed has the keyboard; otherwise the list does, and letters filter it. */
export function settingsScope(
  { store, window, lines }: ScreenHost,
  settings: SettingsController,
  credentials: CredentialController,
): KeyScope {
  function takeEntryKey(key: KeyEvent, entry: SettingsEntry): void {
    if (entry.kind === "provider") {
      const action = credentialKeys.idOf(key);
      if (action === "begin") credentials.begin(entry.provider);
      else if (action === "remove") credentials.askToRemove(entry.provider);
      return;
    }
    const { view } = entry;
    const action = settingsKeys.idOf(key);
    if (action === "reset") void settings.save(view, null);
    else if (action === "previous") settings.cycle(view, -1);
    else if (action === "next") settings.cycle(view, 1);
    else if (action === "edit" && !settings.cycle(view, 1)) settings.edit(view);
  }

  function filter(event: InputEvent, { settings: { filter } }: SettingsScreenState): boolean {
    if (event.type === "key" && event.text === "" && isListKey(event)) return false;
    const next = lines.edit(TextBuffer.of(filter), event)?.text;
    if (next === undefined) return false;
    if (next !== filter) settings.filter(sanitiseLine(next).trimStart());
    return true;
  }

  function takeListEvent(event: InputEvent, state: SettingsScreenState): void {
    if (lines.keepsOpen(TextBuffer.of(state.settings.filter), event)) return;
    if (filter(event, state) || event.type !== "key") return;
    const { selected, filter: words } = state.settings;
    const moved = listMoved(event, selected, shownEntries(state).length);
    const entry = selectedEntry(state);
    if (moved !== undefined) settings.change({ selected: moved, error: undefined, saved: undefined });
    else if (settingsKeys.idOf(event) !== "clear") {
      if (entry) takeEntryKey(event, entry);
    } else if (words === "") window.back();
    else settings.filter("");
  }

  return (event) => {
    const state = settingsSlice.of(store.get());
    if (event.type !== "key" && event.type !== "paste") return true;
    if (credentials.take(event)) return true;
    const entry = selectedEntry(state);
    if (state.settings.editing && entry?.kind === "setting") settings.take(event, entry.view, state.settings.editing);
    else takeListEvent(event, state);
    return true;
  };
}
