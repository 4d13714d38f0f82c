import { type ProviderView, SettingGroup, type SettingView } from "@harness/protocol";
import type { KeysState } from "./credentials-state.ts";

/** A row of the Settings screen that can be marked: a setting, or the key or login of a provider. */
export type SettingsEntry =
  | { readonly kind: "setting"; readonly group: SettingGroup; readonly view: SettingView }
  | { readonly kind: "provider"; readonly group: SettingGroup; readonly provider: ProviderView };

type EntrySources = {
  readonly settings: { readonly views: readonly SettingView[] | undefined; readonly filter: string };
  readonly keys: Pick<KeysState, "providers">;
};

/** Settings and providers by group; with a filter, those that contain all of its words. */
export function shownEntries({
  settings: { views = [], filter },
  keys: { providers = [] },
}: EntrySources): SettingsEntry[] {
  const entries: SettingsEntry[] = [
    ...views.map((view) => ({ kind: "setting" as const, group: view.group, view })),
    ...providers.map((provider) => ({ kind: "provider" as const, group: "Keys and logins" as const, provider })),
  ];
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter((entry) => words.every((word) => searched(entry).includes(word)));
  return SettingGroup.options.flatMap((group) => found.filter((entry) => entry.group === group));
}

/** The text that a filter searches: everything in the row and its detail, except values. */
function searched(entry: SettingsEntry): string {
  const texts =
    entry.kind === "setting"
      ? [entry.view.title, entry.view.key, entry.view.doc, ...(entry.view.choices ?? [])]
      : [entry.provider.name, entry.provider.id];
  return [entry.group, ...texts].join(" ").toLowerCase();
}
