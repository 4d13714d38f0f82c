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

/** The shell leads the session and then becomes the program: only the shell knows its id in advance. */
const NAMED = `export ${CALL_SESSION}=$$; exec "$0" "$@"`;

/**
 * How to start a program that lives as long as harness: as the leader of a session, so that the `endOrphans` of the
 * next harness finds it if this one is killed. A missing program is returned unchanged, because its start reports the
 * problem best.
 */
export function markedProgram(program: StartedProgram): StartedProgram {
  const { command, args, cwd, env } = program;
  const marked = { ...program, env: { ...env, ...callMark(newCallId(), new OwnProcess()) } };
  // Some shells drop variables whose names are not valid in a shell.
  const keepsAll = Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));
  if (process.platform !== "linux" || !keepsAll || !isThere(command, cwd, env.PATH ?? "")) return marked;
  return { ...marked, command: "/bin/sh", args: ["-c", NAMED, command, ...args] };
}

function isThere(command: string, cwd: string, path: string): boolean {
  if (!existsSync(cwd)) return false;
  if (command.includes("/")) return isProgram(resolve(cwd, command));
  return path.split(":").some((folder) => folder.startsWith("/") && isProgram(resolve(folder, command)));
}
