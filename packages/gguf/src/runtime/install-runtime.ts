import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import {
  copyOwnFile,
  type Environment,
  type LockClock,
  makePrivateFolder,
  waitForLock,
  writeOwnFile,
} from "@harness/host";
import { findNpm, npmEnvironment, type RunEnd, runToEnd } from "./npm-program.ts";
import { isInstalled, type RuntimeRecipe, recipeFolder } from "./runtime-recipe.ts";

export type InstallOptions = {
  recipe: RuntimeRecipe;
  /** The folder of the installed runtime. Folders of a running installation are next to it. */
  folder: string;
  env: Environment;
  clock: LockClock;
  signal?: AbortSignal;
  /** The Node that runs us. */
  execPath?: string;
};

/** `installed`: it was not there before. */
export type InstallResult = { ok: true; installed: boolean } | { ok: false; problem: string };

/** The user's own npm settings stay in effect: registry, proxy, certificates. */
const NPM_CI = "ci --omit=dev --ignore-scripts --no-audit --no-fund --no-progress --loglevel=warn".split(" ");
const MAX_LINES = 4;

const causes: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|EDQUOT/, "The disk is full: free some space (about NEEDED MB) and try again."],
  [/EACCES|EPERM|EROFS/, "A folder cannot be written: make the one named below writable and try again."],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/,
    "The npm registry cannot be reached: check the network (and the proxy, if you use one) and try again.",
  ],
  [/E404|ETARGET|ENOVERSIONS/, "The npm registry that is set up does not have these packages."],
  [/SELF_SIGNED|CERT_|UNABLE_TO_(GET|VERIFY)/, "The registry's certificate is not trusted: see NODE_EXTRA_CA_CERTS."],
];

/**
 * Installs a runtime, completely or not at all: into a new folder, which replaces the old one once it
 * is complete and has been tested. Never throws.
 */
export async function installRuntime(ask: InstallOptions): Promise<InstallResult> {
  const { folder, recipe, clock, signal = new AbortController().signal } = ask;
  try {
    if (await isInstalled(folder, recipe)) return { ok: true, installed: false };
    const { HARNESS_NO_INSTALL: forbidden = "" } = ask.env;
    if (forbidden !== "" && forbidden !== "0") return { ok: false, problem: forbiddenText(folder, recipe) };
    makePrivateFolder(dirname(folder));
    // Not `.lock`: older versions left a different form of lock there, which this one would wait for forever.
    const lock = await waitForLock(`${folder}.installing`, Number.POSITIVE_INFINITY, clock, signal);
    if (!("release" in lock)) return stoppedResult(recipe);
    try {
      // Another process may have installed it meanwhile.
      if (await isInstalled(folder, recipe)) return { ok: true, installed: false };
      return await installAlone(ask, signal);
    } finally {
      lock.release();
    }
  } catch (error) {
    return failureResult(recipe, `${folder} cannot be written`, error instanceof Error ? error.message : String(error));
  }
}

function forbiddenText(folder: string, recipe: RuntimeRecipe): string {
  const files = `package.json and package-lock.json of ${recipeFolder(recipe)}`;
  return `HARNESS_NO_INSTALL is set, so ${recipe.packageName} is not installed. Install it by hand: copy ${files} to ${folder} and run npm ci --omit=dev --ignore-scripts there.`;
}

/** Requires the lock, so that other installation folders are leftovers of an interrupted one. */
async function installAlone(ask: InstallOptions, signal: AbortSignal): Promise<InstallResult> {
  const { folder, recipe, env, execPath = process.execPath } = ask;
  const npm = findNpm(env, execPath);
  if (!npm) {
    const how = "It comes with Node.js; Debian and Ubuntu have it as the package npm.";
    return { ok: false, problem: `npm was not found, and is needed to install ${recipe.purpose}. ${how}` };
  }
  await sweep(folder);
  const fresh = `${folder}.new-${process.pid}`;
  try {
    await mkdir(fresh, { mode: 0o700 });
    await copyOwnFile(join(recipeFolder(recipe), "package.json"), join(fresh, "package.json"));
    await copyOwnFile(join(recipeFolder(recipe), "package-lock.json"), join(fresh, "package-lock.json"));
    const passed = npmEnvironment(env, execPath, join(dirname(folder), "npm-cache"));
    const args = [...npm.args, ...NPM_CI, "--prefix", fresh];
    const end = await runToEnd({ command: npm.command, args }, { cwd: fresh, env: passed, signal });
    if (signal.aborted) return stoppedResult(recipe);
    if (!end.ok) return failureResult(recipe, `npm could not install ${recipe.purpose}`, end.output);
    const trial = await loadOnce(fresh, recipe, { execPath, env: passed, signal });
    if (signal.aborted) return stoppedResult(recipe);
    if (!trial.ok) {
      const what = `${recipe.packageName} does not run on this system (${process.platform}, ${process.arch})`;
      return failureResult(recipe, what, trial.output);
    }
    const old = `${folder}.old-${process.pid}`;
    await rename(folder, old).catch(ignoreMissing);
    await rename(fresh, folder);
    await rm(old, { recursive: true, force: true });
    return { ok: true, installed: true };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/**
 * Loads the library once, because only loading it shows that it was not built for this system. It runs from a file,
 * because it starts a process of its own with the same flags.
 */
async function loadOnce(
  folder: string,
  { loadScript }: RuntimeRecipe,
  { execPath, env, signal }: { execPath: string; env: Record<string, string>; signal: AbortSignal },
): Promise<RunEnd> {
  const script = join(folder, "load-once.mjs");
  writeOwnFile(script, loadScript);
  return runToEnd({ command: execPath, args: [script] }, { cwd: folder, env, signal });
}

async function sweep(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    if (name.startsWith(`${basename(folder)}.new-`) || name.startsWith(`${basename(folder)}.old-`)) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
}

function stoppedResult({ purpose }: RuntimeRecipe): InstallResult {
  return { ok: false, problem: `The installation of ${purpose} was stopped. Nothing was changed.` };
}

function failureResult({ neededMb }: RuntimeRecipe, what: string, output: string): InstallResult {
  const lines = output
    .split("\n")
    .filter((line) => line.trim() !== "" && !/Unknown user config|A complete log/.test(line));
  const cause = causes.find(([pattern]) => pattern.test(output))?.[1].replace("NEEDED", String(neededMb));
  const shown = lines.slice(-MAX_LINES).join("\n");
  return {
    ok: false,
    problem: [`${what}.`, cause, shown === "" ? undefined : `It said:\n${shown}`].filter(Boolean).join(" "),
  };
}
