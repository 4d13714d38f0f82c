import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readDotenv } from "./dotenv-lines.ts";
import { type Env, given, locate } from "./endpoint.ts";
import { vendors } from "./vendors.ts";

export type LoadedEnv = {
  /** The environment, with what the file adds to it. */
  env: Record<string, string | undefined>;
  /** The file that was read. */
  path?: string;
  /** Sentences for people. Never a value. */
  problems: string[];
};

const LARGEST_FILE = 1024 * 1024;

/**
 * Adds the nearest `.env`, from `cwd` up to `home` or the root, to an environment. What the environment has stays as it
 * is, and so does `env` itself. Never throws.
 */
export function loadEnv(cwd: string, env: Env, home?: string): Record<string, string | undefined> {
  return inspectEnv(cwd, env, home).env;
}

/** As `loadEnv`, and says which file it was and what is wrong with it. */
export function inspectEnv(cwd: string, env: Env, home: string = homedir()): LoadedEnv {
  const problems: string[] = [];
  for (const folder of foldersUp(cwd, home)) {
    const path = join(folder, ".env");
    const text = readOwn(path, problems);
    if (text === undefined) continue;
    const { variables, unclear } = readDotenv(text);
    if (unclear.length > 0) problems.push(`${path}: cannot read line ${unclear.join(", ")}. Write NAME=value.`);
    const added = Object.fromEntries([...variables].filter(([name]) => env[name] === undefined));
    dropForeignAddresses(added, env, path, problems);
    return { env: { ...env, ...added }, path, problems };
  }
  return { env: { ...env }, problems };
}

function foldersUp(cwd: string, home: string): string[] {
  const folders: string[] = [];
  const last = resolve(home);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === last || folder === dirname(folder)) return folders;
  }
}

/** A file of another person, in a folder that all may write to, is no place to take addresses and keys from. */
function readOwn(path: string, problems: string[]): string | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    const user = process.getuid?.();
    if (user !== undefined && user !== 0 && stat.uid !== user && stat.uid !== 0) {
      problems.push(`${path} belongs to another user and was not read.`);
      return undefined;
    }
    if (stat.size > LARGEST_FILE) {
      problems.push(`${path} is larger than 1 MB and was not read.`);
      return undefined;
    }
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A folder on the way up may be closed to us; that is no news.
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push(`${path} could not be read (${code}).`);
    return undefined;
  }
}

/**
 * A file that came with a cloned repository must not send a person's own key to an address of its choice: an address
 * counts only together with a key from the same file, or when it is a near one.
 */
function dropForeignAddresses(added: Record<string, string>, env: Env, path: string, problems: string[]): void {
  for (const vendor of vendors) {
    const baseUrl = added[vendor.baseUrlEnv];
    if (baseUrl === undefined || given(env, vendor.keyEnv) === undefined) continue;
    const located = locate(vendor, { baseUrl });
    if (located.ok && located.endpoint.near) continue;
    delete added[vendor.baseUrlEnv];
    problems.push(
      `${path}: ${vendor.baseUrlEnv} was ignored, for it would get the ${vendor.keyEnv} of your environment. ` +
        `Put the key into the same file, or the address into the environment.`,
    );
  }
}
