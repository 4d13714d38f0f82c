import { inAnyCase, secretGlobs } from "../places/secret-files.ts";
import { readPattern } from "./arguments/argument-row.ts";
import { foldersAmong } from "./arguments/folders.ts";
import { operandsOf, valuesOf } from "./arguments/operands.ts";
import type { Hardening, Program, Programs } from "./program.ts";
import { addTexts, type StartReader } from "./starts/started-commands.ts";

// Programs that search files. Flags that run other programs (`rg --pre`, `-z`) or follow links are in no row.

const grepFlags =
  "-EFGPivwxcLlqsnhHobaUzTIyrZ -# -e=word -f=path -m=number -A=number -B=number -C=number --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp=word --file=path --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color[=word] --colour[=word] --files-without-match --files-with-matches --max-count=number --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label=word --line-number --initial-tab --null --after-context=number --before-context=number --context=number --group-separator=word --no-group-separator --text --binary-files=word --exclude=word --exclude-dir=word --include=word --recursive --line-buffered --null-data";

/** `-R` follows links out of the searched folder, so it is missing here. */
const readAsRecursive = readPattern(grepFlags, {
  permutes: true,
  patternFlags: ["-e", "-f", "--regexp", "--file"],
  folder: "unnamed",
});

const isRecursive = (flags: readonly string[]) => flags.includes("-r") || flags.includes("--recursive");

/** Without a file it reads its input, and with `-r` its current folder. */
const readGrep: Program["reads"] = (args) => {
  const reading = readAsRecursive(args);
  return !reading || "reason" in reading || isRecursive(reading.flags ?? []) ? reading : { ...reading, folder: false };
};

/** Skips secret files; grep on macOS follows links through folders unless `-p` is given. */
const withoutSecrets: Hardening = (words, { flags, end, system }) => {
  if (!isRecursive(flags)) return { words: [...words] };
  const isOfMac = system.platform === "darwin" && /^\/usr\/bin\/[a-z]*grep$/.test(system.file);
  const excludes = [
    ...secretGlobs.files.map((name) => `--exclude=${inAnyCase(name)}`),
    ...secretGlobs.folders.map((name) => `--exclude-dir=${inAnyCase(name)}`),
  ];
  return { words: words.toSpliced(end, 0, ...(isOfMac ? ["-p"] : []), ...excludes) };
};

const grep: Program = {
  reads: readGrep,
  harden: withoutSecrets,
  readsOpenly: (args) => args.some(({ text }) => /^(?:-[a-zA-Z]*r|--recursive$)/.test(text)) || undefined,
  inspects: "later",
  opens: (args) => (args.some((word) => /^-[a-zA-Z]*[rR]|^--(?:d.*)?recursive/.test(word)) ? searched(args) : []),
  plainWords: true,
};

/** The searched folders; without any, the current one. */
function searched(args: readonly string[]): string[] {
  const [, ...more] = operandsOf(args);
  return more.length > 0 ? foldersAmong(more) : ["."];
}

/** A single word is a program that gets a file and nothing else. */
const startPreprocessors: StartReader = (started, rest) => {
  const values = valuesOf(
    rest.map(({ text }) => text),
    "--pre --hostname-bin",
  );
  addTexts(
    started,
    values.filter((value) => /\s/.test(value)),
  );
};

export const searchPrograms: Programs = {
  grep: { ...grep, version: "--version -V", quiet: true, longNames: true },
  "egrep fgrep": grep,
  rg: {
    reads: readPattern(
      "-isSnNlcvwxFoUPHIpqab.0 -e=word -A=number -B=number -C=number -g=word -t=word -T=word -m=number -r=word -d=number -j=number -M=number --regexp=word --ignore-case --case-sensitive --smart-case --line-number --no-line-number --files-with-matches --files-without-match --count --count-matches --invert-match --word-regexp --line-regexp --fixed-strings --only-matching --multiline --multiline-dotall --pcre2 --with-filename --no-filename --pretty --quiet --text --byte-offset --null --after-context=number --before-context=number --context=number --glob=word --iglob=word --type=word --type-not=word --type-list --max-count=number --max-depth=number --max-columns=number --max-filesize=word --replace=word --threads=number --files --hidden --no-ignore --no-ignore-vcs --no-heading --heading --json --stats --sort=word --sortr=word --vimgrep --color=word --trim --passthru --column --no-messages --no-config --one-file-system --glob-case-insensitive --crlf --no-unicode --sort-files --line-buffered",
      { permutes: true, patternFlags: ["-e", "--regexp", "--files", "--type-list"], folder: "unnamed" },
    ),
    // It prints lines that it does not understand in a list of names to skip, and that list may be a link.
    harden: (words, { end }) => ({
      words: [
        ...["--no-config", "--no-ignore-messages"],
        ...words.toSpliced(
          end,
          0,
          ...secretGlobs.files.map((name) => `--iglob=!${name}`),
          ...secretGlobs.folders.map((name) => `--iglob=!${name}/`),
        ),
      ],
    }),
    readsOpenly: true,
    version: "--version -V",
    start: startPreprocessors,
    inspects: "later",
    opens: searched,
    plainWords: true,
    quiet: true,
  },
  "ag ack": { inspects: "later", opens: searched },
};
