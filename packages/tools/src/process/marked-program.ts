import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isProgram } from "./find-program.ts";
import { OwnProcess } from "./own-process.ts";
import { CALL_SESSION, callMark, newCallId } from "./process-mark.ts";

type StartedProgram = {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
};

/** The shell is the leader of the session, and becomes the program: only it knows its own id beforehand. */
const NAMED = `export ${CALL_SESSION}=$$; exec "$0" "$@"`;

/**
 * How a program that lives as long as harness is started, as the leader of a session, so that `endOrphans` of the next
 * harness finds it where this one was killed. A program that is not there is left as it is: its start says so best.
 */
export function markedProgram(program: StartedProgram): StartedProgram {
  const { command, args, cwd, env } = program;
  const marked = { ...program, env: { ...env, ...callMark(newCallId(), new OwnProcess()) } };
  // Some shells drop variables whose names they cannot use.
  const keepsAll = Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));
  if (process.platform !== "linux" || !keepsAll || !isThere(command, cwd, env.PATH ?? "")) return marked;
  return { ...marked, command: "/bin/sh", args: ["-c", NAMED, command, ...args] };
}

function isThere(command: string, cwd: string, path: string): boolean {
  if (!existsSync(cwd)) return false;
  if (command.includes("/")) return isProgram(resolve(cwd, command));
  return path.split(":").some((folder) => folder.startsWith("/") && isProgram(resolve(folder, command)));
}
