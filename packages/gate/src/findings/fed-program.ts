import { isFedEditor } from "../programs/editor-commands.ts";
import { interpreters, isInterpreter, shells } from "../programs/wrapper-rows.ts";
import { programName } from "../shell/command-text.ts";
import type { FoundCommand } from "./found-command.ts";

/** What `source` reads its input by. */
const itsInput = /^(?:\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** Is what the program is fed read as a shell reads it? */
export function feedsShell(program: string): boolean {
  return shells.has(program) || /^(?:source|\.|at|batch)$/.test(program);
}

/** Does an interpreter read its program from another command? One with a file or a text of its own does not. */
export function isFed({ piped, words, redirects }: FoundCommand): boolean {
  const [first = "", ...rest] = words.map(({ text }) => text);
  const program = programName(first);
  const reads = shells.has(program) || program === "source" || program === ".";
  if (reads && rest.some((word) => word.startsWith("<("))) return true;
  const inputs = redirects.filter(({ operator }) => operator.startsWith("<"));
  if (isInterpreter(program) && inputs.some(({ target }) => target.text.startsWith("<("))) return true;
  if (runsItsInput(program, rest)) return piped || inputs.length > 0;
  if (piped && isFedEditor(program, rest)) return true;
  if (!piped || !isInterpreter(program) || redirects.some(({ operator }) => operator.startsWith("<"))) return false;
  if (shells.has(program)) return !rest.some((word) => /^-[a-zA-Z]*c/.test(word)) || rest.includes("-s");
  const code = interpreters.find(([name]) => name.test(program))?.[1];
  return code !== undefined && !rest.some((word) => code.test(word) || !word.startsWith("-") || word === "-m");
}

/** Those that are no interpreters: `source /dev/stdin`, and what runs it later. */
function runsItsInput(program: string, rest: readonly string[]): boolean {
  if (program === "source" || program === ".") return rest.some((word) => itsInput.test(word));
  return /^(?:at|batch)$/.test(program) && !rest.some((word) => /^-[a-zA-Z]*[fldrc]/.test(word));
}
