import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReader, ArgumentReading, GivenArguments } from "./arguments/argument-reading.ts";
import { type ProgramRow, rowReader } from "./arguments/program-row.ts";

/** Where there is no such file they take one with an ending, which may be a link. */
const withEndings =
  (endings: readonly string[]) =>
  ({ operands }: GivenArguments): CheckedWord[] =>
    operands
      .filter(({ glob }) => !glob)
      .flatMap(({ text }) => endings.map((end) => ({ text: text + end, glob: false })));

const gzipEndings = withEndings([".gz", ".z", "-z", ".Z"]);
const unpacked: ProgramRow = { operands: "path", least: 1, opens: gzipEndings };

/** Without `-c` or `-l` it puts another file in the place of the one that it is given. */
const unpacks: ProgramRow = {
  flags: "-cdlqv --stdout --to-stdout --decompress --uncompress --list --quiet --verbose",
  operands: "path",
  check: ({ flags }) => (flags.some(({ name }) => printing.test(name)) ? undefined : "it changes the file"),
  opens: gzipEndings,
};
const printing = /^(?:-[cl]|--(?:std|to-std)out|--list)$/;

/** binutils read further arguments from a file behind `@`, wherever it stands. */
const checkStrings = ({ flags, operands }: GivenArguments) =>
  [...flags.map(({ value = "" }) => value), ...operands.map(({ text }) => text)].some((word) => word.startsWith("@"))
    ? "it reads flags from a file"
    : undefined;

/**
 * The name of an archive is a pattern of its own, whatever the shell makes of it. Behind `--` there are still flags, and two
 * dashes take one back: `--l` is no `-l`.
 */
function checkUnzip({ flags, operands }: GivenArguments): string | undefined {
  const [archive] = operands;
  if (!flags.some(({ name }) => /^-[lvp]$/.test(name)) || operands.some(({ text }) => text.startsWith("-")))
    return "it unpacks";
  return archive?.glob || /[*?[\\]/.test(archive?.text ?? "") ? "it may take several archives" : undefined;
}

/**
 * Programs that print what is in archives, in packed files and in compiled programs. Not those that look into libraries
 * (`nm`, `readelf`, `size`): what a thin one says lies elsewhere they open, too.
 */
export const archiveRows: Readonly<Record<string, ProgramRow>> = {
  zcat: unpacked,
  bzcat: unpacked,
  xzcat: unpacked,
  gzip: unpacks,
  gunzip: unpacks,
  // Without `-l`, `-v` or `-p` it unpacks into the folder.
  unzip: {
    flags: "-lvpqC",
    operands: "path",
    least: 1,
    check: checkUnzip,
    opens: withEndings([".zip", ".ZIP"]),
  },
  strings: {
    flags: "-afo -# -n=number -t=word -e=word --all --print-file-name --bytes=number --radix=word --encoding=word",
    operands: "path",
    check: checkStrings,
  },
};

const read = rowReader({ operands: "path", least: 1 });

/**
 * tar: only `tf FILE [NAME…]`; with a colon in its name the file is another machine's. `--` would be the FILE, with flags
 * behind it.
 */
export const readTarArguments: ArgumentReader = ([mode, ...rest]: readonly CheckedWord[]): ArgumentReading => {
  if (!mode || mode.glob || !/^-?(?=[^t]*t[^t]*$)[tvzjJ]*f$/.test(mode.text)) {
    return { reason: "it is not known that it only lists" };
  }
  const reading = read(rest);
  if ("reason" in reading) return reading;
  if (rest.some(({ text }) => text.startsWith("-"))) return { reason: "it is not known what its words name" };
  const [file] = reading.paths;
  return file && !file.glob && !file.text.includes(":") ? reading : { reason: "its file is no plain name" };
};
