import type { ChildProcess } from "node:child_process";
import { basename, dirname, relative } from "node:path";
import type { FileFinder } from "@harness/core";
import { inAnyCase, isWithin, secretCandidates, WildcardPattern } from "@harness/gate";
import { childEnvironment } from "../environment/child-environment.ts";
import { realPathOfFile } from "../files/opened-place.ts";
import { OwnProcess } from "../process/own-process.ts";
import { callMark } from "../process/process-mark.ts";
import { expandBraces } from "../text/brace-expansion.ts";
import { inPathOrder } from "./find-files.ts";
import { globParts } from "./glob-parts.ts";
import { isIgnoredFolder, NEVER_LISTED } from "./ignore-rules.ts";
import { mayMissLegacy, NOT_UTF8, withLegacyMatches } from "./legacy-search.ts";
import { COUNTED_MORE, isSkipped, type Match, type MatchList, type Search } from "./match-list.ts";
import { provenMatches } from "./proven-matches.ts";

/** Restricts ripgrep to the files of our own search, whatever the user's settings. */
const SAME_FILES = [
  "--no-config",
  "--hidden",
  "--no-ignore-dot",
  "--no-ignore-global",
  "--no-require-git",
  ...[...NEVER_LISTED].map((name) => `--glob=!${name}`),
  "--sort=path",
  "--no-messages",
];
const OUTPUT = ["--no-heading", "--with-filename", "--line-number", "--null", "--color=never"];
const SHORT_LINES = ["--max-columns=400", "--max-columns-preview"];
const NAMES = ["--files-with-matches", "--null", "--color=never"];
const MAX_ALTERNATIVES = 1_000;
/** The exit code of a failed search. */
const FAILED = 2;
/** A file name pattern that ripgrep reads as we do. */
const NAME_GLOB = /^[\w.*?{},-]+$/;

/**
 * Undefined: this search is not for ripgrep, because it does not support the expression or file pattern, or does not
 * start.
 */
export async function ripgrepSearch(program: string, search: Search): Promise<MatchList | undefined> {
  const { glob, base, folder } = search;
  if (glob !== undefined && !NAME_GLOB.test(glob)) return undefined;
  const only = glob === undefined ? [] : [`--type-add=harness:${glob}`, "--type=harness"];
  const secretTypes = secretCandidates().flatMap((name) => ["--type-add", `secret:${inAnyCase(name)}`]);
  const most = search.limit + COUNTED_MORE;
  const files =
    folder && (await isIgnoredFolder(base, search.cwd)) ? [...SAME_FILES, "--no-ignore-parent"] : SAME_FILES;
  const rows = createRows(most, (path) => folder && isSkipped(path, search));
  const run = (args: string[], take: (text: string) => boolean) => runProgram(program, args, search, take);
  const pattern = `--regexp=${search.pattern}`;
  const [exitCode, listed, legacy] = await Promise.all([
    run([...files, ...OUTPUT, ...SHORT_LINES, ...only, pattern, "--", base], rows.take),
    folder
      ? secretsIn(search.list, run, [...files, "--files", "--null", ...secretTypes, "--type=secret", "--", base])
      : [],
    mayMissLegacy(search) ? pathsFrom(run, [...files, ...NAMES, ...only, `--regexp=${NOT_UTF8}`, "--", base]) : [],
  ]);
  // Our own search reports the problem, or does what ripgrep cannot.
  if (exitCode === FAILED && rows.matches.length === 0 && !search.signal.aborted) return undefined;
  const fitting = listed.filter((path) => glob === undefined || fitsName(basename(path), glob));
  const secrets = await inside(fitting, base);
  const shown = rows.matches.slice(0, search.limit);
  const proven = await provenMatches(shown, search);
  const list = {
    matches: proven.map((match) => ({
      ...match,
      file: relative(base, match.file),
    })),
    more: Math.max(0, rows.matches.length - search.limit),
    least: rows.matches.length >= most,
    secrets: inPathOrder(secrets.map((path) => relative(base, path))),
    tooLarge: 0,
    unproven: shown.length - proven.length,
  };
  return withLegacyMatches(list, legacy, search);
}

/** The paths that are really below the base: nothing else was approved, whatever a program lists. */
async function inside(paths: readonly string[], base: string): Promise<string[]> {
  const real = await Promise.all(paths.map((path) => realPathOfFile(path).catch(() => "")));
  return paths.filter((path, i) => isWithin(path, base) && isWithin(real[i] ?? "", base));
}

type RunRipgrep = (args: string[], take: (text: string) => boolean) => Promise<number | null>;

async function secretsIn(list: FileFinder, run: RunRipgrep, args: string[]): Promise<string[]> {
  return (await pathsFrom(run, args)).filter((path) => list.isSecret(path));
}

/** The paths that ripgrep prints with a NUL after each. */
async function pathsFrom(run: RunRipgrep, args: string[]): Promise<string[]> {
  let text = "";
  await run(args, (piece) => {
    text += piece;
    return text.length < 1_000_000;
  });
  return text.split("\0").filter((path) => path !== "");
}

function fitsName(name: string, glob: string): boolean {
  return (expandBraces(glob, MAX_ALTERNATIVES) ?? []).some((each) => {
    const parts = globParts(each, "itself");
    return parts !== undefined && new WildcardPattern(parts).test(name);
  });
}

/** Parses a stream of `path NUL line : text LF`. */
function createRows(most: number, skip: (path: string) => boolean): { matches: Match[]; take(text: string): boolean } {
  const matches: Match[] = [];
  let rest = "";
  const take = (piece: string) => {
    rest += piece;
    while (matches.length < most) {
      const pathEnd = rest.indexOf("\0");
      const numberEnd = rest.indexOf(":", pathEnd + 1);
      const end = pathEnd === -1 || numberEnd === -1 ? -1 : rest.indexOf("\n", numberEnd);
      if (end === -1) return true;
      const file = rest.slice(0, pathEnd);
      const text = rest.slice(numberEnd + 1, end).replace(/\r$/, "");
      if (!skip(file)) matches.push({ file, line: Number(rest.slice(pathEnd + 1, numberEnd)), text });
      rest = rest.slice(end + 1);
    }
    return false;
  };
  return { matches, take };
}

/**
 * Returns the exit code; null: it was killed. Runs until it ends, `take` has enough, or the search is cancelled. Never
 * throws.
 */
async function runProgram(
  program: string,
  args: string[],
  { base, folder, signal }: Search,
  take: (text: string) => boolean,
): Promise<number | null> {
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const env = childEnvironment(process.env, {}, callMark("search", new OwnProcess()));
    const cwd = folder ? base : dirname(base);
    const child: ChildProcess = spawn(program, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      signal,
      killSignal: "SIGKILL",
    });
    let exitCode: number | null = null;
    child.once("error", () => {
      resolve(signal.aborted ? null : FAILED);
    });
    // With too many open files, it has no streams.
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (!take(text)) child.kill("SIGKILL");
    });
    child.once("exit", (code) => {
      exitCode = code;
    });
    child.once("close", () => resolve(exitCode));
  });
}
