import { inAnyCase, secretGlobs } from "../places/secret-files.ts";
import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReading, GivenArguments } from "./arguments/argument-reading.ts";
import { readPaths, readWords } from "./arguments/argument-row.ts";
import { foldersAmong } from "./arguments/folders.ts";
import { operandsOf } from "./arguments/operands.ts";
import type { Hardening, Programs } from "./program.ts";

const digestFlags = "-bt --binary --text --tag --zero -z";

/** For two folders, or a folder and a file, diff and cmp open the file of the same name. */
function sameNames({ operands }: GivenArguments) {
  const [first, second] = operands;
  if (!first || !second || [first, second].some(({ text, glob }) => glob || text === "-" || text === "/dev/null"))
    return [];
  const nameOf = (path: string) => path.replace(/(?<!\/)\/+$/, "").replace(/^.*\//, "");
  return [
    { text: `${first.text}/${nameOf(second.text)}`, glob: false },
    { text: `${second.text}/${nameOf(first.text)}`, glob: false },
  ].filter(({ text }) => !text.startsWith("-") && !/\/\.{0,2}$/.test(text));
}

/**
 * diff repeats its flags in the output for each pair of files, so the names are passed through an open file instead.
 */
const withoutSecrets: Hardening = (words, { end }) => ({
  // Contents of two folders are compared in any case.
  words: words.toSpliced(end, 0, "--no-dereference", "--exclude-from=/dev/fd/9"),
  input: [9, [...secretGlobs.files, ...secretGlobs.folders].map(inAnyCase).join("\n")],
});

/** binutils read more arguments from a file named after `@`, wherever it occurs. */
const checkStrings = ({ flags, operands }: GivenArguments) =>
  [...flags.map(({ value = "" }) => value), ...operands.map(({ text }) => text)].some((word) => word.startsWith("@"))
    ? "it reads flags from a file"
    : undefined;

/**
 * Programs that describe or compare files, or show their bytes. Flags that write, read file names from a file, follow
 * links through folders, or wait for more input are left out.
 */
export const fileReaders: Programs = {
  wc: {
    reads: readPaths("-clmwL --bytes --chars --lines --words --max-line-length"),
    inspects: "all",
    quiet: true,
    plainWords: true,
  },
  stat: {
    reads: readPaths("-Ltfx -c=word --format=word --printf=word --dereference --terse --file-system"),
    readsOpenly: false,
    inspects: "all",
    quiet: true,
  },
  du: {
    reads: readPaths(
      "-abchHkmsxS0 -d=number -t=word -B=word --all --apparent-size --bytes --total --human-readable --summarize --separate-dirs --one-file-system --si --null --max-depth=number --threshold=word --block-size=word --exclude=word --inodes --time[=word] --time-style=word",
      { folder: "unnamed" },
    ),
    readsOpenly: false,
    quiet: true,
  },
  df: {
    reads: readWords(
      "-aHhiklPT -t=word -x=word -B=word --all --human-readable --inodes --local --portability --si --print-type --total --type=word --exclude-type=word --block-size=word --output[=word]",
      {
        // Given a path, it shows how full the disk is and opens the path. A top-level folder is never secret.
        opens: ({ operands }) => operands.filter(({ text }) => !/^\/[a-z]*$/.test(text)),
      },
    ),
    readsOpenly: false,
    quiet: true,
  },
  file: {
    reads: readPaths(
      "-bhikLNnr0 -F=word -P=word --brief --mime --mime-type --mime-encoding --extension --no-dereference --keep-going",
    ),
    inspects: "all",
    quiet: true,
  },
  // Only Linux reads these values as such. `-L` follows links through folders, with `-R`.
  ls: {
    reads: readPaths(
      "-aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ1 -I=path -w=path -T=path --all --almost-all --author --escape --block-size=word --ignore-backups --color[=word] --directory --classify[=word] --file-type --format=word --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --hide=word --hyperlink[=word] --indicator-style=word --inode --ignore=word --kibibytes --literal --numeric-uid-gid --hide-control-chars --show-control-chars --quote-name --quoting-style=word --reverse --recursive --size --sort=word --time=word --time-style=word --tabsize=number --width=number --context --zero",
      { folder: "unnamed" },
    ),
    readsOpenly: false,
    quiet: true,
    plainWords: true,
  },
  // Its letters with a value take the next word wherever they occur; `-o` writes, `-R` writes into every folder.
  tree: {
    reads: readPaths(
      "-adfxispughDFvtcUrnCAJXNqQS -L=number -P=word -I=word --dirsfirst --filesfirst --gitignore --ignore-case --matchdirs --noreport --prune --du --si --inodes --device --sort=word --timefmt=word --charset=word --filelimit=number",
      { folder: "unnamed", apart: "last" },
    ),
    outputs: "-o",
    readsOpenly: false,
    quiet: true,
  },
  realpath: {
    reads: readPaths(
      "-eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero --relative-to=path --relative-base=path",
    ),
    readsOpenly: false,
    quiet: true,
  },
  readlink: {
    reads: readPaths(
      "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --verbose --zero",
    ),
    readsOpenly: false,
    quiet: true,
  },
  basename: { reads: readWords("-az -s=word --multiple --suffix=word --zero"), readsOpenly: false, quiet: true },
  dirname: { reads: readWords("-z --zero"), readsOpenly: false, quiet: true },
  "sha256sum md5sum": { reads: readPaths(digestFlags), inspects: "all", quiet: true },
  "sha1sum sha512sum": { reads: readPaths(digestFlags), inspects: "all" },
  "sha224sum sha384sum sha3sum": { inspects: "all" },
  shasum: { reads: readPaths("-bt -a=number"), inspects: "all" },
  cksum: { reads: readPaths(), inspects: "all" },
  od: {
    reads: readPaths(
      "-abcdfhilosxv -A=word -t=word -j=number -N=number -w[=number] --address-radix=word --format=word --skip-bytes=number --read-bytes=number --width[=number] --output-duplicates",
    ),
    inspects: "all",
  },
  hexdump: { reads: readPaths("-bcCdoxv -n=number -s=number"), inspects: "all" },
  // A second operand would be written, and `-r` reverses the direction.
  xxd: {
    reads: readPaths("-abeEiup -c=number -g=number -l=number -o=number -s=number", { most: 1, apart: "alone" }),
    files: (args) => ({ written: operandsOf(args, /^-[cglos]$/).slice(1) }),
    inspects: "all",
  },
  // `-i` has a value on macOS.
  base64: {
    reads: readPaths("-dD -i=path -w=number -b=number --decode --wrap=number --ignore-garbage", { most: 1 }),
    inspects: "all",
  },
  "base32 bat": { inspects: "all" },
  cmp: {
    reads: readPaths("-bls -n=number -i=word --print-bytes --verbose --quiet --silent --bytes=number", {
      opens: sameNames,
    }),
    inspects: "all",
    quiet: true,
  },
  diff: {
    reads: readPaths(
      "-abBcdEeinNpqrstTuwyZ -U=number -C=number -W=number -I=word -F=word -x=word -L=word --brief --report-identical-files --context[=number] --unified[=number] --side-by-side --width=number --show-c-function --show-function-line=word --label=word --expand-tabs --initial-tab --recursive --no-dereference --new-file --unidirectional-new-file --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=word --strip-trailing-cr --suppress-common-lines --left-column --minimal --speed-large-files --normal --text --color[=word] --exclude=word",
      { opens: sameNames },
    ),
    harden: withoutSecrets,
    readsOpenly: true,
    opens: (args) => foldersAmong(args),
    inspects: "all",
    quiet: true,
  },
  strings: {
    reads: readPaths(
      "-afo -# -n=number -t=word -e=word --all --print-file-name --bytes=number --radix=word --encoding=word",
      { check: checkStrings },
    ), // Otherwise it may treat files as compiled programs and open what they refer to.
    harden: (words) => ({ words: ["-a", ...words] }),
    inspects: "all",
  },
};

/**
 * Reads a program that is started with file names known only at run time. Secret files and links out of the workspace
 * may be among them, so only programs that show no contents are accepted.
 */
export function readTelling([program, ...args]: readonly CheckedWord[]): ArgumentReading {
  const name = program?.text ?? "";
  const reads = Object.hasOwn(fileReaders, name) ? fileReaders[name]?.reads : undefined;
  return reads?.(args) ?? { reason: "it starts a program" };
}
