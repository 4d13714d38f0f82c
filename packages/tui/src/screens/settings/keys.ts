import type { ProviderView, SettingView } from "@harness/protocol";
import type { KeyEvent } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import type { Scope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { ScreenHost } from "../screen.ts";
import type { CredentialController } from "./credential-controller.ts";
import type { SettingsController } from "./settings-controller.ts";
import { editableText, selectedProvider, settingsCount, settingsSlice } from "./state.ts";

export const settingsKeys = keyTable("settings", [
  { id: "edit", keys: ["enter"], doc: "Type another value; Enter saves it, Esc cancels" },
  { id: "previous", keys: ["left", "h"], doc: "The choice before; saved at once" },
  { id: "next", keys: ["right", "l", "space"], doc: "The next choice; saved at once" },
  { id: "reset", keys: ["backspace", "delete", "d"], doc: "Back to the default" },
]);

export const credentialKeys = keyTable("settings: providers", [
  { id: "setKey", keys: ["enter"], doc: "Type the provider's key, which is not shown; Enter stores it" },
  { id: "login", keys: ["l"], doc: "Log in in a browser, where the provider has that" },
  { id: "remove", keys: ["d", "delete", "backspace"], doc: "Remove the stored key or login, after a question" },
]);

/** A key, login or value that is being typed has the keyboard; else the list. */
export function settingsScope(
  { store, window }: ScreenHost,
  settings: SettingsController,
  credentials: CredentialController,
): Scope {
  function takeSettingKey(key: KeyEvent, view: SettingView): void {
    const action = settingsKeys.idOf(key);
    if (action === "reset") void settings.save(view, null);
    else if (action === "previous") settings.cycle(view, -1);
    else if (action === "next") settings.cycle(view, 1);
    else if (action === "edit" && !settings.cycle(view, 1))
      settings.change({ editing: editableText(view), error: undefined, saved: undefined });
  }

  function takeCredentialKey(key: KeyEvent, provider: ProviderView): void {
    const action = credentialKeys.idOf(key);
    if (action === "setKey") credentials.begin(provider);
    else if (action === "login") credentials.login(provider);
    else if (action === "remove") credentials.askToRemove(provider);
  }

  function takeListKey(key: KeyEvent, view: SettingView | undefined): void {
    const state = settingsSlice.of(store.get());
    const moved = listMoved(key, state.settings.selected, settingsCount(state));
    const provider = selectedProvider(state);
    if (moved !== undefined) settings.change({ selected: moved, error: undefined, saved: undefined });
    else if (listKeys.idOf(key) === "close") window.back();
    else if (view) takeSettingKey(key, view);
    else if (provider) takeCredentialKey(key, provider);
  }

  return (event) => {
    const state = settingsSlice.of(store.get());
    const view = state.settings.views?.[state.settings.selected];
    if (event.type !== "key" && event.type !== "paste") return true;
    if (credentials.take(event)) return true;
    if (state.settings.editing !== undefined && view) settings.take(event, view);
    else if (event.type === "key") takeListKey(event, view);
    return true;
  };
}
