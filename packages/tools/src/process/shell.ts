import { basename, join } from "node:path";
import { isWithin } from "@harness/gate";
import { realPathIfThere, shellWord } from "@harness/host";
import { realPathNow } from "../files/judged-path.ts";
import { LAST_STRAW, limitScript, limitVariables } from "./command-limits.ts";
import { findProgram } from "./find-program.ts";
import type { OwnProcess } from "./own-process.ts";
import { CALL_SESSION } from "./process-mark.ts";

export { findProgram };

/** The shell leads its session, which identifies the processes in it. */
const NAMED = `export ${CALL_SESSION}=$$; ${LAST_STRAW}`;

/** One stream for both outputs keeps the order of writing. The shell keeps its process id. */
const JOINED = `exec 2>&1; exec "$0" "$@"`;

/**
 * Node gives its children sockets, and Linux cannot open a socket by name: `echo x > /dev/stderr` would fail. A `cat`
 * in between turns it into a pipe. It ignores SIGTERM, so that the last output still gets through.
 */
const PIPED = `exec 3> >(trap "" TERM INT HUP; exec cat); exec "$0" "$@" >&3 2>&1 3>&-`;

/** `env`: variables added to the command's own. */
export type ShellCall = { file: string; args: string[]; helper?: string; env?: Record<string, string> };

function namesOutput(command: string): boolean {
  return /\/dev\/(std(out|err)|fd)|\/proc\/(self|\$)/.test(command);
}

function findBash(path: string): Promise<string | undefined> {
  return findProgram("bash", `${path}:/bin:/usr/bin:/usr/local/bin`);
}

/** The shell for command lines: bash if installed, else sh; without start-up files. */
export async function shellArgs(command: string, path: string): Promise<string[]> {
  const bash = await findBash(path);
  // The last argument is the name that bash begins its error messages with.
  return bash ? [bash, "--norc", "--noprofile", "-c", command, "bash"] : ["/bin/sh", "-c", command, "sh"];
}

/**
 * How to start a background process. It holds its own input, a named pipe, open: watchers end with their input, and
 * harness may be gone before them.
 */
export function stayingCall(words: readonly string[], inputPath: string, own: OwnProcess): ShellCall {
  const input = shellWord(inputPath);
  const script = `${NAMED}${limitScript("sh", own)}if mkfifo -m 600 ${input} 2>/dev/null; then exec 0<>${input}; fi; `;
  return { file: "/bin/sh", args: ["-c", `${script}exec "$0" "$@"`, ...words] };
}

/** A command line and its environment; `startFile`: see `startFileOutside`; `isPosix`: any shell runs it as bash does. */
type Line = {
  command: string;
  env: Readonly<Record<string, string>>;
  startFile?: string | undefined;
  isPosix?: boolean | undefined;
};

/** How to start a command line, within limits. */
export async function lineCall(line: Line, own: OwnProcess): Promise<ShellCall> {
  const { command, env, startFile, isPosix } = line;
  if (isPosix && !namesOutput(command)) return posixCall(command, own);
  const words = await shellArgs(command, env.PATH ?? "");
  const [file = "", ...args] = words;
  if (startFile === undefined || namesOutput(command) || !readsStartFile(file, env, own))
    return shellCall(words, line, own);
  return { file, args, env: { BASH_ENV: startFile, ...limitVariables(own) } };
}

/** Uses `/bin/sh`, which on most systems starts half a millisecond faster than bash. */
function posixCall(command: string, own: OwnProcess): ShellCall {
  const script = `${NAMED}${limitScript("sh", own)}exec 2>&1; ${command}`;
  return { file: "/bin/sh", args: ["-c", script, "bash"] };
}

/** How to start a process for a command line, such as a sandbox around it, within limits. */
export async function shellCall(words: readonly string[], { command, env }: Line, own: OwnProcess): Promise<ShellCall> {
  const bash = namesOutput(command) ? await findBash(env.PATH ?? "") : undefined;
  if (!bash) {
    return { file: "/bin/sh", args: ["-c", `${NAMED}${limitScript("sh", own)}${JOINED}`, ...words] };
  }
  const script = `${NAMED}${limitScript("bash", own)}${PIPED}`;
  return { file: bash, args: ["--norc", "--noprofile", "-c", script, ...words], helper: "cat" };
}

/** Variables that make bash start in a different way, in which it may not read the file. */
const STARTS_OTHERWISE = /^(?:BASH|SHELLOPTS$|POSIXLY_CORRECT$)/;

/** bash expands parameters and commands in the value of BASH_ENV. */
const IS_EXPANDED = /[$`\\]/;

/**
 * The file that the bash of a command reads first, which saves another shell. Undefined if it lies in the workspace
 * (`roots`): code written there by a model must not run with a command that was allowed. `place`: its location.
 */
export function startFileOutside(roots: readonly string[], place = placeOfStartFile()): string | undefined {
  const file = realPathIfThere(place);
  if (file === undefined || IS_EXPANDED.test(file)) return undefined;
  if (roots.some((root) => isWithin(file, root) || isWithin(file, realPathNow(root)))) return undefined;
  return file;
}

function placeOfStartFile(): string {
  const isSource = import.meta.filename.endsWith(".ts");
  return join(import.meta.dirname, isSource ? "" : "../packages/tools/src/process", "command-start.sh");
}

/** True if this program reads the file that BASH_ENV names; other shells called `bash` do not. */
function readsStartFile(bash: string, env: Readonly<Record<string, string>>, { isItsUsers }: OwnProcess): boolean {
  if (!isItsUsers || Object.keys(env).some((name) => STARTS_OTHERWISE.test(name))) return false;
  return /^bash(?:-\d[\d.]*)?$/.test(basename(realPathIfThere(bash) ?? ""));
}
