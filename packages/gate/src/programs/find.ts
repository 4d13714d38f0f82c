import { secretGlobs } from "../places/secret-files.ts";
import type { ShellWord } from "../ports/shell-grammar.ts";
import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReader, ArgumentReading } from "./arguments/argument-reading.ts";
import { readPattern } from "./arguments/argument-row.ts";
import { readTelling } from "./file-readers.ts";
import type { Hardening, Programs } from "./program.ts";
import { namesTimeZone, timeZoneReason } from "./scripts/date-text.ts";
import type { StartReader } from "./starts/started-commands.ts";
import { ANY_WORDS } from "./starts/stdin-words.ts";

/** The names that find passes on begin with the folders it was given. */
const tells = /^(?:wc|ls|stat|basename|dirname)$/;
const followsLinks = /^(?:-[LH]|--dereference.*)$/;

/** Reads the words between `-exec` and its end, with `{}` last: accepts programs that only describe the files found. */
function readFound(words: readonly CheckedWord[]): ArgumentReading {
  const [program] = words;
  const reading =
    program && tells.test(program.text) && words.at(-1)?.text === "{}"
      ? readTelling(words.slice(0, -1))
      : { reason: "-exec starts a program for what it finds" };
  if ("reason" in reading) return reading;
  const { flags = [], paths } = reading;
  const isPlain = program?.text !== "ls" || keepsToLinks(flags);
  return isPlain && paths.length === 0 && !flags.some((flag) => followsLinks.test(flag))
    ? reading
    : { reason: "-exec starts a program that may look elsewhere" };
}

/** Listed one per line, a link is only named; otherwise ls lists the folder that it leads to. */
function keepsToLinks(flags: readonly string[]): boolean {
  if (flags.includes("-d") || flags.includes("--directory")) return true;
  return flags.includes("-l") && !flags.some((flag) => /^-[Cxm1f]$|^--format$/.test(flag));
}

const findTests: Readonly<Record<"bare" | "word" | "path", ReadonlySet<string>>> = {
  bare: new Set(
    "! ( ) , -a -and -o -or -not -print -print0 -ls -prune -quit -empty -readable -writable -executable -nouser -nogroup -depth -d -xdev -mount -true -false -daystart -noleaf".split(
      " ",
    ),
  ),
  word: new Set(
    "-printf -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -ctime -atime -mmin -cmin -amin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -fstype -used -newermt -newerct -newerat -lname -ilname".split(
      " ",
    ),
  ),
  path: new Set("-newer -anewer -cnewer -samefile".split(" ")),
};

/** find takes paths, then tests. Tests that act on files, and unknown ones, are a reason to ask. */
const readFind: ArgumentReader = (args) => {
  let at = 0;
  // Of the options before the paths, only those that do not follow links.
  while (/^-[HP]$/.test(args[at]?.text ?? "")) at += 1;
  const paths: CheckedWord[] = [];
  for (; at < args.length; at++) {
    const word = args[at];
    if (!word || /^(?:-|[!(),]$)/.test(word.text)) break;
    paths.push(word);
  }
  const folder = paths.length === 0;
  for (; at < args.length; at++) {
    const { text, glob } = args[at] ?? { text: "", glob: false };
    if (glob) return { reason: `the pattern ${text} is not quoted` };
    if (findTests.bare.has(text)) continue;
    if (text === "-exec") {
      const end = args.findIndex((word, index) => index > at && /^[;+]$/.test(word.text));
      const found = readFound(args.slice(at + 1, Math.max(end, at)));
      if ("reason" in found) return found;
      at = end;
      continue;
    }
    const kind = findTests.word.has(text) ? "word" : findTests.path.has(text) ? "path" : undefined;
    if (!kind) return { reason: `${text} is not a test known to be read-only` };
    const value = args[++at];
    if (!value) return { reason: `the value of ${text} is missing` };
    if (value.glob) return { reason: `the pattern ${value.text} is not quoted` };
    if (namesTimeZone(value.text)) return { reason: timeZoneReason };
    if (kind === "path") paths.push(value);
  }
  return { paths, folder };
};

/** If it starts a program that opens the files found, restricts it to ordinary files without secrets. */
const withOrdinaryFiles: Hardening = (words) => {
  const found: string[] = [];
  let isOpen = false;
  for (const [at, word] of words.entries()) {
    const starts = word === "-exec" && words[at + 1] === "wc";
    if (starts) found.push("(", ...ordinaryFiles());
    isOpen ||= starts;
    found.push(word);
    if (!isOpen || !/^[;+]$/.test(word)) continue;
    found.push(")");
    isOpen = false;
  }
  return { words: found };
};

function ordinaryFiles(): string[] {
  const files = secretGlobs.files.flatMap((name) => ["!", "-iname", name]);
  return ["-type", "f", ...files, ...secretGlobs.folders.flatMap((name) => ["!", "-ipath", `*/${name}/*`])];
}

const startExec: StartReader = (started, rest) => {
  rest.forEach(({ text }, index) => {
    if (!/^-(?:exec|execdir|ok|okdir|x|X)$|^--exec(?:-batch)?$/.test(text)) return;
    const words = rest.slice(index + 1);
    const end = words.findIndex((word) => word.text === ";" || word.text === "+");
    const command = end < 0 ? words : words.slice(0, end);
    // fd appends what it found to the words.
    const found =
      text.startsWith("-e") || text.startsWith("-o") || command.some(isFound) ? command : [...command, ANY_WORDS];
    started.commands.push(found.map((word) => (isFound(word) ? { ...word, literal: false } : word)));
  });
};

const isFound = ({ text }: ShellWord) => text.includes("{}");

const deletes = (args: readonly string[]) => args.includes("-delete");

function startFolders(args: readonly string[]): string[] {
  const end = args.findIndex((word) => /^[-(!]/.test(word));
  const starts = args.slice(0, end < 0 ? undefined : end);
  return starts.length === 0 ? ["."] : starts;
}

/** fd prints names. `-x` and `-X` start programs, `-l` starts ls, `-L` follows links. */
const readFd = readPattern(
  "-HIsigFap01q -t=word -e=word -d=number -E=word -c=word -S=word --hidden --no-ignore --no-ignore-vcs --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --full-path --print0 --quiet --prune --type=word --extension=word --max-depth=number --min-depth=number --exact-depth=number --exclude=word --size=word --changed-within=word --changed-before=word --max-results=number --color=word",
  { permutes: true, folder: "unnamed" },
);

export const findPrograms: Programs = {
  find: {
    reads: readFind,
    harden: withOrdinaryFiles,
    readsOpenly: (args) => args.some(({ text }) => text === "-exec"),
    version: "--version",
    start: startExec,
    evaluates: true,
    outputs: "-fprint -fprint0 -fprintf -fls",
    files: (args) => (deletes(args) ? { folders: startFolders(args) } : {}),
    danger: (args) => {
      if (deletes(args)) return "deletes every file it finds";
      const isInDevices = startFolders(args).some((folder) => /^\/+dev(?:\/|$)/.test(folder));
      return isInDevices && args.some((word) => /^-(?:exec|ok)/.test(word)) ? "acts on devices" : undefined;
    },
    risk: (args) => (args.some((word) => /^-(?:delete|exec|ok)/.test(word)) ? "acts on every file found" : undefined),
    destructive: deletes,
    wide: true,
    quiet: true,
    wordOptions: true,
  },
  fd: { reads: readFd, version: "--version", starts: "anywhere", start: startExec, destructive: deletes, wide: true },
  fdfind: { reads: readFd, starts: "anywhere", start: startExec },
};
