import type { CheckedCommand, CheckedLine } from "./checked-line.ts";
import { readShellTokens, type ShellToken, variableMark, type WordToken } from "./shell-token.ts";
import { unrolledLoops } from "./unrolled-loops.ts";

const MAX_CHARACTERS = 10_000;
const MAX_COMMANDS = 30;

type Outside = { outside: string };

/** Anything but printable ASCII, tab, line feed and visible letters of any script. */
const oddCharacter = /[^\t\n\x20-\x7e\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/u;

/**
 * Reads a command line that bash reads in exactly one way, with the words as a program gets them; `outside` says why it
 * is not such a line. May be used to allow: anything not known for certain is outside.
 */
export function readStrictLine(command: string): CheckedLine | Outside {
  if (command.length > MAX_CHARACTERS) return { outside: `it is longer than ${MAX_CHARACTERS} characters` };
  const odd = oddCharacter.exec(command)?.[0];
  if (odd !== undefined) return { outside: `it has the character ${codeOf(odd)}` };
  const tokens = readShellTokens(command);
  if ("outside" in tokens) return tokens;
  const commands = unrolledLoops(tokens);
  return "outside" in commands ? commands : readCommands(commands);
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function readCommands(tokens: readonly ShellToken[]): CheckedLine | Outside {
  const line: CheckedLine = { commands: [], joins: [] };
  let part: Part = [];
  /** The operator after the last command; a line end after an operator adds nothing. */
  let join: CheckedLine["joins"][number] | undefined;
  for (const token of tokens) {
    if (token.kind !== "join") {
      part.push(token);
      continue;
    }
    if (part.length === 0) {
      if (token.join === "\n") continue;
      return { outside: `there is nothing before ${token.join}` };
    }
    const problem = addCommand(line, part, join);
    if (problem) return problem;
    part = [];
    join = token.join === "\n" ? ";" : token.join;
  }
  if (part.length > 0) return addCommand(line, part, join) ?? line;
  if (line.commands.length === 0) return { outside: "it is empty" };
  return join === ";" || join === undefined ? line : { outside: `there is nothing after ${join}` };
}

type Part = Exclude<ShellToken, { kind: "join" }>[];

/** Adds the command to the line, or says why it cannot be part of it. */
function addCommand(
  line: CheckedLine,
  part: Part,
  join: CheckedLine["joins"][number] | undefined,
): Outside | undefined {
  const command = readCommand(part);
  if ("outside" in command) return command;
  if (line.commands.length === MAX_COMMANDS) return { outside: `it has more than ${MAX_COMMANDS} commands` };
  if (line.commands.length > 0) line.joins.push(join ?? ";");
  line.commands.push(command);
  return undefined;
}

const reserved = new Set(
  "if then else elif fi do done case esac while until for select function time in coproc".split(" "),
);

function readCommand(part: Part): CheckedCommand | Outside {
  if (part.some(hasUnknownVariable)) return { outside: "what $ stands for is known only when it runs" };
  const env: CheckedCommand["env"] = [];
  let at = 0;
  for (; at < part.length; at++) {
    const token = part[at];
    if (token?.kind !== "word") break;
    const name = assignedName(token);
    if (name === undefined) break;
    const value = token.text.slice(name.length + 1);
    if (token.glob || !isHarmlessVariable(name, value)) return { outside: `it sets the variable ${name}` };
    env.push([name, value]);
  }
  const first = part[at];
  if (first?.kind !== "word") return { outside: "a redirection or an assignment has no command" };
  const program = first.text;
  const isPlain =
    !first.glob && first.plainLength === program.length && /^(?:[A-Za-z0-9_][A-Za-z0-9_.+-]*|\[)$/.test(program);
  if (!isPlain) return { outside: `the program is not named by a plain word: ${program}` };
  if (reserved.has(program)) return { outside: `${program} is a shell keyword` };
  const command: CheckedCommand = { program, args: [], env, redirects: [] };
  for (const token of part.slice(at + 1)) {
    if (token.kind === "word") command.args.push({ text: token.text, glob: token.glob });
    else if (token.kind === "redirect") command.redirects.push(...token.redirects);
    // A shell reaches the network through names below /dev.
    else if (command.input !== undefined || /^(?:$|\/+dev\/)/.test(token.text))
      return { outside: "it reads from a redirection" };
    else command.input = token.text;
  }
  return command;
}

/** `$?` is known to be a number. */
function hasUnknownVariable(token: Part[number]): boolean {
  return token.kind !== "redirect" && token.text.replaceAll(exitStatus, "").search(variableMark) >= 0;
}

/** The representation of `$?` in a word. */
export const exitStatus = "\uE000?\uE001";

/** The name before an unquoted `=`. Quoted names and `+=` are left to the check of the program's name, which fails. */
function assignedName({ text, plainLength }: WordToken): string | undefined {
  const name = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(text)?.[1];
  return name !== undefined && name.length < plainLength ? name : undefined;
}

/** Path values would make programs load files; a time zone may only be a name. */
function isHarmlessVariable(name: string, value: string): boolean {
  if (name === "TZ") return /^(?:[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)*)?$/.test(value);
  return /^(?:LANG|LC_[A-Z]+|NO_COLOR|FORCE_COLOR|TERM|COLUMNS|CI)$/.test(name) && /^[A-Za-z0-9_@.:+-]*$/.test(value);
}
