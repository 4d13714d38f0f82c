import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReader, GivenArguments } from "./arguments/argument-reading.ts";
import { readPaths } from "./arguments/argument-row.ts";
import { foldersAmong } from "./arguments/folders.ts";
import { firstValue, isLong, operandsOf, valuesOf } from "./arguments/operands.ts";
import type { FileWords, Programs } from "./program.ts";

/** If the file does not exist, they try it with an extension, which may be a link. */
const withEndings =
  (endings: readonly string[]) =>
  ({ operands }: GivenArguments): CheckedWord[] =>
    operands
      .filter(({ glob }) => !glob)
      .flatMap(({ text }) => endings.map((end) => ({ text: text + end, glob: false })));

const gzipEndings = withEndings([".gz", ".z", "-z", ".Z"]);
const unpacked = readPaths("", { least: 1, opens: gzipEndings });

/** Without `-c` or `-l` it replaces the file that it is given. */
const unpacks = readPaths("-cdlqv --stdout --to-stdout --decompress --uncompress --list --quiet --verbose", {
  check: ({ flags }) => (flags.some(({ name }) => printing.test(name)) ? undefined : "it changes the file"),
  opens: gzipEndings,
});
const printing = /^(?:-[cl]|--(?:std|to-std)out|--list)$/;

/**
 * unzip expands the archive's name as a pattern itself. It accepts flags even after `--`, and two dashes negate one:
 * `--l` is not `-l`.
 */
function checkUnzip({ flags, operands }: GivenArguments): string | undefined {
  const [archive] = operands;
  if (!flags.some(({ name }) => /^-[lvp]$/.test(name)) || operands.some(({ text }) => text.startsWith("-")))
    return "it unpacks";
  return archive?.glob || /[*?[\\]/.test(archive?.text ?? "") ? "it may take several archives" : undefined;
}

const readNames = readPaths("", { least: 1 });

/**
 * tar: only `tf FILE [NAME…]`; a colon in FILE means another machine. `--` would be taken as FILE, with flags after it.
 */
const readTar: ArgumentReader = ([mode, ...rest]) => {
  if (!mode || mode.glob || !/^-?(?=[^t]*t[^t]*$)[tvzjJ]*f$/.test(mode.text)) {
    return { reason: "it is not known that it only lists" };
  }
  const reading = readNames(rest);
  if ("reason" in reading) return reading;
  if (rest.some(({ text }) => text.startsWith("-"))) return { reason: "it is not known what its words name" };
  const [file] = reading.paths;
  return file && !file.glob && !file.text.includes(":") ? reading : { reason: "its file is not a plain name" };
};

/** `tar -cf x.tar`, `tar czf x.tgz`. */
function madeArchive(args: readonly string[]): string[] {
  const index = args.findIndex((word, at) =>
    (at === 0 ? /^-?[abd-zA-Z]*c[a-zA-Z]*f$/ : /^-[abd-zA-Z]*c[a-zA-Z]*f$/).test(word),
  );
  if (index >= 0) return [args[index + 1] ?? ""];
  return args.some((word) => isLong(word, "--create")) ? valuesOf(args, "-f --file") : [];
}

function extractedTo(args: readonly string[]): string[] {
  const [first = ""] = args;
  const mode = /^-?[a-zA-Z]+$/.test(first) ? first : "";
  const extracts =
    mode.includes("x") ||
    args.some((word) => /^-[a-zA-Z]*x/.test(word) || isLong(word, "--extract") || isLong(word, "--get"));
  const toOutput = args.includes("-O") || args.includes("--to-stdout");
  return extracts && !toOutput ? [firstValue(args, "-C --directory") ?? "."] : [];
}

/** The folders that it packs, and everything that a list names. */
function packed(args: readonly string[]): string[] {
  const [first = ""] = args;
  const mode = /^-?[a-zA-Z]+$/.test(first) ? first : "";
  const packs = /[cru]/.test(mode) || args.some((word) => /^-[a-zA-Z]*[cru]/.test(word) || isLong(word, "--create"));
  if (!packs) return [];
  if (args.some((word) => /^-[a-zA-Z]*T/.test(word) || isLong(word, "--files-from"))) return ["/"];
  const base = firstValue(args, "-C --directory");
  const folders = foldersAmong(args.slice(mode === "" ? 0 : 1), /^-[a-zA-Z]*[fCXbI]$/);
  return folders.map((folder) => (base === undefined || folder.startsWith("/") ? folder : `${base}/${folder}`));
}

const into = (folder: string | undefined, writes: boolean): Partial<FileWords> =>
  writes ? { folders: [folder ?? "."] } : {};

/**
 * Programs that pack and unpack. Those that inspect libraries (`nm`, `readelf`, `size`) are not readers: they also open
 * the files elsewhere that a thin archive refers to.
 */
export const archivePrograms: Programs = {
  "zcat bzcat xzcat": { reads: unpacked },
  gzip: { replaces: true, reads: unpacks, writes: "all", wide: true, plainWords: true },
  gunzip: { replaces: true, reads: unpacks, writes: "all", wide: true },
  "bzip2 xz": { replaces: true, writes: "all", wide: true },
  "bunzip2 unxz zstd": { replaces: true, writes: "all" },
  unzip: {
    // Without `-l`, `-v` or `-p` it unpacks into the folder.
    reads: readPaths("-lvpqC", { least: 1, check: checkUnzip, opens: withEndings([".zip", ".ZIP"]) }),
    outputs: "-d",
    files: (args) => into(firstValue(args, "-d"), !args.some((word) => /^-[a-zA-Z]*[lptvzZ]/.test(word))),
    wide: true,
    plainWords: true,
  },
  tar: {
    reads: readTar,
    runsOption:
      "-I -F --use-compress-program --to-command --rsh-command --checkpoint-action --info-script --new-volume-script",
    outputs: "-C --directory",
    opens: packed,
    files: (args) => ({ written: madeArchive(args), folders: extractedTo(args) }),
    wide: true,
    plainWords: true,
  },
  bsdtar: { opens: packed, files: (args) => ({ folders: extractedTo(args) }) },
  zip: {
    replaces: true,
    runsOption: "-TT --unzip-command",
    opens: (args) =>
      args.some((word) => /^-[a-zA-Z]*@|^-$/.test(word)) ? ["/"] : foldersAmong(operandsOf(args).slice(1)),
    writes: "first",
    wide: true,
    plainWords: true,
  },
  "7z": {
    replaces: true,
    opens: (args) => (/^[au]$/.test(args[0] ?? "") ? foldersAmong(operandsOf(args).slice(2)) : []),
    writes: "first",
    files: (args) => into(args.find((word) => /^-o./.test(word))?.slice(2), /^[xe]$/.test(args[0] ?? "")),
    wide: true,
  },
  cpio: {
    opens: () => ["/"],
    files: (args) =>
      into(
        firstValue(args, "-D"),
        args.some((word) => /^(?:-[a-zA-Z]*[ip]|--extract|--pass-through)/.test(word)),
      ),
  },
};
