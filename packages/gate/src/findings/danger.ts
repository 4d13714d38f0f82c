import { isBelow, resolvePath } from "../places/path-place.ts";
import { isProtected } from "../places/protected-places.ts";
import { discardsWork, isForcedPush, isGitConfigWrite } from "../programs/git-words.ts";
import { readByTable } from "../programs/read-only-table.ts";
import { type Collected, redirectTargets } from "./collect-commands.ts";
import { isFed } from "./fed-program.ts";
import { type FoundCommand, type Place, pathOf, rootOf, viewOf } from "./found-command.ts";
import { isProtectedWord, namesProtected } from "./protected-names.ts";

/** Why a command is worse than another, as the end of "runs a command that …". `always` = asked in every mode. */
export type Danger = { reason: string; always: boolean };

/** What was found in the command line, besides its commands. */
export type Reached = { writes: readonly string[]; network: string | undefined };

/** The worst that can be told. Finding nothing proves nothing: an ordinary command is asked as well. */
export function dangerOf(command: string, found: Collected, place: Place, reached: Reached): Danger | undefined {
  const always = alwaysDanger(command, found, place, reached);
  if (always !== undefined) return { reason: always, always: true };
  const high = highDanger(command, found, place) ?? reached.network;
  return high === undefined ? undefined : { reason: high, always: false };
}

const bomb = /(?<![\w:])([\w:]{1,40})\s*\(\s*\)\s*\{[^}]{0,200}\1\s*\|\s*\1/;

/** As the table of readers has it; where it writes by a redirection is looked at apart. */
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

function alwaysDanger(command: string, found: Collected, place: Place, { writes }: Reached): string | undefined {
  if (/:\s*\(\s*\)\s*\{/.test(command) || bomb.test(command)) return "starts processes without end";
  if (writes.some((path) => /^\/dev\//.test(path) && isProtected(path, rootOf(path, place))))
    return "writes to a device";
  if (!found.byGrammar && />\s*\/dev\/(?!null|std|tty|fd)/.test(command)) return "writes to a device";
  for (const each of found.commands) {
    const words = each.words.map(({ text }) => text);
    if (changesHome(words)) return "changes a whole home folder";
    if (!onlyReads(each) && folders(each, place).some((cwd) => namesProtected(words, cwd, place)))
      return "names a protected file";
  }
  for (const each of found.commands) {
    for (const cwd of folders(each, place)) {
      const reason = programDanger(viewOf(each), cwd, place);
      if (reason !== undefined) return reason;
    }
  }
  for (const words of found.guesses) {
    if (changesHome(words)) return "changes a whole home folder";
    const reason = programDanger([...words], place.cwd, place);
    if (reason !== undefined) return reason;
  }
  const targets = found.byGrammar ? [] : redirectTargets(command);
  const isWritten =
    writes.some((path) => isProtected(path, rootOf(path, place))) ||
    targets.some((target) => isProtectedWord(target, place.cwd, place)) ||
    found.commands.some((each) => redirectsToProtected(each, place));
  return isWritten ? "writes to a protected file" : undefined;
}

/** What a word means is judged where the session is, and where `cd` has led. */
function folders({ cwd }: FoundCommand, place: Place): string[] {
  return cwd === place.cwd ? [cwd] : [cwd, place.cwd];
}

/** Also with parts that only a run shows: `> $X/.git/config`. */
function redirectsToProtected({ redirects, cwd }: FoundCommand, place: Place): boolean {
  return redirects.some(
    ({ operator, target }) =>
      operator.includes(">") && !operator.endsWith("&") && isProtectedWord(target.text, cwd, place),
  );
}

const wholeHome = /^\$\{?(?:HOME|PWD)\}?\/?\*?$/;
/** Anything in the home folder as for `~`, the workspace by what only a shell can work out, and what is above it. */
const insideHome = /^\$\{?HOME\b|^\$\{PWD[^}]|^\$(?:PWD|\{PWD\})(?:\/*\*?$|\/.*\.\.)/;

function changesHome(words: readonly string[]): boolean {
  const changer = words.findIndex((word) => /(?:^|\W)(?:rm|chmod|chown)$/.test(word));
  if (changer < 0) return false;
  const rest = words.slice(changer + 1);
  return rest.some((word) => wholeHome.test(word) || (isRecursive(rest) && insideHome.test(word)));
}

const otherRights = /^(?:sudo|doas|su|pkexec)$/;
const machine =
  /^(?:mkfs.*|mke2fs|mkswap|shutdown|reboot|poweroff|halt|fdisk|sfdisk|gdisk|parted|wipefs|blkdiscard|cryptsetup|init|telinit)$/;
const writers = /^(?:tee|cp|mv|ln|install|touch|truncate|rm|rmdir|chmod|chown|unlink|shred)$/;

function programDanger(words: string[], cwd: string, place: Place): string | undefined {
  const [program = "", ...rest] = words;
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (otherRights.test(program)) return "runs with the rights of another user";
  if (machine.test(program)) return "acts on the whole machine";
  if (program === "systemctl" && /^(?:poweroff|reboot|halt|kexec|suspend|hibernate)$/.test(operands[0] ?? ""))
    return "acts on the whole machine";
  if (program === "dd" && rest.some((word) => word.startsWith("of="))) return "writes to a device or over a file";
  if (program === "crontab" && !rest.includes("-l")) return "changes what runs at set times";
  if (program === "find" && rest.includes("-delete")) return "deletes every file it finds";
  if (program === "git" && isForcedPush(rest)) return "overwrites what others have pushed";
  if (program === "git" && isGitConfigWrite(rest)) return "changes git's settings, which can run programs";
  if (program === "kill" && operands.concat(rest.slice(1)).some((word) => /^-?0$|^-1$|^\$\$$/.test(word))) {
    return "stops processes that are not ours";
  }
  if (/^(?:rm|chmod|chown|chgrp|shred|mv|rmdir)$/.test(program)) {
    const whole = program === "mv" || isRecursive(rest) || operands.some((word) => /^\$/.test(word));
    const vital = program === "mv" ? operands.slice(0, -1) : operands;
    if (whole && vital.some((each) => isVital(each, cwd, place, program === "mv"))) {
      return "changes a whole workspace, home or system folder";
    }
  }
  const writes = writers.test(program) || (program === "sed" && rest.some((word) => /^-[a-zA-Z]*i/.test(word)));
  return writes && operands.some((each) => isProtectedWord(each, cwd, place))
    ? "writes to a protected file"
    : undefined;
}

function isRecursive(words: readonly string[]): boolean {
  return words.some((word) => /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/.test(word));
}

/** The root, home, the workspace, what holds it, or its repository. `exactly`: not what lies in home. */
function isVital(operand: string, cwd: string, place: Place, exactly: boolean): boolean {
  if (exactly ? /^~\/?$/.test(operand) : /^~|^\*$|^\.\/\*$/.test(operand)) return true;
  const text = operand.replace(/\/\*$/, "") || "/";
  return [resolvePath(cwd, text), pathOf(text, cwd, place)].some(
    (path) =>
      [...place.roots, ...(place.home === undefined ? [] : [place.home])].some((root) => isBelow(root, path)) ||
      /(?:^|\/)\.git(?:\/|$)/i.test(path),
  );
}

const interpreterNames = "(?:ba|z|k|da|fi)?sh|python[0-9.]*|perl|ruby|node|deno|bun|php";
const fedByText = new RegExp(
  `\\|\\s*(?:\\S*/)?(?:env\\s+)?(?:${interpreterNames})\\b|\\b(?:${interpreterNames})\\b[^|;&<]{0,100}<\\s+<\\(`,
);

function highDanger(command: string, found: Collected, place: Place): string | undefined {
  if (found.byGrammar ? found.commands.some(isFed) : fedByText.test(command)) {
    return "feeds a program text from elsewhere to run";
  }
  if (!place.roots.some((root) => isBelow(place.cwd, root))) return "runs outside the workspace";
  for (const words of [...found.commands.map(viewOf), ...found.guesses]) {
    const reason = riskOf(words);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function riskOf([program = "", ...rest]: readonly string[]): string | undefined {
  const [first = ""] = rest.filter((word) => !word.startsWith("-"));
  if (program === "rm" && isRecursive(rest)) return "removes folders with all they hold";
  if (/^ch(?:mod|own|grp)$/.test(program) && isRecursive(rest)) return "changes the rights of whole folders";
  if (/^(?:killall|pkill)$/.test(program)) return "stops processes by name";
  if (program === "shred" || program === "truncate") return "destroys the contents of files";
  if (program === "find" && rest.some((word) => /^-(?:delete|exec|ok)/.test(word))) return "acts on every file found";
  if (program === "rsync" && rest.some((word) => word.startsWith("--delete")))
    return "removes what is not at the source";
  if (program === "git" && discardsWork(rest)) return "throws away work that is not committed";
  if (/^(?:kubectl|oc)$/.test(program) && /^(?:delete|drain)$/.test(first)) return "removes things from a cluster";
  if (/^(?:terraform|tofu|pulumi)$/.test(program) && /^(?:destroy|apply|up)$/.test(first))
    return "changes machines elsewhere";
  if (/^(?:docker|podman)$/.test(program) && rest.some((word) => word === "prune" || word === "--privileged")) {
    return "acts on all containers, or with all rights";
  }
  return undefined;
}
