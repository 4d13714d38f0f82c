import { type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { errorCode, readRegularFile } from "@harness/host";
import { keyVariable, keyVariables, locate } from "../vendors/locate.ts";
import { vendors as builtIn } from "../vendors/vendors.ts";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { readDotenv } from "./dotenv-lines.ts";

export { readDotenv } from "./dotenv-lines.ts";

export type LoadedEnv = {
  /** The environment plus the variables from files. */
  env: Record<string, string | undefined>;
  /** The files that were read, the strongest first. */
  paths: string[];
  /** Sentences for people, never containing a value. */
  problems: string[];
  /** The project's file, if it was not read because it is not trusted. */
  untrusted?: string;
};

export type EnvOptions = {
  home?: string | undefined;
  configFolder?: string | undefined;
  /** Vendors whose keys count: the built-in ones and the user's own. */
  vendors?: readonly Vendor[];
  /** Whether a project's file is trusted; absent: none is. */
  isTrusted?: (path: string) => boolean;
};

const MAX_BYTES = 1024 * 1024;

type EnvFolders = Pick<EnvOptions, "home" | "configFolder">;

/** Folders whose `.env` is the user's own, and those that may have the project's, nearest first. */
function envFolders(cwd: string, { home = homedir(), configFolder }: EnvFolders): { own: string[]; project: string[] } {
  const own = [...new Set([...(configFolder === undefined ? [] : [resolve(configFolder)]), resolve(home)])];
  return { own, project: foldersUp(cwd, home).filter((folder) => !own.includes(folder)) };
}

/** The `.env` files that may have an effect in a folder, whether they exist or not. */
export function envFiles(cwd: string, places: EnvFolders): string[] {
  const { own, project } = envFolders(cwd, places);
  return [...own, ...project].map((folder) => join(folder, ".env"));
}

/**
 * Adds `.env` files to an environment; variables that are already set, and `env` itself, stay unchanged. Files in the
 * configuration folder and the home folder are the user's own and count like the environment. Of project files only the
 * nearest counts, from `cwd` up to below `home` or to the root, and only if it is trusted: it may have come with a
 * cloned repository. Even then it may not decide where requests go or in whose name: it only supplies keys, each for
 * its vendor's own address, and no login token. Never throws.
 */
export function inspectEnv(cwd: string, env: Env, options: EnvOptions = {}): LoadedEnv {
  const { home = homedir(), vendors = builtIn, isTrusted = () => false } = options;
  const loaded: LoadedEnv = { env: { ...env }, paths: [], problems: [] };
  const folders = envFolders(cwd, options);
  for (const folder of folders.own) {
    const file = readFile(folder, loaded.problems);
    if (!file) continue;
    loaded.paths.push(file.path);
    for (const [name, value] of file.variables) loaded.env[name] ??= value;
  }
  nameAddresses(loaded.env, vendors);
  const own = join(folders.own[0] ?? home, ".env");
  const path = folders.project.map((folder) => join(folder, ".env")).find(isFile);
  if (path === undefined) return loaded;
  if (!isTrusted(path)) return { ...loaded, untrusted: path };
  const file = readFile(dirname(path), loaded.problems);
  if (!file) return loaded;
  loaded.paths.push(path);
  addKeys(file, loaded, own, vendors);
  return loaded;
}

/** Copies an address from another program's variable to ours. */
function nameAddresses(env: Record<string, string | undefined>, vendors: readonly Vendor[]): void {
  for (const { baseUrlEnv, otherBaseUrlEnvs = [] } of vendors) {
    const other = otherBaseUrlEnvs.map((name) => envValue(env, name)).find((value) => value !== undefined);
    if (other !== undefined && envValue(env, baseUrlEnv) === undefined) env[baseUrlEnv] = other;
  }
}

/**
 * The variables in a project's file that matter to harness: keys, and variables that it ignores with a warning. The
 * rest is the project's own business.
 */
export function projectVariables(text: string, vendors: readonly Vendor[] = builtIn): [name: string, value: string][] {
  return [...readDotenv(text).variables].filter(
    ([name, value]) => value.trim() !== "" && (isKey(name, vendors) || isSteering(name, vendors)),
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A folder on the way up may be closed to us.
    return false;
  }
}

function foldersUp(cwd: string, home: string): string[] {
  const folders: string[] = [];
  const last = resolve(home);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === last || folder === dirname(folder)) return folders;
  }
}

type EnvFile = { path: string; variables: ReadonlyMap<string, string> };

function readFile(folder: string, problems: string[]): EnvFile | undefined {
  const path = join(folder, ".env");
  const text = readOwn(path, problems);
  if (text === undefined) return undefined;
  const { variables, unclear } = readDotenv(text);
  if (unclear.length > 0)
    problems.push(`${path}: cannot read line ${unclear.join(", ")}. Each line must be NAME=value.`);
  return { path, variables };
}

/**
 * Rejects a file that belongs to another user: in a folder that everyone may write to, it cannot be trusted with
 * addresses and keys.
 */
function readOwn(path: string, problems: string[]): string | undefined {
  if (!isFile(path)) return undefined;
  const user = process.getuid?.();
  const check = (_fd: number, { uid }: Stats) => {
    if (user !== undefined && user !== 0 && uid !== user && uid !== 0) throw new Error("it belongs to another user");
  };
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true, check }).toString("utf8");
  } catch (error) {
    const code = errorCode(error);
    const why = code === undefined ? `was not read: ${(error as Error).message}` : `could not be read (${code})`;
    problems.push(`${path} ${why}.`);
    return undefined;
  }
}

function isKey(name: string, vendors: readonly Vendor[]): boolean {
  return vendors.some((vendor) => !vendor.login && keyVariables(vendor).includes(name));
}

/** True for settings, and for names that change where a request goes or in whose name. */
function isSteering(name: string, vendors: readonly Vendor[]): boolean {
  if (name.startsWith("HARNESS_")) return true;
  return vendors.some((vendor) => {
    const { baseUrlEnv, otherBaseUrlEnvs = [], headersFromEnv = {}, login } = vendor;
    const ofLogin = login ? [...keyVariables(vendor), login.authorizeUrlEnv, login.tokenUrlEnv, login.clientIdEnv] : [];
    return [baseUrlEnv, ...otherBaseUrlEnvs, ...Object.values(headersFromEnv), ...ofLogin].includes(name);
  });
}

/**
 * Adds keys. Other variables that would steer requests are reported as ignored, because developers expect more of the
 * file to count. A login token would decide in whose name requests are made, so it is ignored too.
 */
function addKeys(
  { path, variables }: EnvFile,
  { env, problems }: LoadedEnv,
  own: string,
  vendors: readonly Vendor[],
): void {
  const ignored: string[] = [];
  const keys: Record<string, string> = {};
  for (const [name, value] of variables) {
    if (env[name] !== undefined || value.trim() === "") continue;
    const vendor = vendors.find((each) => !each.login && keyVariables(each).includes(name));
    // The user's own key stays, whichever variable holds it.
    if (vendor && keyVariable(vendor, env)) continue;
    if (vendor && isAtUsualAddress(vendor, env)) keys[name] = value;
    else if (vendor) problems.push(keyForElsewhere(path, name, vendor, own));
    else if (isSteering(name, vendors)) ignored.push(name);
  }
  Object.assign(env, keys);
  if (ignored.length === 0) return;
  const [what, them] = ignored.length === 1 ? ["was not used", "it"] : ["were not used", "them"];
  problems.push(
    `${path}: ${ignored.join(", ")} ${what}: a project's .env file may contain keys, but not choose the provider or its address. ` +
      `Set ${them} in the environment or in ${own}.`,
  );
}

function isAtUsualAddress(vendor: Vendor, env: Env): boolean {
  const baseUrl = envValue(env, vendor.baseUrlEnv);
  if (baseUrl === undefined) return true;
  const located = locate(vendor, { baseUrl });
  return located.ok && located.endpoint.usual;
}

function keyForElsewhere(path: string, name: string, { baseUrlEnv, baseUrl }: Vendor, own: string): string {
  return (
    `${path}: ${name} was not used: a key from a project's .env file is sent only to ${baseUrl}, but your ${baseUrlEnv} ` +
    `is another address. Set the key in the environment or in ${own}.`
  );
}
