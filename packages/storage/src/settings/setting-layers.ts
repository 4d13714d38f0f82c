import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import {
  projectReach,
  type SettingKey,
  type SettingSource,
  type SettingView,
  settingChoices,
  settings,
  settingType,
} from "@harness/protocol";
import { type CheckedValue, shortValue } from "./setting-value.ts";

/**
 * The value that a source gives to a setting. `name`: how people refer to the source: `HARNESS_MODEL`, `--model`, a
 * path.
 */
export type SourceValue = {
  source: SettingSource;
  name: string;
  value: unknown;
  checked: CheckedValue;
  /** For a project: the folder that relative paths start from. */
  folder?: string;
  /** For a project: whether its file is trusted. */
  trusted?: boolean;
};

/** The value of a setting from all sources. */
type LayeredSetting = {
  view: SettingView;
  problems: string[];
  /** Project files that set it without permission. */
  refused: string[];
};

type AppliedValue = { value: unknown } | { problem: string } | "refused";

/** Combines the sources of one setting, the weakest first. */
export function layeredSetting(key: SettingKey, values: readonly SourceValue[]): LayeredSetting {
  const row: Pick<SettingView, "title" | "group" | "doc" | "default" | "takesEffect"> = settings[key];
  const problems: string[] = [];
  const refused: string[] = [];
  let value = row.default;
  let own = row.default;
  let winner: SourceValue | undefined;
  for (const each of values) {
    const applied = applyValue(key, each, value);
    if (applied === "refused") refused.push(each.name);
    else if ("problem" in applied) problems.push(applied.problem);
    else {
      const isNews = each.source !== "project" || JSON.stringify(applied.value) !== JSON.stringify(value);
      value = applied.value;
      if (each.source === "user") own = value;
      if (isNews) winner = each;
    }
  }
  const adds = settingType(key) === "list" && winner?.source === "project";
  const choices = settingChoices(key);
  const view: SettingView = {
    key,
    title: row.title,
    group: row.group,
    doc: row.doc,
    type: settingType(key),
    ...(choices ? { choices } : {}),
    value,
    default: row.default,
    takesEffect: row.takesEffect,
    source: winner?.source ?? "default",
    ...(winner && winner.source !== "user" && !adds ? { overriddenBy: winner.name } : {}),
    ...(adds ? { own } : {}),
  };
  return { view, problems, refused };
}

function applyValue(key: SettingKey, sourceValue: SourceValue, below: unknown): AppliedValue {
  const { source, checked, trusted = false } = sourceValue;
  if (source === "project" && !mayProjectSet(key, trusted)) return "refused";
  if ("expected" in checked) return { problem: notUnderstood(key, sourceValue, checked.expected) };
  const placed =
    key === "additional_directories" ? foldersIn(key, sourceValue, checked.value) : { value: checked.value };
  if ("problem" in placed || source !== "project") return placed;
  return applyProject(key, sourceValue, placed.value, below);
}

export function notUnderstood(key: SettingKey, { name, value }: SourceValue, expected: string): string {
  return `${key} from ${name} is ${shortValue(value)}; expected ${expected}. It is not used.`;
}

function mayProjectSet(key: SettingKey, trusted: boolean): boolean {
  const reach = projectReach(key)?.reach;
  return reach !== undefined && (trusted || (reach !== "trusted" && reach !== "addsTrusted"));
}

/** Applies a project's value as far as the setting's row permits. */
function applyProject(
  key: SettingKey,
  { name, value: found, trusted = false }: SourceValue,
  value: unknown,
  below: unknown,
): AppliedValue {
  const { reach, scale } = projectReach(key) ?? { reach: "trusted", scale: [] };
  const sentence = (may: string) =>
    `${key} from ${name} is ${shortValue(found)}; a project may only ${may}, and yours is ${shortValue(below)}. It is not used.`;
  switch (reach) {
    case "any":
    case "trusted":
      return { value };
    case "lower":
      return Number(value) <= Number(below) ? { value } : { problem: sentence("lower it") };
    case "adds":
    case "addsTrusted":
      return { value: joinLists(below, value) };
    case "stricter":
    case "stricterUntrusted":
      if (trusted && reach === "stricterUntrusted") return { value };
      return scale.indexOf(value) <= scale.indexOf(below) ? { value } : { problem: sentence("make it stricter") };
  }
}

function joinLists(below: unknown, more: unknown): readonly unknown[] {
  return [...new Set([...listOf(below), ...listOf(more)])];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Folders as absolute paths. */
function foldersIn(key: SettingKey, { name, folder }: SourceValue, value: unknown): Exclude<AppliedValue, "refused"> {
  const paths = listOf(value).map((path) => absoluteFolder(String(path), folder));
  const at = paths.indexOf(undefined);
  if (at === -1) return { value: paths };
  const wrong = shortValue(listOf(value)[at]);
  return { problem: `${key} from ${name} has ${wrong}, which is not an absolute path. None of them is used.` };
}

function absoluteFolder(path: string, folder: string | undefined): string | undefined {
  if (path === "~" || path.startsWith("~/")) return join(homedir(), path.slice(1));
  if (isAbsolute(path)) return resolve(path);
  return folder === undefined ? undefined : resolve(folder, path);
}

/** The folder that a project file applies to: the one that contains `.harness`. */
export function folderOfProject(path: string): string {
  return dirname(dirname(path));
}
