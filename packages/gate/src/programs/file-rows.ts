import type { GivenArguments } from "./arguments/argument-reading.ts";
import type { ProgramRow } from "./arguments/program-row.ts";

const digestFlags = "-bt --binary --text --tag --zero -z";

const encoding = /^[\w.:+-]+(?:\/\/(?:TRANSLIT|IGNORE))*$/;

/** Two folders or a folder and a file: diff and cmp then open the file of the same name. */
function sameNames({ operands }: GivenArguments) {
  const [first, second] = operands;
  if (!first || !second || [first, second].some(({ text, glob }) => glob || text === "-" || text === "/dev/null"))
    return [];
  const nameOf = (path: string) => path.replace(/\/+$/, "").replace(/^.*\//, "");
  return [
    { text: `${first.text}/${nameOf(second.text)}`, glob: false },
    { text: `${second.text}/${nameOf(first.text)}`, glob: false },
  ].filter(({ text }) => !text.startsWith("-") && !/\/\.{0,2}$/.test(text));
}

/**
 * Programs that print what is in files or about them. Flags that write (`sort -o`), that read names of files from a file
 * (`--files0-from`), that follow links through folders, or that wait for more (`tail -f`) are not here.
 */
export const fileRows: Readonly<Record<string, ProgramRow>> = {
  cat: {
    flags:
      "-AbeEnstTuv --show-all --number --number-nonblank --show-ends --show-tabs --show-nonprinting --squeeze-blank",
    operands: "path",
  },
  tac: { flags: "-br -s=word --before --regex --separator=word", operands: "path" },
  rev: { operands: "path" },
  nl: {
    flags:
      "-p -b=word -d=word -f=word -h=word -i=number -l=number -n=word -s=word -v=number -w=number --body-numbering=word --number-format=word --number-width=number --number-separator=word",
    operands: "path",
  },
  head: {
    flags: "-qvz -# -n=number -c=number --lines=number --bytes=number --quiet --silent --verbose --zero-terminated",
    operands: "path",
  },
  tail: {
    flags: "-qvzr -# -n=number -c=number --lines=number --bytes=number --quiet --silent --verbose --zero-terminated",
    operands: "path",
    // `+5f` is an old way to say `-n +5 -f`.
    check: ({ operands }) => (operands.some(({ text }) => text.startsWith("+")) ? "it may wait for more" : undefined),
  },
  wc: { flags: "-clmwL --bytes --chars --lines --words --max-line-length", operands: "path" },
  stat: { flags: "-Ltfx -c=word --format=word --printf=word --dereference --terse --file-system", operands: "path" },
  du: {
    flags:
      "-abchHkmsxS0 -d=number -t=word -B=word --all --apparent-size --bytes --total --human-readable --summarize --separate-dirs --one-file-system --si --null --max-depth=number --threshold=word --block-size=word --exclude=word --inodes --time[=word] --time-style=word",
    operands: "path",
    folder: "unnamed",
  },
  df: {
    flags:
      "-aHhiklPT -t=word -x=word -B=word --all --human-readable --inodes --local --portability --si --print-type --total --type=word --exclude-type=word --block-size=word --output[=word]",
    // Of a path it tells how full the disk is, and opens it. A folder at the top is nobody's secret.
    operands: "word",
    opens: ({ operands }) => operands.filter(({ text }) => !/^\/[a-z]*$/.test(text)),
  },
  file: {
    flags:
      "-bhikLNnr0 -F=word -P=word --brief --mime --mime-type --mime-encoding --extension --no-dereference --keep-going",
    operands: "path",
  },
  // The values are none to other systems than Linux. `-L` follows links through folders, with `-R`.
  ls: {
    flags:
      "-aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ1 -I=path -w=path -T=path --all --almost-all --author --escape --block-size=word --ignore-backups --color[=word] --directory --classify[=word] --file-type --format=word --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --hide=word --hyperlink[=word] --indicator-style=word --inode --ignore=word --kibibytes --literal --numeric-uid-gid --hide-control-chars --show-control-chars --quote-name --quoting-style=word --reverse --recursive --size --sort=word --time=word --time-style=word --tabsize=number --width=number --context --zero",
    operands: "path",
    folder: "unnamed",
  },
  // Its letters with a value take the next word wherever they stand; `-o` writes, `-R` writes into every folder.
  tree: {
    flags:
      "-adfxispughDFvtcUrnCAJXNqQS -L=number -P=word -I=word --dirsfirst --filesfirst --gitignore --ignore-case --matchdirs --noreport --prune --du --si --inodes --device --sort=word --timefmt=word --charset=word --filelimit=number",
    operands: "path",
    folder: "unnamed",
    apart: "last",
  },
  realpath: {
    flags:
      "-eLmPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero --relative-to=path --relative-base=path",
    operands: "path",
  },
  readlink: {
    flags: "-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --verbose --zero",
    operands: "path",
  },
  basename: { flags: "-az -s=word --multiple --suffix=word --zero", operands: "word" },
  dirname: { flags: "-z --zero", operands: "word" },
  sha256sum: { flags: digestFlags, operands: "path" },
  sha1sum: { flags: digestFlags, operands: "path" },
  sha512sum: { flags: digestFlags, operands: "path" },
  md5sum: { flags: digestFlags, operands: "path" },
  shasum: { flags: "-bt -a=number", operands: "path" },
  cksum: { operands: "path" },
  od: {
    flags:
      "-abcdfhilosxv -A=word -t=word -j=number -N=number -w[=number] --address-radix=word --format=word --skip-bytes=number --read-bytes=number --width[=number] --output-duplicates",
    operands: "path",
  },
  hexdump: { flags: "-bcCdoxv -n=number -s=number", operands: "path" },
  // A second operand would be written, and `-r` turns it round.
  xxd: {
    flags: "-abeEiup -c=number -g=number -l=number -o=number -s=number",
    operands: "path",
    most: 1,
    apart: "alone",
  },
  // `-i` has a value on macOS.
  base64: {
    flags: "-dD -i=path -w=number -b=number --decode --wrap=number --ignore-garbage",
    operands: "path",
    most: 1,
  },
  cmp: {
    flags: "-bls -n=number -i=word --print-bytes --verbose --quiet --silent --bytes=number",
    operands: "path",
    opens: sameNames,
  },
  comm: {
    flags: "-123iz --check-order --nocheck-order --output-delimiter=word --total --zero-terminated",
    operands: "path",
  },
  diff: {
    flags:
      "-abBcdEeinNpqrstTuwyZ -U=number -C=number -W=number -I=word -F=word -x=word -L=word --brief --report-identical-files --context[=number] --unified[=number] --side-by-side --width=number --show-c-function --show-function-line=word --label=word --expand-tabs --initial-tab --recursive --no-dereference --new-file --unidirectional-new-file --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=word --strip-trailing-cr --suppress-common-lines --left-column --minimal --speed-large-files --normal --text --color[=word] --exclude=word",
    operands: "path",
    opens: sameNames,
  },
  cut: {
    flags:
      "-nsz -b=word -c=word -d=word -f=word --bytes=word --characters=word --delimiter=word --fields=word --complement --only-delimited --output-delimiter=word --zero-terminated",
    operands: "path",
  },
  paste: { flags: "-sz -d=word --delimiters=word --serial --zero-terminated", operands: "path" },
  column: {
    flags: "-texJ -c=number -s=word -o=word -N=word -R=word -H=word --table --separator=word",
    operands: "path",
  },
  fold: { flags: "-bs -w=number --bytes --spaces --width=number", operands: "path" },
  expand: { flags: "-i -t=word --initial --tabs=word", operands: "path" },
  join: {
    flags: "-iz -a=number -v=number -e=word -o=word -t=word -1=number -2=number -j=number --header",
    operands: "path",
  },
  // `-o` writes, and what is no plain name of an encoding it opens as a file.
  iconv: {
    flags: "-cls -f=word -t=word --from-code=word --to-code=word --list",
    operands: "path",
    check: ({ flags }) =>
      flags.every(({ value }) => value === undefined || encoding.test(value))
        ? undefined
        : "an encoding is no plain name",
  },
  tr: { flags: "-cCdst --complement --delete --squeeze-repeats --truncate-set1", operands: "word", most: 2 },
  sort: {
    flags:
      "-bdfghinrRuVcCmsMz -k=word -t=word --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --reverse --random-sort --version-sort --unique --check[=word] --merge --stable --key=word --field-separator=word --sort=word --zero-terminated",
    operands: "path",
    check: ({ operands }) => {
      const leading = operands.find(({ text, glob }) => glob && /^[*?]/.test(text));
      return leading ? `${leading.text} may stand for names that are flags` : undefined;
    },
  },
  // A second operand would be written.
  uniq: {
    flags:
      "-cdDiuz -f=number -s=number -w=number --count --repeated --all-repeated[=word] --group[=word] --ignore-case --unique --skip-fields=number --skip-chars=number --check-chars=number --zero-terminated",
    operands: "path",
    most: 1,
  },
};
