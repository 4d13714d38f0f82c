import { isFedEditor } from "./editor-commands.ts";
import { type FoundCommand, programName } from "./found-command.ts";
import { interpreters, isInterpreter, shells } from "./wrapper-rows.ts";

/** Does an interpreter read its program from another command? One with a file or a text of its own does not. */
export function isFed({ piped, words, redirects }: FoundCommand): boolean {
  const [first = "", ...rest] = words.map(({ text }) => text);
  const program = programName(first);
  const reads = shells.has(program) || program === "source" || program === ".";
  if (reads && rest.some((word) => word.startsWith("<("))) return true;
  if (piped && isFedEditor(program, rest)) return true;
  if (!piped || !isInterpreter(program) || redirects.some(({ operator }) => operator.startsWith("<"))) return false;
  if (shells.has(program)) return !rest.some((word) => /^-[a-zA-Z]*c/.test(word)) || rest.includes("-s");
  const code = interpreters.find(([name]) => name.test(program))?.[1];
  return code !== undefined && !rest.some((word) => code.test(word) || !word.startsWith("-") || word === "-m");
}
