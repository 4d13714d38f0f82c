import type { ShellRedirect } from "../ports/shell-grammar.ts";
import { isInterpreter, programOf } from "../programs/programs.ts";
import { programName } from "../shell/command-text.ts";
import type { FoundCommand } from "./found-command.ts";

/** True if the program reads its input as a shell does. */
export function givesInputToShell(program: string): boolean {
  const { shell, runsInput } = programOf(program);
  return shell === true || runsInput !== undefined;
}

/**
 * True if the program executes its input, from a pipe or a redirection. It does not if it is given a file or a text to
 * run.
 */
export function runsItsInput({ piped, words, redirects }: FoundCommand): boolean {
  const [first = "", ...rest] = words.map(({ text }) => text);
  const program = programName(first);
  const { shell, code, runsInput, runsPiped } = programOf(program);
  if ((shell || runsInput) && rest.some((word) => word.startsWith("<("))) return true;
  // A script that another command prints.
  const takesScript = isInterpreter(program) || runsInput;
  if (
    takesScript &&
    rest.some((word, at) => word.startsWith("<(") && /^(?:-[a-zA-Z]*[fPI]|--file)$/.test(rest[at - 1] ?? ""))
  )
    return true;
  const inputs = redirects.filter(isOtherInput);
  if (isInterpreter(program) && inputs.some(({ target }) => target.text.startsWith("<("))) return true;
  if (runsInput?.(rest)) return piped || inputs.length > 0;
  if (!piped) return false;
  if (runsPiped?.(rest)) return true;
  if (inputs.length > 0) return false;
  if (shell) return !rest.some((word) => /^-[a-zA-Z]*c/.test(word)) || rest.includes("-s");
  return code !== undefined && !rest.some((word) => code.test(word) || !word.startsWith("-") || word === "-m");
}

/** True if it reads a file instead of its input. `<&0` and `</dev/stdin` are its input, or a copy of it. */
export function isOtherInput({ operator, target }: ShellRedirect): boolean {
  if (!/^0?</.test(operator) || /^0?<&$/.test(operator)) return false;
  return !/^\/(?:dev\/(?:stdin$|fd\/|tty$)|proc\/[^/]+\/fd\/)/.test(target.text);
}
