import { isSubcommand, secondWords } from "./subcommand-rows.ts";

/** A command that may be the user's own program. */
export type ProgramWords = {
  name: string;
  args: readonly string[];
};

/** The meaning of a command line's first word before the flags are read. */
export type Words = {
  args: readonly string[];
  program?: ProgramWords;
};

/** harness's own words that a program of the user may replace. */
export const REPLACEABLE: readonly string[] = ["agent", "session", "tools", "hooks", "help", "version", "auth"];

const SESSION_ID = /^\d{8}-\d{6}-[a-z0-9]{2,}$/;
const COMMAND_NAME = /^[A-Za-z_][\w-]*$/;

/** `agent` means a run or the window, a session id resumes it, and any other word may be a program. */
export function readCommandWords(args: readonly string[], { isTerminal }: { isTerminal: boolean }): Words {
  const [first = "", ...rest] = args;
  if (SESSION_ID.test(first)) {
    const isOneShot = rest.some((word) => !word.startsWith("-")) || !isTerminal;
    return { args: isOneShot ? ["run", "--resume", first, ...rest] : ["--resume", first, ...rest] };
  }
  const isOurs = isSubcommand(first) || secondWords(first).length > 0;
  const mayBeProgram = COMMAND_NAME.test(first) && (!isOurs || REPLACEABLE.includes(first));
  const program = mayBeProgram ? { program: { name: first, args: rest } } : {};
  if (first !== "agent") return { args, ...program };
  const isOneShot = rest.some((word) => !word.startsWith("-")) || !isTerminal;
  return { args: isOneShot ? ["run", ...rest] : rest, ...program };
}
