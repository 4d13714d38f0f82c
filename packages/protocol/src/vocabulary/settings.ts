import type * as z from "zod";
import { addressSettings } from "./setting-rows/address-settings.ts";
import { contextSettings } from "./setting-rows/context-settings.ts";
import { diagnosticsSettings } from "./setting-rows/diagnostics-settings.ts";
import { fileSettings } from "./setting-rows/file-settings.ts";
import { inputSettings } from "./setting-rows/input-settings.ts";
import { limitSettings } from "./setting-rows/limit-settings.ts";
import { lookSettings } from "./setting-rows/look-settings.ts";
import { mcpSettings } from "./setting-rows/mcp-settings.ts";
import { modelSettings } from "./setting-rows/model-settings.ts";
import { networkSettings } from "./setting-rows/network-settings.ts";
import { permissionSettings } from "./setting-rows/permission-settings.ts";
import { searchSettings } from "./setting-rows/search-settings.ts";
import type { ProjectReach, SettingRow } from "./setting-rows/setting-row.ts";

/** Every setting, group by group as the Settings screen shows them. Keys are spelt as in `settings.json`. */
export const settings = {
  ...modelSettings,
  ...addressSettings,
  ...permissionSettings,
  ...networkSettings,
  ...mcpSettings,
  ...fileSettings,
  ...searchSettings,
  ...diagnosticsSettings,
  ...contextSettings,
  ...limitSettings,
  ...inputSettings,
  ...lookSettings,
} as const satisfies Record<string, SettingRow>;

export type SettingKey = keyof typeof settings;
export type Settings = { [K in SettingKey]: z.infer<(typeof settings)[K]["schema"]> };
export type PartialSettings = Partial<Settings>;

/** The environment variables that set it, the strongest first. */
export function variablesOfSetting(key: SettingKey): string[] {
  const { env, otherEnv }: SettingRow = settings[key];
  return [env, otherEnv].filter((name) => name !== undefined);
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

/** The stricter of two values of a setting that has a scale. */
export function stricter<K extends SettingKey>(key: K, one: Settings[K], other: Settings[K]): Settings[K] {
  const { scale = [] } = projectReach(key) ?? {};
  return scale.indexOf(one) <= scale.indexOf(other) ? one : other;
}

/** The value as this version spells it. */
export function currentValue(key: SettingKey, value: unknown): unknown {
  const { olderValues = {} }: SettingRow = settings[key];
  return typeof value === "string" && Object.hasOwn(olderValues, value) ? olderValues[value] : value;
}

/** How far the files of a project may change a setting; undefined: not at all. */
export function projectReach(key: SettingKey): { reach: ProjectReach; scale: readonly unknown[] } | undefined {
  const { project, scale = [] }: SettingRow = settings[key];
  return project && { reach: project, scale };
}
