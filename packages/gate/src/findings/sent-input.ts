import type { ShellReading } from "../ports/shell-grammar.ts";
import { builtinKind, isInterpreter, programOf, runsOthers } from "../programs/programs.ts";
import { programName } from "../shell/command-text.ts";
import { type CommandLocation, dependsOnRun, type FoundCommand, folderAfter, MAX_CHARACTERS } from "./found-command.ts";
import { isOtherInput, runsItsInput } from "./stdin-programs.ts";
import { commandViews, withoutLists, wordRuns } from "./text-views.ts";

/** Input for the running command `to`: `text`, after everything sent `before`; absent: unknown. */
export type SentInput = { to: string; text: string; before?: string | undefined };

/** How one of the commands may read the input. */
type SentReading = {
  /** Texts that a shell may read in this folder. */
  scripts: readonly string[];
  cwd: string;
  guesses: string[][];
  /** True if the program executes it, whatever it says. */
  isScript: boolean;
  problem?: string;
};

const OTHER_LANGUAGE = "is sent text that only the program itself can read";
const UNKNOWN_BEFORE = "goes on from earlier input that is no longer known";
const CONTROLS = "is sent control characters, which may change what it reads";
const TAKEN_OVER = "is sent text for a program that earlier input has started";
const ELSEWHERE = "runs in a folder that is known only when it runs";

const RECALLED = "runs an earlier command again, which is known only when it runs";
/** Recalls from the history of an interactive shell: `!git`, `!!`, `fc -s`. */
const recall = /(?:^|[\s;&|({`])(?:![\w!?$*^#-]|fc(?![^\s;&|]))/m;

/** Limits the words, because matching a pattern against each takes quadratic time. */
const MAX_OTHER = 2_000;

/**
 * How a running command may read what its process is sent; undefined if it reads it as data or not at all. `read` reads
 * as a shell does; it returns undefined if that is impossible.
 */
export function readSent(
  receiver: FoundCommand,
  sent: SentInput,
  location: CommandLocation,
  read: (text: string) => ShellReading | undefined,
): SentReading | undefined {
  const [first = "", ...rest] = receiver.words.map(({ text }) => text);
  const program = programName(first);
  if (first === "" || receiver.piped || receiver.redirects.some(isOtherInput) || isData(program)) return undefined;
  const [text = "", ...otherwise] = spellings(sent.text);
  const [before = ""] = spellings(sent.before ?? "");
  const odd = otherwise.length > 0 ? CONTROLS : sent.before === undefined ? UNKNOWN_BEFORE : undefined;
  if (isOpenShell(program, rest)) {
    const script = goneOn(before, text, receiver.cwd, location, read);
    const others = otherwise.map((each) => before + each);
    const problem = odd ?? script.problem ?? (recall.test(text) ? RECALLED : undefined);
    return { ...script, scripts: [script.text, ...others], isScript: true, ...(problem ? { problem } : {}) };
  }
  const line = before.slice(before.lastIndexOf("\n") + 1) + text;
  const guesses = [line, ...otherwise].flatMap(otherViews);
  // `docker exec -i c sh`
  const starts = runsOthers(program) && rest.some((word) => isInterpreter(programName(word)));
  const isScript = starts || isInterpreter(program) || programOf(program).editor === true;
  if (!isScript && !odd && isAnswer(line)) return { scripts: [], cwd: receiver.cwd, guesses, isScript };
  return { scripts: [line, ...otherwise], cwd: receiver.cwd, guesses, isScript, problem: odd ?? OTHER_LANGUAGE };
}

/** True if it only displays its input or passes it on; builtins of the shell read none, or a line for a variable. */
function isData(program: string): boolean {
  const { reads, quiet, editor, runsInput, plainWords } = programOf(program);
  if (runsOthers(program) || editor || runsInput) return false;
  return reads !== undefined || quiet !== undefined || plainWords === true || builtinKind(program) !== undefined;
}

/** A shell without a script, here or on another machine. */
function isOpenShell(program: string, args: readonly string[]): boolean {
  const { shell, runsInput } = programOf(program);
  if (runsInput) return runsInput(args);
  if (!shell) return false;
  if (args.some((word) => /^-[a-zA-Z]*s/.test(word))) return true;
  return args.every((word) => /^[-+]/.test(word) && !/^-[a-zA-Z]*c/.test(word));
}

/** Such as `y`, `rs`, `3`, or an empty line: it names neither files nor commands with arguments. */
function isAnswer(line: string): boolean {
  return /^[\w,:+-]{0,40}\n*$/.test(line);
}

function otherViews(text: string): string[][] {
  const some = text.slice(0, MAX_OTHER);
  return [
    ...wordRuns(some.replace(/[!'"(),[\]]/g, "\n"), { anywhere: true }),
    ...commandViews(text.slice(0, MAX_CHARACTERS)),
    ...commandViews(withoutLists(text.slice(0, MAX_CHARACTERS))),
  ];
}

/** Constructs that change how a shell reads everything after them, besides a plain `cd`. */
const definition = /(?:^|[\s;&|(){}])(?:function\s|alias\s|[\w.:-]+\s*\(\s*\))/;
const withoutEffect: ReadonlySet<string> = new Set(
  ": wait jobs times dirs history getopts disown fg bg umask ulimit".split(" "),
);

/**
 * A script that continues earlier input. If that input is complete and changed nothing but the folder, only the new
 * text counts; otherwise both together.
 */
function goneOn(
  before: string,
  text: string,
  start: string,
  location: CommandLocation,
  read: (text: string) => ShellReading | undefined,
): { text: string; cwd: string; guesses: string[][]; problem?: string } {
  if (before === "") return { text, cwd: start, guesses: [] };
  const earlier = read(before);
  const all = { text: before + text, cwd: start, guesses: [] };
  if (!earlier || earlier.problem !== undefined || !before.endsWith("\n") || definition.test(before)) return all;
  let cwd = start;
  let isChanged = false;
  for (const command of earlier.commands) {
    const [first, ...rest] = command.words;
    const program = programName(first?.text ?? "");
    if (
      mayTakeOver(
        program,
        rest.map(({ text: word }) => word),
        command,
      )
    ) {
      return { ...all, guesses: otherViews(text), problem: TAKEN_OVER };
    }
    if (/^(?:cd|pushd|popd)$/.test(program)) {
      const isPlain =
        program !== "popd" && !command.nested && !rest.some((word) => dependsOnRun(word.text) || word.text === "-");
      if (!isPlain) return { ...all, problem: ELSEWHERE };
      cwd = folderAfter(command, cwd, location);
    } else if (builtinKind(program) === "changes the shell" && !withoutEffect.has(program)) isChanged = true;
    else if (first === undefined && command.assignments.length > 0) isChanged = true;
    else if (mayStore(program, command)) isChanged = true;
  }
  return isChanged ? all : { text, cwd, guesses: [] };
}

/** True if what follows may end up in a file, as after `cat > x` and `tee x`. */
function mayStore(program: string, { piped, redirects }: ShellReading["commands"][number]): boolean {
  if (piped || redirects.some(isOtherInput)) return false;
  return /^(?:tee|dd|sponge|patch)$/.test(program) || redirects.some(({ operator }) => operator.includes(">"));
}

/** Names of scripts: their programs execute them instead of the input that follows. */
const scriptName = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|sh|R|jl|exs?|sql)$/;

/** True if a command of earlier input executes what follows. */
function mayTakeOver(program: string, rest: readonly string[], command: ShellReading["commands"][number]): boolean {
  const { code, editor } = programOf(program);
  if (command.piped || command.redirects.some(isOtherInput)) return false;
  if (runsItsInput({ ...command, piped: true, cwd: "/", behind: false }) || editor) return true;
  if (!isInterpreter(program)) return false;
  return !rest.some((word) => scriptName.test(word) || code?.test(word));
}

/**
 * The text as the program reads it: a shell drops NUL, and a terminal turns a carriage return into a line end. With
 * other control characters: once without them, and once as a terminal edits a line by them.
 */
function spellings(text: string): string[] {
  const plain = text.replaceAll("\0", "").replace(/\r\n?/g, "\n");
  if (!controls.test(plain)) return [plain];
  return [...new Set([plain.replace(new RegExp(controls, "g"), ""), editText(plain)]), plain];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Backspace, Ctrl+W and Ctrl+U erase what precedes them. */
function editText(text: string): string {
  let line = "";
  let done = "";
  for (const sign of text) {
    if (sign === "\n") {
      done += `${line}\n`;
      line = "";
    } else if (sign === "\x7f" || sign === "\b") line = line.slice(0, -1);
    else if (sign === "\x15") line = "";
    else if (sign === "\x17") line = line.replace(/\S*\s*$/, "");
    else if (!controls.test(sign)) line += sign;
  }
  return done + line;
}
