import {
  isSettingKey,
  type SettingKey,
  type SettingSource,
  type Settings,
  type SettingView,
  settings,
  settingType,
} from "@harness/protocol";
import type { Places } from "../places.ts";
import { closePlaces } from "../private-places.ts";
import { type CheckedValue, checkSetting, parseSetting, shown } from "./setting-value.ts";
import { findProjectSettings, readSettingsSource, type SettingsSource } from "./settings-source.ts";

export type SettingsRequest = {
  places: Places;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** By key; text is parsed, other values are checked, undefined counts as not given. */
  flags: Readonly<Record<string, unknown>>;
};

export type LoadedSettings = {
  values: Settings;
  views: SettingView[];
  /** What was wrong and is not used, in words for people. */
  problems: string[];
  /** The user's file. */
  path: string;
  version: string;
};

/** What one source says about one setting. `name` is what people call the source: `HARNESS_MODEL`, `--model`, a path. */
type Said = { source: SettingSource; name: string; found: unknown; checked: CheckedValue };

const keys = Object.keys(settings).filter(isSettingKey);

/** What a folder that nobody has vouched for may set: nothing that lets the agent do more or go elsewhere. */
const harmless: ReadonlySet<SettingKey> = new Set<SettingKey>(["context_limit", "max_turns", "show_thinking"]);

/**
 * The settings in force in a folder: flag over environment over project over user over default. The first to look into
 * the places of all that lies there, it closes them to others. Never throws.
 */
export function loadSettings({ places, cwd, env, flags }: SettingsRequest): LoadedSettings {
  const user = readSettingsSource(places.settings);
  const projectPath = findProjectSettings(cwd, places.settings);
  const project = projectPath === undefined ? undefined : readSettingsSource(projectPath);
  const problems = [...closePlaces(places), ...fileProblems(user), ...projectProblems(project)];
  const views = keys.map((key) => {
    const said = [
      fromFile("user", user, key),
      project && harmless.has(key) ? fromFile("project", project, key) : undefined,
      fromEnv(env, key),
      fromFlag(flags, key),
    ];
    return viewOf(
      key,
      said.filter((each) => each !== undefined),
      problems,
    );
  });
  // Each value was checked against its own row; the compiler cannot follow that through the list.
  const values = Object.fromEntries(views.map(({ key, value }) => [key, value])) as Settings;
  return { values, views, problems, path: user.path, version: user.version };
}

function viewOf(key: SettingKey, said: Said[], problems: string[]): SettingView {
  const row: { doc: string; default: unknown; choices?: readonly string[] } = settings[key];
  let value = row.default;
  let winner: Said | undefined;
  for (const each of said) {
    const refusal = "expected" in each.checked ? expectation(key, each) : raisesLimit(key, each, value);
    if (refusal) problems.push(refusal);
    else if ("value" in each.checked) {
      value = each.checked.value;
      winner = each;
    }
  }
  const inTheWay = winner && winner.source !== "user" ? { overriddenBy: winner.name } : {};
  return {
    key,
    doc: row.doc,
    type: settingType(key),
    ...(row.choices ? { choices: [...row.choices] } : {}),
    value,
    default: row.default,
    source: winner?.source ?? "default",
    ...inTheWay,
  };
}

function expectation(key: SettingKey, { name, found, checked }: Said): string {
  const expected = "expected" in checked ? checked.expected : "";
  return `${key} from ${name} is ${shown(found)}; expected ${expected}. It is not used.`;
}

/** A project may ask for fewer model requests than its user allows, never for more. */
function raisesLimit(key: SettingKey, { source, name, found }: Said, below: unknown): string | undefined {
  if (source !== "project" || key !== "max_turns" || Number(found) <= Number(below)) return undefined;
  return `${key} from ${name} is ${shown(found)}; a project may only lower it, and yours is ${shown(below)}. It is not used.`;
}

function fromFile(source: "user" | "project", file: SettingsSource, key: SettingKey): Said | undefined {
  const found = Object.hasOwn(file.values, key) ? file.values[key] : undefined;
  // `null` stands for "as if it were not there", like in `settings/set`.
  if (found === undefined || found === null) return undefined;
  return { source, name: file.path, found, checked: checkSetting(key, found) };
}

function fromEnv(env: SettingsRequest["env"], key: SettingKey): Said | undefined {
  const row: { doc: string; env?: string } = settings[key];
  const found = row.env === undefined ? undefined : env[row.env];
  if (row.env === undefined || !found) return undefined;
  return { source: "env", name: row.env, found, checked: parseSetting(key, found) };
}

function fromFlag(flags: SettingsRequest["flags"], key: SettingKey): Said | undefined {
  const found = Object.hasOwn(flags, key) ? flags[key] : undefined;
  if (found === undefined) return undefined;
  const checked = typeof found === "string" ? parseSetting(key, found) : checkSetting(key, found);
  return { source: "flag", name: `--${key.replaceAll("_", "-")}`, found, checked };
}

function fileProblems({ path, problem, values }: SettingsSource): string[] {
  const unknown = Object.keys(values).filter((key) => !isSettingKey(key));
  const odd = unknown.map(
    (key) => `${shown(key)} in ${path} is not a setting of this version. It is kept and not used.`,
  );
  return problem ? [problem, ...odd] : odd;
}

function projectProblems(file: SettingsSource | undefined): string[] {
  if (!file) return [];
  if (file.problem) return [file.problem];
  const others = Object.keys(file.values).filter((key) => !isSettingKey(key) || !harmless.has(key));
  if (others.length === 0) return [];
  const named = others.slice(0, 8).map(shown).join(", ");
  return [
    `${file.path} sets ${named}, which is not used: until folders can be trusted, a project may set only ${[...harmless].join(", ")}. Put the rest into your own settings.`,
  ];
}
