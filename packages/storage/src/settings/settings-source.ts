import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { diskProblem, errorCode, readRegularFile } from "@harness/host";
import { doubledName, readJson } from "./json-text.ts";

/** A `settings.json` as it was read. `values` is empty when there is none, or none that can be used. */
export type SettingsSource = {
  path: string;
  /** Names this very content; changes with every byte. */
  version: string;
  values: Record<string, unknown>;
  /** Why it could not be used, or not be relied upon. */
  problem?: string;
  /** It was read and is not a JSON object. */
  broken?: boolean;
};

const MAX_BYTES = 1024 * 1024;

/** Reads a settings file; never throws. */
export function readSettingsSource(path: string): SettingsSource {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true });
  } catch (error) {
    const isMissing = (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") && !isLink(path);
    const problem = isMissing ? {} : { problem: `${diskProblem(error, "read the settings", path)} They are not used.` };
    return { path, version: "none", values: {}, ...problem };
  }
  const version = versionOf(bytes);
  const text = bytes.toString("utf8");
  if (text.trim() === "") return { path, version, values: {} };
  const json = readJson(text);
  if ("why" in json) {
    const where = `line ${json.line}, column ${json.column}`;
    const problem = `${path} is not valid JSON (${where}: ${json.why}). Nothing in it is used. Correct it there.`;
    return { path, version, values: {}, broken: true, problem };
  }
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const problem = `${path} must hold an object, { "setting": value, … }. Nothing in it is used. Correct it there.`;
    return { path, version, values: {}, broken: true, problem };
  }
  const problem = doubt(path, bytes, text);
  return { path, version, values: { ...value }, ...(problem === undefined ? {} : { problem }) };
}

/** What was read may not be all that was meant. */
function doubt(path: string, bytes: Buffer, text: string): string | undefined {
  if (!isUtf8(bytes))
    return `${path} holds bytes that are not UTF-8: what they stand for is not known. Save it as UTF-8.`;
  const twice = doubledName(text);
  return twice && `${path} has ${twice} twice in one place, and only the last one counts. Take one out.`;
}

/** A link to nothing: settings that it should lead to are missed. */
function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

export function versionOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** Where a project keeps its settings; the first seed's place is read as well. */
export const projectFiles = [join(".harness", "settings.json"), join(".tinyharness", "config.json")] as const;

/** The nearest file of this name from `cwd` upward that is not the user's own. */
export function findProjectSettings(cwd: string, name: string, userPath: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path) && !isSameFile(path, userPath)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Changes whenever one of the files that settings in a folder come from is written, replaced, made or removed, or comes
 * to be vouched for.
 */
export function stateOfSources(cwd: string, userPath: string, vouched: (path: string) => boolean): string {
  const states = [stateOf(userPath)];
  for (let folder = cwd; ; folder = dirname(folder)) {
    for (const name of projectFiles) {
      const path = join(folder, name);
      const state = stateOf(path);
      states.push(state === "" ? "" : `${state} ${vouched(path)}`);
    }
    if (dirname(folder) === folder) return states.join("\n");
  }
}

function stateOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode}` : "";
  } catch (error) {
    return errorCode(error) ?? "unknown";
  }
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return one === other;
  }
}
