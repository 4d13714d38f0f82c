import { isWithin, resolvePath } from "../places/path-place.ts";
import { isHarmlessDevice, isProtected } from "../places/protected-places.ts";
import { isLong } from "../programs/arguments/operands.ts";
import type { Warning } from "../programs/program.ts";
import { programOf, readByTable } from "../programs/programs.ts";
import { commandStart } from "../programs/starts/started-commands.ts";
import { fileArguments, replacesFiles } from "./file-reach.ts";
import {
  type CommandLocation,
  type FoundCommand,
  type FoundCommands,
  normalizedWords,
  resolveWord,
  rootOf,
} from "./found-command.ts";
import { isProtectedWord, namesProtected } from "./protected-names.ts";
import { runsItsInput } from "./stdin-programs.ts";
import { redirectTargets } from "./text-collection.ts";

/**
 * Why a command is more dangerous than others, as the end of "runs a command that …". `always`: asked in every mode.
 */
export type Danger = { reason: string; always: boolean };

/** Files and hosts that the command line reaches. */
type LineReach = { writes: readonly string[]; replaces: readonly string[]; network: string | undefined };

/** More reasons are not read at once. */
const MAX_REASONS = 3;
/** A second finding about one of these says nothing new. */
const subjects = /\bdevice\b|\bprotected file\b|\bfolder\b/;

/**
 * The worst danger found, with the reasons of several. A command without one is not proven harmless and is asked about
 * as well.
 */
export function dangerOf(
  command: string,
  found: FoundCommands,
  location: CommandLocation,
  reached: LineReach,
): Danger | undefined {
  const always = reasonOf(alwaysDangers(command, found, location, reached));
  if (always !== undefined) return { reason: always, always: true };
  const high = highDanger(command, found, location) ?? reached.network;
  return high === undefined ? undefined : { reason: high, always: false };
}

function reasonOf(all: Iterable<string>): string | undefined {
  const bySubject = new Map<string, string>();
  for (const reason of all) {
    const subject = subjects.exec(reason)?.[0] ?? reason;
    if (!bySubject.has(subject)) bySubject.set(subject, reason);
    if (bySubject.size === MAX_REASONS) break;
  }
  return bySubject.size === 0 ? undefined : [...bySubject.values()].join("; it ");
}

/** For a program that runs text which another prints or downloads. */
const RUNS_SENT = "is given text that it runs";
export const UNCHECKED_INPUT = "runs text from elsewhere as a script, which cannot be checked first";

const bomb = /(?<![\w:])([\w:]{1,40})\s*\(\s*\)\s*\{[^}]{0,200}\1\s*\|\s*\1/;

/** According to the table of readers. Redirections that write are checked separately. */
function onlyReads({ words: [program, ...args], assignments }: FoundCommand): boolean {
  if (!program?.literal || args.some(({ literal }) => !literal) || assignments.length > 0) return false;
  const reading = readByTable({
    program: program.text,
    args: args.map(({ text }) => ({ text, glob: false })),
    env: [],
    redirects: [],
  });
  return reading !== undefined && !("reason" in reading);
}

function* alwaysDangers(
  command: string,
  found: FoundCommands,
  location: CommandLocation,
  { writes, replaces }: LineReach,
): Generator<string> {
  if (/:\s*\(\s*\)\s*\{/.test(command) || bomb.test(command)) yield "starts endless processes";
  if (writes.some((path) => /^\/dev\//.test(path) && isProtected(path, rootOf(path, location))))
    yield "writes to a device";
  if (replaces.some(isHarmlessDevice)) yield "replaces or changes a device";
  if (!found.byGrammar && />\s*\/dev\/(?!null|std|tty|fd|zero|full)/.test(command)) yield "writes to a device";
  for (const each of found.commands) {
    const words = ownWords(each).map(({ text }) => text);
    if (changesHome(words)) yield "changes a whole home folder";
    if (!onlyReads(each) && folders(each, location).some((cwd) => namesProtected(words, cwd, location)))
      yield "names a protected file";
  }
  for (const each of found.commands) {
    for (const cwd of folders(each, location)) {
      const reason = programDanger(normalizedWords(each), cwd, location);
      if (reason !== undefined) yield reason;
    }
  }
  for (const words of found.guesses) {
    if (changesHome(words)) yield "changes a whole home folder";
    const reason = programDanger(words, location.cwd, location);
    if (reason !== undefined) yield reason;
  }
  const targets = found.byGrammar ? [] : redirectTargets(command);
  const isWritten =
    writes.some((path) => isProtected(path, rootOf(path, location))) ||
    targets.some((target) => isProtectedWord(target, location.cwd, location)) ||
    found.commands.some((each) => redirectsToProtected(each, location));
  if (isWritten) yield "writes to a protected file";
}

/** Without the command that it starts, which is examined separately: `timeout 5 sh x.sh`. */
function ownWords({ words }: FoundCommand): FoundCommand["words"] {
  const [program, ...rest] = words;
  const { starts } = programOf(program?.text ?? "");
  if (typeof starts !== "object") return words;
  const start = commandStart(starts, rest);
  return start === undefined ? words : words.slice(0, start + 1);
}

/** Paths are resolved from the session's folder and from the folder that `cd` has led to. */
function folders({ cwd }: FoundCommand, location: CommandLocation): string[] {
  return cwd === location.cwd ? [cwd] : [cwd, location.cwd];
}

/** Includes targets that are partly unknown before the run: `> $X/.git/config`. */
function redirectsToProtected({ redirects, cwd }: FoundCommand, location: CommandLocation): boolean {
  return redirects.some(
    ({ operator, target }) =>
      operator.includes(">") && !operator.endsWith("&") && isProtectedWord(target.text, cwd, location),
  );
}

const wholeHome = /^\$\{?(?:HOME|PWD)\}?\/?\*?$/;
/**
 * Anything in the home folder, like `~`; the workspace written in a way that only a shell can resolve; and its parents.
 */
const insideHome = /^\$\{?HOME\b|^\$\{PWD[^}]|^\$(?:PWD|\{PWD\})(?:\/*\*?$|\/.*\.\.)/;

function changesHome(words: readonly string[]): boolean {
  const changer = words.findIndex((word) => /(?:^|\W)(?:rm|chmod|chown)$/.test(word));
  if (changer < 0) return false;
  const rest = words.slice(changer + 1);
  return rest.some((word) => wholeHome.test(word) || (isRecursive(rest) && insideHome.test(word)));
}

function programDanger(
  [program = "", ...args]: readonly string[],
  cwd: string,
  location: CommandLocation,
): string | undefined {
  const row = programOf(program);
  const operands = operandsIn(args);
  const own = spelledOut(row.danger, args);
  if (own !== undefined) return own;
  const moves = row.wholeFolders === "always";
  const whole = moves || (row.wholeFolders && (isRecursive(args) || operands.some((word) => /^\$/.test(word))));
  const vital = moves ? operands.slice(0, -1) : operands;
  if (whole && vital.some((each) => isVital(each, cwd, location, moves)))
    return "changes a whole workspace, home or system folder";
  if (replacesFiles(row, args) && fileArguments(row, args).written.some((each) => isDeviceWord(each, cwd, location)))
    return "replaces or changes a device";
  // Archivers mostly read their operands, and programs that copy to other machines often name exclusions.
  const named = row.writes && row.writes !== "first" && row.hosts !== "copies" ? operands : [];
  const written = [...named, ...(row.files?.(args).written ?? [])];
  return written.some((each) => isProtectedWord(each, cwd, location)) ? "writes to a protected file" : undefined;
}

/** Takes into account what a shell makes of braces and patterns. */
function isDeviceWord(word: string, cwd: string, location: CommandLocation): boolean {
  const known = word.replace(/[[\]]/g, "");
  const each = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(known);
  const texts = each ? (each[2] ?? "").split(",").map((part) => `${each[1]}${part}${each[3]}`) : [known];
  return texts.some((text) => isHarmlessDevice(resolveWord(text, cwd, location)));
}

function operandsIn(args: readonly string[]): string[] {
  return args.filter((word) => !word.startsWith("-"));
}

function spelledOut(warning: Warning | undefined, args: readonly string[]): string | undefined {
  return typeof warning === "function" ? warning(args, operandsIn(args)) : warning;
}

function isRecursive(words: readonly string[]): boolean {
  return words.some((word) => /^-[a-zA-Z]*[rR][a-zA-Z]*$/.test(word) || isLong(word, "--recursive"));
}

/**
 * True for the root, home, the workspace, a parent of it, or its repository. `exactly`: without the contents of home.
 */
function isVital(operand: string, cwd: string, location: CommandLocation, exactly: boolean): boolean {
  if (exactly ? /^~\/?$/.test(operand) : /^~|^\*$|^\.\/\*$/.test(operand)) return true;
  const text = operand.replace(/\/\*$/, "") || "/";
  return [resolvePath(cwd, text), resolveWord(text, cwd, location)].some(
    (path) =>
      [...location.roots, ...(location.home === undefined ? [] : [location.home])].some((root) =>
        isWithin(root, path),
      ) || /(?:^|\/)\.git(?:\/|$)/i.test(path),
  );
}

const interpreterNames = "(?:ba|z|k|da|fi)?sh|python[0-9.]*|perl|ruby|node|deno|bun|php";
const readsItsInput = new RegExp(
  `\\|\\s*(?:\\S*/)?(?:env\\s+)?(?:${interpreterNames})\\b|\\b(?:${interpreterNames})\\b[^|;&<]{0,100}<\\s+<\\(`,
);

function highDanger(command: string, found: FoundCommands, location: CommandLocation): string | undefined {
  if (found.runsSent) return RUNS_SENT;
  if (found.byGrammar ? found.commands.some(runsItsInput) : readsItsInput.test(command)) {
    return UNCHECKED_INPUT;
  }
  if (!location.roots.some((root) => isWithin(location.cwd, root))) return "runs outside the workspace";
  for (const words of [...found.commands.map(normalizedWords), ...found.guesses]) {
    const [program = "", ...args] = words;
    const reason = spelledOut(programOf(program).risk, args);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
