import { existsSync, statSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import { readFileStart } from "../files/file-start.ts";
import { realPathOrSame } from "../files/real-path.ts";

const MAX_FIRST_LINE_BYTES = 512;

/** Why a program could not be started, as a clause about it that says what to do. */
export async function startProblem(path: string, cwd: string, error: unknown): Promise<string> {
  switch (errorCode(error)) {
    case "ENOENT": {
      if (!existsSync(cwd)) return `the folder ${cwd}, where it should run, does not exist`;
      if (!existsSync(path)) return "it does not exist";
      const line = await firstLine(path);
      return windowsLine(line) ?? `the interpreter in its first line does not exist: ${line}`;
    }
    case "EACCES":
      return hasRunBit(path)
        ? "the system refuses to run it, or the interpreter in its first line"
        : `it is not executable; run chmod +x ${path}`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** Why a program cannot be run, after another program failed to run it; undefined if no reason is known. */
export async function runProblem(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return "it does not exist";
  if (!hasRunBit(path)) return `it is not executable; run chmod +x ${path}`;
  const line = await firstLine(path);
  const interpreter = /^#!\s*(\S+)/.exec(line)?.[1];
  const isMissing = interpreter !== undefined && !existsSync(interpreter);
  return windowsLine(line) ?? (isMissing ? `the interpreter in its first line does not exist: ${line}` : undefined);
}

/**
 * For a program that has ended as if its interpreter were not found: the reason is a Windows line break after the
 * interpreter's name.
 */
export async function windowsLineProblem(path: string): Promise<string | undefined> {
  return windowsLine(await firstLine(path));
}

function windowsLine(line: string): string | undefined {
  if (!line.startsWith("#!") || !line.endsWith("\r")) return undefined;
  return "its first line ends in a Windows line break, which becomes part of the interpreter's name; save it with Unix line breaks";
}

async function firstLine(path: string): Promise<string> {
  const start = await readFileStart(realPathOrSame(path), MAX_FIRST_LINE_BYTES);
  return start?.bytes.toString("utf8").split("\n", 1)[0] ?? "";
}

function hasRunBit(path: string): boolean {
  try {
    return (statSync(path).mode & 0o111) !== 0;
  } catch {
    return false;
  }
}
