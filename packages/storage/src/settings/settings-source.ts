import { createHash } from "node:crypto";
import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { diskProblem, errorCode } from "../disk-problem.ts";
import { readJson } from "./json-text.ts";

/** A `settings.json` as it was read. `values` is empty when there is none, or none that can be used. */
export type SettingsSource = {
  path: string;
  /** Names this very content; changes with every byte. */
  version: string;
  values: Record<string, unknown>;
  /** Why it could not be used. */
  problem?: string;
  /** It was read and is not a JSON object. */
  broken?: boolean;
};

const LARGEST_BYTES = 1024 * 1024;

/** Reads a settings file; never throws. */
export function readSettingsSource(path: string): SettingsSource {
  let bytes: Buffer;
  try {
    bytes = readRegularFile(path);
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR";
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
  return { path, version, values: { ...value } };
}

export function versionOf(content: Buffer | string): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** The nearest `.harness/settings.json` from `cwd` upward that is not the user's own file. */
export function findProjectSettings(cwd: string, userPath: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, ".harness", "settings.json");
    if (existsSync(path) && !isSameFile(path, userPath)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return one === other;
  }
}

function readRegularFile(path: string): Buffer {
  // A named pipe in a cloned folder must not hang us: O_NONBLOCK opens it, and then it is refused.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > LARGEST_BYTES) throw new Error("it is larger than 1 MB");
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
