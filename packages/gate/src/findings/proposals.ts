import { isSystemPath } from "../places/protected-places.ts";
import type { PolicyRule } from "../ports/policy.ts";
import { discardsWork, isGitConfigWrite } from "../programs/git/words.ts";
import { isInterpreter, programOf } from "../programs/programs.ts";
import { reachesFurther } from "../programs/reach/reach-table.ts";
import { programName } from "../shell/command-text.ts";
import { nameLength } from "./command-name.ts";
import { type CommandLocation, type FoundCommand, type FoundCommands, resolveWord } from "./found-command.ts";
import { isProtectedWord } from "./protected-names.ts";
import { isQuietStatement } from "./quiet-commands.ts";
import { startingSubcommand } from "./started-commands.ts";

/** The rule that "always allow" would save for a command; the caller adds the tool, time and reason. */
export type Proposal = Pick<PolicyRule, "argv" | "rest" | "match" | "not_match"> & { argv: string[] };

const plainWord = /^[A-Za-z0-9_./:@%+,=-]+$/;
const MAX_PROPOSALS = 5;

/** One command prefix for each command of the line, or none at all if one of them cannot be covered. */
export function proposalsFor(found: FoundCommands, location: CommandLocation): Proposal[] {
  if (found.problem !== undefined || found.commands.length === 0) return [];
  const proposals = new Map<string, Proposal>();
  for (const command of found.commands) {
    // Next to others, a command that only reads needs no rule.
    if (found.commands.length > 1 && command.words[0]?.text !== "git" && isLooking(command)) continue;
    if (found.commands.length > 1 && staysHere(command, location)) continue;
    const proposal = proposalFor(command, location);
    if (!proposal) return [];
    proposals.set(`${proposal.argv.join(" ")} ${proposal.rest}`, proposal);
  }
  return proposals.size <= MAX_PROPOSALS ? [...proposals.values()] : [];
}

function proposalFor(command: FoundCommand, location: CommandLocation): Proposal | undefined {
  const { words, assignments, redirects, nested, behind } = command;
  if (nested || behind || assignments.length > 0 || words.length === 0) return undefined;
  if (redirects.some((each) => !isHarmlessRedirect(each))) return undefined;
  if (words.some(({ text, literal }) => !literal && /[$`{}]|[<>]\(/.test(text))) return undefined;
  const texts = words.map(({ text }) => text);
  const [program = ""] = texts;
  const module = moduleCommand(texts);
  if (!module && !isCoverable(program, texts)) return undefined;
  if (program.includes("/") && !isKept(program, command.cwd, location)) return undefined;
  const { argv, rest } = module ?? narrowest(texts);
  if (argv.some((word) => !plainWord.test(word)) || argv.length > MAX_EXACT_WORDS) return undefined;
  const examples = texts.every((word) => plainWord.test(word)) ? [texts.join(" ")] : [];
  const beginning = argv.join(" ");
  return {
    argv,
    rest,
    match: [...new Set([beginning, ...(rest === "any" ? examples : [])])],
    not_match: [`${beginning}x`, `${beginning}; rm x`, ...(rest === "none" ? [`${beginning} x`] : [])],
  };
}

/** People do not compare longer commands with a rule. */
const MAX_EXACT_WORDS = 12;
/** The arguments of these say where they push to or what they overwrite. */
const namedInFull = /^git (?:push|checkout)$/;

/**
 * The name of the command, which covers any arguments; or the whole command if the arguments matter, such as flags that
 * a rule for the name does not cover, or the branch to push.
 */
function narrowest(texts: readonly string[]): Pick<Proposal, "argv"> & { rest: "any" | "none" } {
  const [program = "", ...args] = texts;
  const exactly = { argv: [...texts], rest: "none" as const };
  const argv = texts.slice(0, nameLength(texts));
  if (program === "git" && texts[1] === "checkout" && texts[2] === "-b")
    return { argv: texts.slice(0, 3), rest: "any" };
  if (namedInFull.test(argv.join(" "))) return exactly;
  // A shorter prefix than the command's usual name would cover everything that the program can do.
  if (argv.length < nameLength(texts) || argv.some((word, at) => at > 0 && word.startsWith("-"))) return exactly;
  const command = { program, args: args.map((text) => ({ text, glob: false })), env: [], redirects: [] };
  return reachesFurther(command, argv.length, "beginning") ? exactly : { argv, rest: "any" };
}

/** Modules that check a project, as the commands of the same names do. */
const checkingModules = /^(?:unittest|pytest|mypy|ruff|black|isort|flake8|pylint|pyright|compileall)$/;

/** `python3 -m unittest …`: the module says what the command does. */
function moduleCommand(texts: readonly string[]): ReturnType<typeof narrowest> | undefined {
  const [program = "", option, module = ""] = texts;
  if (!isInterpreter(programName(program)) || option !== "-m" || !checkingModules.test(module)) return undefined;
  const argv = [program, option, module];
  const command = { program, args: texts.slice(1).map((text) => ({ text, glob: false })), env: [], redirects: [] };
  return reachesFurther(command, argv.length, "beginning") ? { argv: [...texts], rest: "none" } : { argv, rest: "any" };
}

/** `cd` to the session's own folder: a rule for the rest of the line covers it too. */
function staysHere(
  { words: [program, folder, ...more], nested, behind, ...rest }: FoundCommand,
  location: CommandLocation,
): boolean {
  if (program?.text !== "cd" || !folder?.literal || folder.text.startsWith("-") || more.length > 0) return false;
  if (nested || behind || rest.assignments.length > 0 || rest.redirects.length > 0) return false;
  return resolveWord(folder.text, rest.cwd, location) === location.cwd;
}

/** A command that only reads, whatever `~` or a pattern stands for. */
export function onlyLooks(command: FoundCommand): boolean {
  const words = command.words.map((word) => (/[$`]/.test(word.text) ? word : { ...word, literal: true }));
  return isLooking({ ...command, words });
}

function isLooking({ words, nested, behind, assignments, redirects }: FoundCommand): boolean {
  if (nested || behind || assignments.length > 0 || redirects.some((each) => !isHarmlessRedirect(each))) return false;
  return words.every(({ literal }) => literal) && isQuietStatement(words.map(({ text }) => text));
}

function isHarmlessRedirect({ operator, target }: FoundCommand["redirects"][number]): boolean {
  return /&$/.test(operator) ? /^[012]$/.test(target.text) : target.text === "/dev/null" && !operator.includes("<<");
}

/**
 * The file at a path may have changed by the next time, unless writes to it are asked about: the user's own tools, the
 * scripts of a skill.
 */
function isKept(program: string, cwd: string, location: CommandLocation): boolean {
  return program.startsWith("/") && isProtectedWord(program, cwd, location) && !isSystemPath(program);
}

function isCoverable(program: string, texts: readonly string[]): boolean {
  const name = programName(program);
  const row = programOf(name);
  if (isInterpreter(name) || row.starts || row.wide === true) return false;
  const words = texts.slice(1);
  if (row.wide?.test(words.join(" ")) || startingSubcommand(row, words)) return false;
  return name !== "git" || !(isGitConfigWrite(words) || discardsWork(words));
}
