import { isSettingKey, type SettingKey } from "@harness/protocol";
import type { ConfigPaths } from "../config-paths.ts";
import { checkSetting, parseSetting, shortValue } from "./setting-value.ts";
import { formatSettings, type LastGood, type SettingsDocument, settingsFile, versionOf } from "./settings-source.ts";

/** `value` null or absent: restores the default. */
export type SettingEdit = { key: string; value?: unknown };

/** `brokenCopy`: the copy of an old file that could not be read. */
export type SavedSettings = { version: string; brokenCopy?: string };

/**
 * `invalid`: an edit does not fit; `conflict`: the file is not the expected one; `held`: another process is writing it;
 * `failed`: disk error.
 */
export type SaveProblem = { problem: string; kind: "conflict" | "invalid" | "held" | "failed" };

/** `expectedVersion`: any other is a conflict. `lastGood`: the previous values of a file that is now broken. */
export type SaveTerms = { expectedVersion?: string | undefined; lastGood?: LastGood };

/**
 * Changes the user's file, all edits or none. The file is read again under a lock, so that changes by other instances
 * survive; unknown keys stay; a file that is not valid JSON is copied. Never throws.
 */
export function saveSettings(
  configPaths: Pick<ConfigPaths, "settings">,
  edits: readonly SettingEdit[],
  { expectedVersion, lastGood }: SaveTerms = {},
): SavedSettings | SaveProblem {
  const changes = checkEdits(edits);
  if ("problem" in changes) return changes;
  const file = settingsFile(configPaths.settings);
  let version = "";
  let isExpected = true;
  const saved = file.change((before, state) => {
    version = before.version;
    isExpected = expectedVersion === undefined || expectedVersion === version;
    // The last good values of a broken file survive the save that replaces it.
    const base = state === "broken" ? (lastGood?.get(file.path) ?? before.values) : before.values;
    const values = withChanges(base, changes.values);
    const isSame = state === "usable" && JSON.stringify(values) === JSON.stringify(before.values);
    if (!isExpected || isSame) return undefined;
    version = versionOf(formatSettings(values));
    return { version, values };
  });
  if (!isExpected) {
    const problem = `${file.path} was changed in the meantime. Read it again, then repeat the change.`;
    return { kind: "conflict", problem };
  }
  if ("problem" in saved) return { kind: saved.kind === "held" ? "held" : "failed", problem: saved.problem };
  return { version, ...saved };
}

function withChanges(before: SettingsDocument["values"], changes: Map<SettingKey, unknown>): Record<string, unknown> {
  const values = { ...before };
  for (const [key, value] of changes) {
    if (value === undefined) delete values[key];
    else values[key] = value;
  }
  return values;
}

function checkEdits(edits: readonly SettingEdit[]): { values: Map<SettingKey, unknown> } | SaveProblem {
  const values = new Map<SettingKey, unknown>();
  for (const { key, value } of edits) {
    if (!isSettingKey(key))
      return { kind: "invalid", problem: `There is no setting ${shortValue(key)}. Nothing was saved.` };
    if (value === null || value === undefined) {
      values.set(key, undefined);
      continue;
    }
    const checked = typeof value === "string" ? parseSetting(key, value) : checkSetting(key, value);
    if ("expected" in checked) {
      const problem = `${key} cannot be ${shortValue(value)}; expected ${checked.expected}. Nothing was saved.`;
      return { kind: "invalid", problem };
    }
    values.set(key, checked.value);
  }
  return { values };
}
