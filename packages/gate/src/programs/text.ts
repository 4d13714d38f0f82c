import { readPaths, readWords } from "./arguments/argument-row.ts";
import { firstValue, operandsOf } from "./arguments/operands.ts";
import type { FileWords, Programs } from "./program.ts";

const encoding = /^[\w.:+-]+(?:\/\/(?:TRANSLIT|IGNORE))*$/;

/** Files whose names have this prefix. */
const prefixed = (prefix: string): Partial<FileWords> => ({
  written: [prefix],
  folders: [prefix.includes("/") ? prefix.slice(0, prefix.lastIndexOf("/")) || "/" : "."],
});

/**
 * Programs that print the text of files, completely or in part. `sort -o`, `--files0-from` and `tail -f` are in no row.
 */
export const textPrograms: Programs = {
  cat: {
    reads: readPaths(
      "-AbeEnstTuv --show-all --number --number-nonblank --show-ends --show-tabs --show-nonprinting --squeeze-blank",
    ),
    inspects: "all",
    quiet: true,
    plainWords: true,
  },
  tac: { reads: readPaths("-br -s=word --before --regex --separator=word"), inspects: "all" },
  rev: { reads: readPaths(), inspects: "all" },
  nl: {
    reads: readPaths(
      "-p -b=word -d=word -f=word -h=word -i=number -l=number -n=word -s=word -v=number -w=number --body-numbering=word --number-format=word --number-width=number --number-separator=word",
    ),
    inspects: "all",
  },
  head: {
    reads: readPaths(
      "-qvz -# -n=number -c=number --lines=number --bytes=number --quiet --silent --verbose --zero-terminated",
    ),
    inspects: "all",
    valued: /^(?:-[nc]|--lines|--bytes)$/,
    quiet: true,
    plainWords: true,
  },
  tail: {
    reads: readPaths(
      "-qvzr -# -n=number -c=number --lines=number --bytes=number --quiet --silent --verbose --zero-terminated",
      {
        // `+5f` is an old form of `-n +5 -f`.
        check: ({ operands }) =>
          operands.some(({ text }) => text.startsWith("+")) ? "it may wait for more" : undefined,
      },
    ),
    inspects: "all",
    valued: /^(?:-[ncs]|--lines|--bytes|--pid)$/,
    quiet: true,
    plainWords: true,
  },
  comm: { reads: readPaths("-123iz --check-order --nocheck-order --output-delimiter=word --total --zero-terminated") },
  cut: {
    reads: readPaths(
      "-nsz -b=word -c=word -d=word -f=word --bytes=word --characters=word --delimiter=word --fields=word --complement --only-delimited --output-delimiter=word --zero-terminated",
    ),
    inspects: "all",
    valued: /^-[bcdf]$/,
    quiet: true,
    plainWords: true,
  },
  paste: { reads: readPaths("-sz -d=word --delimiters=word --serial --zero-terminated"), inspects: "all" },
  column: {
    reads: readPaths("-texJ -c=number -s=word -o=word -N=word -R=word -H=word --table --separator=word"),
    inspects: "all",
  },
  fold: { reads: readPaths("-bs -w=number --bytes --spaces --width=number") },
  expand: { reads: readPaths("-i -t=word --initial --tabs=word") },
  join: { reads: readPaths("-iz -a=number -v=number -e=word -o=word -t=word -1=number -2=number -j=number --header") },
  // `-o` writes, and a value that is not a plain encoding name is opened as a file.
  iconv: {
    reads: readPaths("-cls -f=word -t=word --from-code=word --to-code=word --list", {
      check: ({ flags }) =>
        flags.every(({ value }) => value === undefined || encoding.test(value))
          ? undefined
          : "an encoding is not a plain name",
    }),
    outputs: "-o --output",
  },
  tr: {
    reads: readWords("-cCdst --complement --delete --squeeze-repeats --truncate-set1", { most: 2 }),
    quiet: true,
    plainWords: true,
  },
  sort: {
    reads: readPaths(
      "-bdfghinrRuVcCmsMz -k=word -t=word --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --reverse --random-sort --version-sort --unique --check[=word] --merge --stable --key=word --field-separator=word --sort=word --zero-terminated",
      {
        check: ({ operands }) => {
          const leading = operands.find(({ text, glob }) => glob && /^[*?]/.test(text));
          return leading ? `${leading.text} may match names that are flags` : undefined;
        },
      },
    ),
    runsOption: "--compress-program",
    inspects: "all",
    valued: /^(?:-[bdfghiMnrRuVcCmsz]*[kotST]|--key|--output|--field-separator)$/,
    outputs: "-o --output",
    wide: true,
    quiet: true,
    plainWords: true,
  },
  // A second operand would be written.
  uniq: {
    reads: readPaths(
      "-cdDiuz -f=number -s=number -w=number --count --repeated --all-repeated[=word] --group[=word] --ignore-case --unique --skip-fields=number --skip-chars=number --check-chars=number --zero-terminated",
      { most: 1 },
    ),
    inspects: "all",
    files: (args) => ({ written: operandsOf(args, /^-[fsw]$/).slice(1) }),
    wide: true,
    plainWords: true,
  },
  shuf: { outputs: "-o --output", inspects: "all" },
  split: { runsOption: "--filter", files: (args) => prefixed(operandsOf(args, /^-[abClnt]$/)[1] ?? "x"), wide: true },
  csplit: { files: (args) => prefixed(firstValue(args, "-f --prefix") ?? "xx") },
};
