import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Contents, doubledName, isRecord, PrivateFile, parseJson, realPathOrSame } from "@harness/host";

/** A `settings.json` as read. `values` is empty if there are none, or none that can be used. */
export type SettingsDocument = {
  /** Identifies exactly this content; changes with every byte. */
  version: string;
  values: Readonly<Record<string, unknown>>;
};

/** The same with its path, and why it cannot be used or relied upon. */
export type SettingsSource = SettingsDocument & { path: string; problem?: string };

const MAX_BYTES = 1024 * 1024;
const UNUSED = "Nothing in it is used. Correct it there.";
const KEPT = "Until it is corrected, its previous settings stay in effect.";

/** The values of each settings file when it was last readable, by path. */
export type LastGood = Map<string, SettingsDocument["values"]>;

export function settingsFile(path: string): PrivateFile<SettingsDocument> {
  return new PrivateFile({
    path,
    what: "the settings",
    maxBytes: MAX_BYTES,
    empty: { version: "none", values: {} },
    parse: (bytes) => documentIn(bytes, path),
    format: ({ values }) => formatSettings(values),
  });
}

/** Never throws. */
function readSettingsSource(path: string): SettingsSource {
  const { value, problems } = settingsFile(path).read();
  return { path, ...value, ...(problems.length === 0 ? {} : { problem: problems.join(" ") }) };
}

/** The same; while a file cannot be read, its previous values apply. */
export function readKnownSource(path: string, lastGood: LastGood): SettingsSource {
  const source = readSettingsSource(path);
  const before = lastGood.get(path);
  if (source.problem === undefined || Object.keys(source.values).length > 0) lastGood.set(path, source.values);
  else if (before)
    return { ...source, values: before, problem: `${source.problem.replace(UNUSED, "").trimEnd()} ${KEPT}` };
  return source;
}

export function formatSettings(values: SettingsDocument["values"]): string {
  return `${JSON.stringify(values, undefined, 2)}\n`;
}

function documentIn(bytes: Buffer, path: string): Contents<SettingsDocument> {
  const version = versionOf(bytes);
  const text = bytes.toString("utf8");
  const broken = (problem: string): Contents<SettingsDocument> => {
    return { value: { version, values: {} }, problems: [`${problem} ${UNUSED}`], state: "broken" };
  };
  if (text.trim() === "") return { value: { version, values: {} }, problems: [], state: "usable" };
  const json = parseJson(text);
  if ("why" in json)
    return broken(`${path} is not valid JSON (line ${json.line}, column ${json.column}: ${json.why}).`);
  if (!isRecord(json.value)) return broken(`${path} must contain an object, { "setting": value, … }.`);
  const problem = doubt(path, bytes, text);
  const value = { version, values: json.value };
  // Values that may be incomplete are used, but the file is not overwritten.
  return problem === undefined
    ? { value, problems: [], state: "usable" }
    : { value, problems: [problem], state: "refused" };
}

/** Why the values may be incomplete. */
function doubt(path: string, bytes: Buffer, text: string): string | undefined {
  if (!isUtf8(bytes)) return `${path} contains bytes that are not UTF-8, so some values are unknown. Save it as UTF-8.`;
  const twice = doubledName(text);
  return twice && `${path} has ${twice} twice in one place, and only the last one counts. Remove one.`;
}

export function versionOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** The settings files of a project: harness's own, and one that other programs use. */
export const projectFiles = [join(".harness", "settings.json"), join(".tinyharness", "config.json")] as const;

/** The nearest file of this name from `cwd` upward, except the user's own. */
export function findProjectSettings(cwd: string, name: string, userPath: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path) && realPathOrSame(path) !== realPathOrSame(userPath)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The files that a folder's settings may come from, whether they exist or not. */
export function settingsFiles(cwd: string, userPath: string): string[] {
  const paths = [userPath];
  for (let folder = cwd; ; folder = dirname(folder)) {
    paths.push(...projectFiles.map((name) => join(folder, name)));
    if (dirname(folder) === folder) return paths;
  }
}

/** Questions about each file; `stampOf`: "" if it does not exist. */
export type FileQuestions = { stampOf(path: string): string; isTrusted(path: string): boolean };

/** Changes whenever one of these files is written, replaced, created, removed or trusted. */
export function stateOfFiles(paths: readonly string[], { stampOf, isTrusted }: FileQuestions): string {
  const states = paths.map((path) => {
    const state = stampOf(path);
    return state === "" ? "" : `${state} ${isTrusted(path)}`;
  });
  return states.join("\n");
}
