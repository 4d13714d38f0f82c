import { formatList, type ProviderView, type SettingView } from "@harness/protocol";
import { slice } from "../../state/slice.ts";
import type { Store } from "../../state/store.ts";
import { within } from "../../widgets/list-slice.ts";
import { emptyKeys, type KeysState } from "./credentials-state.ts";

/** `editing`: the text of the selected row being typed. `error`: why the server refused the last value. */
export type SettingsState = {
  readonly views: readonly SettingView[] | undefined;
  readonly path: string;
  readonly version: string;
  readonly problems: readonly string[];
  readonly selected: number;
  readonly editing: string | undefined;
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
  editing: undefined,
  saving: false,
  error: undefined,
  saved: undefined,
};

export type SettingsScreenState = { readonly settings: SettingsState; readonly keys: KeysState };

/** The marked row stays on a row that exists. */
export const settingsSlice = slice<SettingsScreenState>(
  "settings",
  { settings: emptySettings, keys: emptyKeys },
  ({ settings, keys }) => ({
    settings: { ...settings, selected: within(settings.selected, settingsCount({ settings, keys })) },
    keys,
  }),
);

/** The text field of the value being typed holds another text. */
export function changeEdited(store: Store, editing: string): void {
  const { settings } = settingsSlice.of(store.get());
  if (settings.editing === undefined) return;
  settingsSlice.change(store, { settings: { ...settings, editing, error: undefined } });
}

/** Rows of the Settings screen: the settings, then the providers. */
export function settingsCount({ settings, keys }: SettingsScreenState): number {
  return (settings.views?.length ?? 0) + (keys.providers?.length ?? 0);
}

/** The provider whose row is marked; undefined while a setting is. */
export function selectedProvider({ settings, keys }: SettingsScreenState): ProviderView | undefined {
  return keys.providers?.[settings.selected - (settings.views?.length ?? 0)];
}

/** How a value reads on screen. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "(not set)";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (isList(value)) return formatList(value) || "(none)";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The text to start editing from: for a list that a project extends, only the user's own entries. */
export function editableText(view: SettingView): string {
  const value = view.own === undefined ? view.value : view.own;
  if (value === null || value === undefined) return "";
  return isList(value) ? formatList(value) : String(value);
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** The value after (1) or before (-1) the current one of a choice or a yes/no; undefined where there is none to cycle. */
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
  // An empty number is "as if not set".
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
