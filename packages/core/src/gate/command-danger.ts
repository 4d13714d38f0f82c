import { isGitConfigWrite, namesProtected } from "./command-reach.ts";
import { commandViews, joinedLines, statementsOf, wordsOf } from "./command-shape.ts";
import { isBelow, isProtected, resolvePath } from "./path-place.ts";

/** Why a command is worse than another. `always` = asked in every mode, whatever was allowed before. */
export type Danger = { reason: string; always: boolean };

type Place = { cwd: string; root: string };

/** The worst that a reading of the text finds. Finding nothing proves nothing: an ordinary command is asked as well. */
export function commandDanger(command: string, place: Place): Danger | undefined {
  const views = commandViews(command);
  const always = alwaysDanger(command, views, place);
  if (always) return { reason: always, always: true };
  const high = highDanger(command, views, place);
  return high ? { reason: high, always: false } : undefined;
}

function alwaysDanger(command: string, views: string[][], place: Place): string | undefined {
  if (/:\s*\(\s*\)\s*\{/.test(command)) return "starts processes without end";
  if (/>\s*\/dev\/(?!null|std|tty|fd)/.test(command)) return "writes to a device";
  for (const words of statementsOf(command)) {
    if (changesHome(words)) return "changes a whole home folder";
    if (namesProtected(words, place)) return "names a protected file";
  }
  for (const words of views) {
    const reason = programDanger(words, place);
    if (reason) return reason;
  }
  return redirectTargets(joinedLines(command)).some((target) => isProtected(resolvePath(place.cwd, target), place.root))
    ? "writes to a protected file"
    : undefined;
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
const machine = /^(?:mkfs.*|shutdown|reboot|poweroff|halt|fdisk|parted|wipefs)$/;
const writers = /^(?:tee|cp|mv|ln|install|touch|truncate|rm|rmdir|chmod|chown|unlink|shred)$/;

function programDanger(words: string[], place: Place): string | undefined {
  const [program = "", ...rest] = words;
  const operands = rest.filter((word) => !word.startsWith("-"));
  if (otherRights.test(program)) return "runs with the rights of another user";
  if (machine.test(program)) return "acts on the whole machine";
  if (program === "dd" && rest.some((word) => word.startsWith("of="))) return "writes to a device or over a file";
  if (program === "crontab" && !rest.includes("-l")) return "changes what runs at set times";
  if (program === "find" && rest.includes("-delete")) return "deletes every file it finds";
  if (program === "git" && isForcedPush(rest)) return "overwrites what others have pushed";
  if (program === "git" && isGitConfigWrite(rest)) return "changes git's settings, which can run programs";
  if (program === "kill" && operands.concat(rest.slice(1)).some((word) => word === "0" || word === "-1")) {
    return "stops processes that are not ours";
  }
  if (/^(?:rm|chmod|chown)$/.test(program) && isRecursive(rest) && operands.some((each) => isVital(each, place))) {
    return "changes a whole workspace, home or system folder";
  }
  const writes = writers.test(program) || (program === "sed" && rest.some((word) => /^-[a-zA-Z]*i/.test(word)));
  return writes && operands.some((each) => isProtected(resolvePath(place.cwd, each), place.root))
    ? "writes to a protected file"
    : undefined;
}

function isForcedPush(words: string[]): boolean {
  return (
    words.includes("push") && words.some((word) => /^(?:-[a-zA-Z]*f[a-zA-Z]*|--force.*|--mirror|\+.+)$/.test(word))
  );
}

function isRecursive(words: readonly string[]): boolean {
  return words.some((word) => /^(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive)$/.test(word));
}

/** The root, home, the workspace, what holds it, or its repository. */
function isVital(operand: string, { cwd, root }: Place): boolean {
  if (/^~|^\*$|^\.\/\*$/.test(operand)) return true;
  const path = resolvePath(cwd, operand.replace(/\/\*$/, "") || "/");
  return isBelow(root, path) || /(?:^|\/)\.git(?:\/|$)/i.test(path);
}

function redirectTargets(command: string): string[] {
  return [...command.matchAll(/>{1,2}\|?\s*("[^"]+"|'[^']+'|[^\s;&|<>]+)/g)].flatMap((match) =>
    wordsOf(match[1] ?? ""),
  );
}

const interpreter = "(?:ba|z|k|da|fi)?sh|python[0-9.]*|perl|ruby|node|deno|bun|php";
const fedByPipe = new RegExp(`\\|\\s*(?:\\S*/)?(?:env\\s+)?(?:${interpreter})\\b`);

function highDanger(command: string, views: string[][], place: Place): string | undefined {
  if (fedByPipe.test(command)) return "feeds a program text from elsewhere to run";
  if (!isBelow(place.cwd, place.root)) return "runs outside the workspace";
  for (const [program = "", ...rest] of views) {
    if (program === "rm" && isRecursive(rest)) return "removes folders with all they hold";
    if (/^ch(?:mod|own)$/.test(program) && isRecursive(rest)) return "changes the rights of whole folders";
    if (/^(?:killall|pkill)$/.test(program)) return "stops processes by name";
    if (program === "find" && rest.some((word) => /^-(?:delete|exec|ok)/.test(word))) return "acts on every file found";
    if (program === "git" && discards(rest)) return "throws away work that is not committed";
  }
  return undefined;
}

function discards(words: string[]): boolean {
  if (words.includes("reset")) return words.includes("--hard");
  if (words.includes("clean")) return words.some((word) => /^-[a-zA-Z]*f|^--force$/.test(word));
  if (words.includes("branch")) return words.includes("-D");
  return words.includes("checkout") && words.includes("--");
}
