import type { CommandView } from "../command/command-view.ts";
import { type CommandLocation, type FoundCommand, resolveWord, rootOf } from "../findings/found-command.ts";
import { isWithin } from "../places/path-place.ts";
import { discardsWork, isGitConfigWrite } from "../programs/git/words.ts";
import { isInterpreter, programOf } from "../programs/programs.ts";
import { programName } from "../shell/command-text.ts";

/** Nobody compares longer lines with a rule. */
const MAX_LINE = 160;
const visibleLine = /^[\x20-\x7e\p{L}\p{N}]+$/u;

/**
 * True if people can judge the whole line by its words: `make -j2 all`, `cc main.c && ./a.out`, `python3 main.py`. It
 * may only name files of the project. Their contents may change before the next time, as those of `npm test` may.
 */
export function isExactLine(line: string, { findings, problem }: CommandView, location: CommandLocation): boolean {
  const { commands, danger, exact } = findings;
  if (!exact || danger || problem !== undefined || commands.length === 0) return false;
  if (line.length > MAX_LINE || !visibleLine.test(line)) return false;
  return commands.every((each) => isPlain(each) && staysInside(each, location) && saysEnough(each));
}

/** Every word means the same the next time. */
function isPlain({ words, nested, behind, assignments, redirects, piped }: FoundCommand): boolean {
  if (nested || behind || words.length === 0) return false;
  if ([...words.map(({ text }) => text), ...assignments].some((text) => /[$`~]|[<>]\(/.test(text))) return false;
  // A program that runs its input would run whatever comes through the pipe.
  if (piped && isInterpreter(programName(words[0]?.text ?? ""))) return false;
  return redirects.every(({ operator, target }) => {
    if (/&$/.test(operator)) return /^[012]$/.test(target.text);
    return operator === "<" || (target.text === "/dev/null" && !operator.includes("<<"));
  });
}

function staysInside({ words, redirects, cwd }: FoundCommand, location: CommandLocation): boolean {
  const root = rootOf(location.cwd, location);
  if (!isWithin(cwd, root)) return false;
  const read = redirects.filter(({ operator }) => operator === "<").map(({ target }) => target.text);
  return [...words.map(({ text }) => text), ...read].every((text) => {
    // `--prefix=x` and `-Cx` name x.
    const name = text.slice(text.indexOf("=") + 1).replace(/^-\w(?=\/|\.\.)/, "");
    return !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(name) || isWithin(resolveWord(name, cwd, location), root);
  });
}

/** Its numbers stand for other processes the next time. */
const namesProcesses = /^(?:kill|pkill|killall)$/;

/**
 * The words say too little about a program that starts what they name, reaches a host, or runs a text in its own
 * language; and nobody wants files removed unasked for good.
 */
function saysEnough({ words, assignments }: FoundCommand): boolean {
  const [program = "", ...args] = words.map(({ text }) => text);
  const name = programName(program);
  const { starts, hosts, code, takesText, takesProgram, evaluates, editor, removes } = programOf(name);
  if (namesProcesses.test(name) || starts || hosts || takesText || takesProgram || evaluates || editor || removes)
    return false;
  if (assignments.some((each) => /^(?:PATH|IFS|ENV|BASH_ENV|LD_\w+|DYLD_\w+|\w*OPTS|\w*OPTIONS)=/.test(each)))
    return false;
  if (name === "git") return !(isGitConfigWrite(args) || discardsWork(args));
  if (!isInterpreter(name)) return true;
  const [first = "", second] = args;
  if (code && args.some((word) => code.test(word))) return false;
  return first === "-m" ? second !== undefined : first !== "" && !first.startsWith("-");
}
