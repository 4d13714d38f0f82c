import { blockForLock, describeOwner, diskProblem, type HeldLock, type Lock, replaceFile } from "@harness/host";
import { isSettingKey, type SettingKey } from "@harness/protocol";
import type { Places } from "../places.ts";
import { checkSetting, parseSetting, shown } from "./setting-value.ts";
import { readSettingsSource, type SettingsSource, versionOf } from "./settings-source.ts";

/** `value` null or absent = back to the default. */
export type SettingEdit = { key: string; value?: unknown };

/** `setAside`: where the old file went, because it could not be read. */
export type Saved = { version: string; setAside?: string };

/** `invalid` = an edit does not fit; `conflict` = the file is not the expected one, or held; `failed` = the disk said no. */
export type SaveProblem = { problem: string; kind: "conflict" | "invalid" | "failed" };

const LOCK_WAIT_MS = 2_000;

/**
 * Changes the user's file, all edits or none. The file is read again under a lock, so that changes of another instance
 * survive; unknown keys stay; a file that is not valid JSON is set aside first, never overwritten. Never throws.
 */
export function saveSettings(
  places: Pick<Places, "settings">,
  edits: readonly SettingEdit[],
  expectedVersion?: string,
): Saved | SaveProblem {
  const changes = checkEdits(edits);
  if ("problem" in changes) return changes;
  const path = places.settings;
  let lock: Lock | undefined;
  try {
    const taken = blockForLock(`${path}.lock`, LOCK_WAIT_MS);
    if (!("release" in taken)) return heldProblem(path, taken);
    lock = taken;
    return change(path, changes.values, expectedVersion);
  } catch (error) {
    return { kind: "failed", problem: diskProblem(error, "save the settings", path) };
  } finally {
    lock?.release();
  }
}

function checkEdits(edits: readonly SettingEdit[]): { values: Map<SettingKey, unknown> } | SaveProblem {
  const values = new Map<SettingKey, unknown>();
  for (const { key, value } of edits) {
    if (!isSettingKey(key))
      return { kind: "invalid", problem: `There is no setting ${shown(key)}. Nothing was saved.` };
    if (value === null || value === undefined) {
      values.set(key, undefined);
      continue;
    }
    const checked = typeof value === "string" ? parseSetting(key, value) : checkSetting(key, value);
    if ("expected" in checked) {
      const problem = `${key} cannot be ${shown(value)}; expected ${checked.expected}. Nothing was saved.`;
      return { kind: "invalid", problem };
    }
    values.set(key, checked.value);
  }
  return { values };
}

/** Runs under the lock. */
function change(path: string, changes: Map<SettingKey, unknown>, expected: string | undefined) {
  const file = readSettingsSource(path);
  if (expected !== undefined && expected !== file.version) return changedProblem(path);
  if (file.problem && !file.broken) return { kind: "failed" as const, problem: file.problem };
  const before = JSON.stringify(file.values);
  for (const [key, value] of changes) {
    if (value === undefined) delete file.values[key];
    else file.values[key] = value;
  }
  if (!file.broken && JSON.stringify(file.values) === before) return { version: file.version };
  return write(path, file);
}

function write(path: string, { values, broken }: SettingsSource): Saved {
  const content = `${JSON.stringify(values, undefined, 2)}\n`;
  const setAside = replaceFile(path, content, { broken: broken === true });
  return { version: versionOf(content), ...(setAside === undefined ? {} : { setAside }) };
}

function heldProblem(path: string, { owner }: HeldLock): SaveProblem {
  const problem = `The settings are being written by another harness (${describeOwner(owner)}). Try again; if nothing runs there any more, delete ${path}.lock.`;
  return { kind: "conflict", problem };
}

function changedProblem(path: string): SaveProblem {
  return { kind: "conflict", problem: `${path} has been changed meanwhile. Read it again, then repeat the change.` };
}
