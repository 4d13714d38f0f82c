import {
  agentModeOf,
  isSettingKey,
  PLAN,
  projectReach,
  type SettingKey,
  type Settings,
  type SettingView,
  settings,
  variablesOfSetting,
} from "@harness/protocol";
import { closeConfigFolder } from "../close-config-folder.ts";
import type { ConfigPaths } from "../config-paths.ts";
import { folderOfProject, layeredSetting, notUnderstood, type SourceValue } from "./setting-layers.ts";
import { checkSetting, parseSetting, shortValue } from "./setting-value.ts";
import {
  findProjectSettings,
  type LastGood,
  projectFiles,
  readKnownSource,
  type SettingsSource,
} from "./settings-source.ts";

export type SettingsRequest = {
  configPaths: ConfigPaths;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Values by key; text is parsed, other values are checked, undefined means not given. */
  flags: Readonly<Record<string, unknown>>;
  /** Filled with the content of files, and used for files that can no longer be read. */
  lastGood?: LastGood;
  /** Whether a project file is trusted. By default it is not, and may then only restrict. */
  isTrusted?: (path: string) => boolean;
};

export type LoadedSettings = {
  values: Settings;
  views: SettingView[];
  /** Sentences about values and files that are not used. */
  problems: string[];
  /** The user's file. */
  path: string;
  version: string;
  /** Problems that may lose a restriction: files and values that may restrict and are not understood. */
  unreadable: string[];
};

const keys = Object.keys(settings).filter(isSettingKey);

/** The settings in a project's `.tinyharness/config.json` that mean the same here. */
const tinyharnessKeys: readonly SettingKey[] = [
  "safe_command_prefixes",
  "denied_command_prefixes",
  "auto_accept_safe_commands",
  "preferred_mode",
  "context_limit",
  "project_md_files",
];

/**
 * Loads the settings in force in a folder: flag over environment over project over user over default; lists combine all
 * sources. Closes the configuration folder to other users first. Never throws.
 */
export function loadSettings({
  configPaths,
  cwd,
  env,
  flags,
  lastGood = new Map(),
  isTrusted = () => false,
}: SettingsRequest): LoadedSettings {
  const read = (path: string): SettingsSource => readKnownSource(path, lastGood);
  const user = withPlanning(read(configPaths.settings));
  const projects = projectSources(cwd, configPaths.settings, read).map((file) => ({
    file,
    trusted: isTrusted(file.path),
  }));
  const layers = keys.map((key) => {
    const values = [
      fileValue("user", user, key),
      ...projects.map(({ file, trusted }) => fileValue("project", file, key, trusted)),
      envValue(env, key),
      flagValue(flags, key),
    ];
    const applied = values.filter((each) => each !== undefined);
    return { key, applied, ...layeredSetting(key, applied) };
  });
  const problems = [
    ...closeConfigFolder(configPaths),
    ...fileProblems(user),
    ...projects.flatMap(({ file, trusted }) => projectProblems(file, layers, trusted)),
    ...layers.flatMap((layer) => layer.problems),
  ];
  const views = layers.map(({ view }) => view);
  // Each value was checked against its own row; the compiler cannot follow that through the list.
  const values = Object.fromEntries(views.map(({ key, value }) => [key, value])) as Settings;
  const broken = [user, ...projects.map(({ file }) => file)].flatMap(({ problem }) => problem ?? []);
  const unclear = layers.flatMap(({ key, applied }) =>
    restricts(key) ? applied.flatMap((source) => unclearNotes(key, source)) : [],
  );
  return { values, views, problems, path: user.path, version: user.version, unreadable: [...broken, ...unclear] };
}

/** The settings files of the project, the weakest first. */
function projectSources(cwd: string, userPath: string, read: (path: string) => SettingsSource): SettingsSource[] {
  const [own, tinyharness] = projectFiles.map((name) => {
    const path = findProjectSettings(cwd, name, userPath);
    return path === undefined ? undefined : read(path);
  });
  return [tinyharness && asOfTinyharness(tinyharness), own && withPlanning(own)].filter((each) => each !== undefined);
}

/** In older versions the permission mode `plan` also said what a session is for. */
function withPlanning(source: SettingsSource): SettingsSource {
  const { permission_mode: permission, preferred_mode: preferred } = source.values;
  if (permission !== PLAN || (preferred ?? "agent") !== "agent") return source;
  return { ...source, values: { ...source.values, preferred_mode: "planning" } };
}

function asOfTinyharness(source: SettingsSource): SettingsSource {
  const known = Object.entries(source.values).filter(([key]) => tinyharnessKeys.some((each) => each === key));
  const values = Object.fromEntries(known);
  const mode = typeof values.preferred_mode === "string" ? agentModeOf(values.preferred_mode) : undefined;
  return { ...source, values: mode ? { ...values, preferred_mode: mode } : values };
}

function restricts(key: SettingKey): boolean {
  const allowed = projectReach(key);
  return allowed !== undefined && (allowed.scale.length > 0 || allowed.reach === "adds" || key.startsWith("safe_"));
}

/** The problem of a value in a file that is not understood. */
function unclearNotes(key: SettingKey, source: SourceValue): string[] {
  const isOfFile = source.source === "user" || source.source === "project";
  return isOfFile && "expected" in source.checked ? [notUnderstood(key, source, source.checked.expected)] : [];
}

function fileValue(
  source: "user" | "project",
  file: SettingsSource,
  key: SettingKey,
  trusted = false,
): SourceValue | undefined {
  const found = Object.hasOwn(file.values, key) ? file.values[key] : undefined;
  // `null` means "as if it were missing", as in `settings/set`.
  if (found === undefined || found === null) return undefined;
  const project = source === "project" ? { folder: folderOfProject(file.path), trusted } : {};
  return { source, name: file.path, value: found, checked: checkSetting(key, found), ...project };
}

function envValue(env: SettingsRequest["env"], key: SettingKey): SourceValue | undefined {
  for (const name of variablesOfSetting(key)) {
    const found = env[name];
    if (found) return { source: "env", name, value: found, checked: parseSetting(key, found) };
  }
  return undefined;
}

function flagValue(flags: SettingsRequest["flags"], key: SettingKey): SourceValue | undefined {
  const found = Object.hasOwn(flags, key) ? flags[key] : undefined;
  if (found === undefined) return undefined;
  const checked = typeof found === "string" ? parseSetting(key, found) : checkSetting(key, found);
  return { source: "flag", name: `--${key.replaceAll("_", "-")}`, value: found, checked };
}

function fileProblems({ path, problem, values }: SettingsSource): string[] {
  const odd = unknownKeys(values).map((key) => notASetting(key, path));
  return problem ? [problem, ...odd] : odd;
}

function unknownKeys(values: SettingsSource["values"]): string[] {
  return Object.keys(values).filter((key) => !isSettingKey(key));
}

function notASetting(key: string, path: string): string {
  return `${shortValue(key)} in ${path} is not a setting of this version. It stays in the file but is not used.`;
}

/** More keys of a project file are not listed, because it can have any number. */
const MAX_NAMED = 8;

type Layers = readonly { key: SettingKey; refused: readonly string[] }[];

function projectProblems({ path, problem, values }: SettingsSource, layers: Layers, trusted: boolean): string[] {
  if (problem) return [problem];
  const refused = layers.filter((layer) => layer.refused.includes(path)).map(({ key }) => key);
  const unknown = unknownKeys(values).slice(0, MAX_NAMED);
  const odd = unknown.map((key) => notASetting(key, path));
  if (refused.length === 0) return odd;
  const why = trusted ? "a project cannot set that" : "until the folder is trusted, a project can only restrict";
  const list = refused.slice(0, MAX_NAMED).map(shortValue).join(", ");
  return [`${path} sets ${list}, which is not used: ${why}. Put it into your own settings.`, ...odd];
}
