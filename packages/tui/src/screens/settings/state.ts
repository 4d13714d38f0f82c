import type { SettingView, TakesEffect } from "@harness/protocol";
import type { TextBuffer } from "../../input/index.ts";
import { slice } from "../../state/slice.ts";
import type { Store } from "../../state/store.ts";
import { clampSelection } from "../../widgets/list-slice.ts";
import { emptyKeys, type KeysState } from "./credentials-state.ts";
import { type SettingsEntry, shownEntries } from "./entries.ts";

/** `editing`: the text of the selected row being typed. `error`: why the server refused the last value. */
export type SettingsState = {
  readonly views: readonly SettingView[] | undefined;
  readonly path: string;
  readonly version: string;
  readonly problems: readonly string[];
  /** An index into the rows that match the filter. */
  readonly selected: number;
  readonly filter: string;
  readonly editing: TextBuffer | undefined;
  readonly saving: boolean;
  readonly error: { readonly key: string; readonly text: string } | undefined;
  readonly saved: string | undefined;
};

export const emptySettings: SettingsState = {
  views: undefined,
  path: "",
  version: "",
  problems: [],
  selected: 0,
  filter: "",
  editing: undefined,
  saving: false,
  error: undefined,
  saved: undefined,
};

export type SettingsScreenState = { readonly settings: SettingsState; readonly keys: KeysState };

/** Keeps the mark on an existing row. */
export const settingsSlice = slice<SettingsScreenState>(
  "settings",
  { settings: emptySettings, keys: emptyKeys },
  ({ settings, keys }) => ({
    settings: { ...settings, selected: clampSelection(settings.selected, shownEntries({ settings, keys }).length) },
    keys,
  }),
);

/** The marked row; undefined if no row matches the filter. */
export function selectedEntry(state: SettingsScreenState): SettingsEntry | undefined {
  return shownEntries(state)[state.settings.selected];
}

/** The value after (1) or before (-1) the current one of a choice or a yes/no; undefined if there are no choices. */
export function cycled(view: SettingView, by: -1 | 1): unknown {
  if (view.type === "boolean") return view.value !== true;
  const { choices } = view;
  if (view.type !== "choice" || !choices || choices.length === 0) return undefined;
  const at = choices.indexOf(String(view.value ?? ""));
  return choices[(Math.max(0, at) + by + choices.length) % choices.length];
}

/** The value of a typed text. This only separates numbers from texts; the server validates. */
export function parsedValue(view: SettingView, text: string): { value: unknown } | { problem: string } {
  if (view.type !== "number") return { value: text };
  const plain = text.trim().replace(/[_,]/g, "");
  // An empty number means that the setting is not set.
  if (plain === "") return { value: null };
  const value = Number(plain);
  return Number.isFinite(value)
    ? { value }
    : { problem: `"${text.trim()}" is not a number. Type digits only, or nothing for the default.` };
}

/** The effective value; undefined until the settings have been read. */
export function settingValue({ views }: SettingsState, key: string): unknown {
  return views?.find((view) => view.key === key)?.value;
}

/** Words that follow the name of a setting and say when a change takes effect in open sessions. */
export const effectWords: Record<TakesEffect, string> = {
  now: "takes effect at once",
  "next request": "takes effect with the next request",
  "new sessions": "takes effect in new sessions, not in those that are open",
  "new windows": "takes effect with the next window",
};

/** Filters the rows by these words. */
export function filterSettings(store: Store, filter: string): void {
  const { settings } = settingsSlice.of(store.get());
  settingsSlice.change(store, { settings: { ...settings, filter, selected: 0 } });
}
