import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReading } from "./arguments/argument-reading.ts";
import type { ProgramRow } from "./arguments/program-row.ts";
import { readFound } from "./fed-rows.ts";
import { namesTimeZone, timeZoneReason } from "./scripts/date-text.ts";

const grepFlags =
  "-EFGPivwxcLlqsnhHobaUzTIyrZ -# -e=word -f=path -m=number -A=number -B=number -C=number --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp=word --file=path --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color[=word] --colour[=word] --files-without-match --files-with-matches --max-count=number --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label=word --line-number --initial-tab --null --after-context=number --before-context=number --context=number --group-separator=word --no-group-separator --text --binary-files=word --exclude=word --exclude-dir=word --include=word --recursive --line-buffered --null-data";

/** `-R` follows links out of the folder that is searched, so it is not here. */
const grep: ProgramRow = {
  flags: grepFlags,
  operands: "pattern",
  permutes: true,
  patternFlags: ["-e", "-f", "--regexp", "--file"],
  folder: "unnamed",
};

/** It tells names. `-x` and `-X` start programs, `-l` starts ls, `-L` follows links. */
const fd: ProgramRow = {
  flags:
    "-HIsigFap01q -t=word -e=word -d=number -E=word -c=word -S=word --hidden --no-ignore --no-ignore-vcs --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --full-path --print0 --quiet --prune --type=word --extension=word --max-depth=number --min-depth=number --exact-depth=number --exclude=word --size=word --changed-within=word --changed-before=word --max-results=number --color=word",
  operands: "pattern",
  permutes: true,
  folder: "unnamed",
};

/** Programs that search in files. Those that run others for it (`rg --pre`, `-z`) or follow links are not here. */
export const searchRows: Readonly<Record<string, ProgramRow>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  fd,
  fdfind: fd,
  rg: {
    flags:
      "-isSnNlcvwxFoUPHIpqab.0 -e=word -A=number -B=number -C=number -g=word -t=word -T=word -m=number -r=word -d=number -j=number -M=number --regexp=word --ignore-case --case-sensitive --smart-case --line-number --no-line-number --files-with-matches --files-without-match --count --count-matches --invert-match --word-regexp --line-regexp --fixed-strings --only-matching --multiline --multiline-dotall --pcre2 --with-filename --no-filename --pretty --quiet --text --byte-offset --null --after-context=number --before-context=number --context=number --glob=word --iglob=word --type=word --type-not=word --type-list --max-count=number --max-depth=number --max-columns=number --max-filesize=word --replace=word --threads=number --files --hidden --no-ignore --no-ignore-vcs --no-heading --heading --json --stats --sort=word --sortr=word --vimgrep --color=word --trim --passthru --column --no-messages --no-config --one-file-system --glob-case-insensitive --crlf --no-unicode --sort-files --line-buffered",
    operands: "pattern",
    permutes: true,
    patternFlags: ["-e", "--regexp", "--files", "--type-list"],
    folder: "unnamed",
  },
};

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

/** find: paths, then tests. What acts on the files found, and what is not known, is a reason. */
export function readFindArguments(args: readonly CheckedWord[]): ArgumentReading {
  let at = 0;
  // Among the options before the paths only those that do not follow links.
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
    if (!kind) return { reason: `${text} is no test of which it is known that it only reads` };
    const value = args[++at];
    if (!value) return { reason: `the value of ${text} is missing` };
    if (value.glob) return { reason: `the pattern ${value.text} is not quoted` };
    if (namesTimeZone(value.text)) return { reason: timeZoneReason };
    if (kind === "path") paths.push(value);
  }
  return { paths, folder };
}
