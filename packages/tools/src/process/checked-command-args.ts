import { type CheckedCommand, gitRowSpan, inAnyCase, readByTable, secretGlobs as secretNames } from "@harness/gate";

const { files: secretFiles, folders: secretFolders } = secretNames;

/**
 * The words of a command as they are run: with flags that keep a program of the read-only table to what it was allowed
 * for, whatever settings and folders hold. A command that the table does not know stays as it is.
 */
export function wordsToRun(command: CheckedCommand, realProgram: string): string[] {
  const words = command.args.map(({ text }) => text);
  const reading = readByTable(command);
  if (!reading || "reason" in reading) return words;
  const { flags = [], flagsEnd = words.length } = reading;
  const atEnd = (more: readonly string[]) => words.toSpliced(flagsEnd, 0, ...more);
  const isRecursive = flags.includes("-r") || flags.includes("--recursive");
  switch (command.program) {
    case "git":
      return gitWords(command, words);
    case "rg":
      // Of a list of names that it passes over it prints what it does not understand, and the list may be a link.
      return ["--no-config", "--no-ignore-messages", ...atEnd(secretGlobs)];
    case "grep":
    case "egrep":
    case "fgrep":
      return isRecursive ? atEnd([...physical(realProgram), ...secretExcludes]) : words;
    case "find":
      return withOrdinaryFiles(words);
    case "diff":
      // Of two folders it compares what they hold in any case.
      return atEnd(diffFlags);
    case "xargs":
      // Names that begin with a dash are no flags of what it starts.
      return words[flagsEnd] === "--" ? words : atEnd(["--"]);
    case "strings":
      // Else it may take them for compiled programs, and open what they name.
      return ["-a", ...words];
    case "lsof":
      return ["-n", ...words];
    case "sed":
      // Others have no such flag; the script has been read anyway.
      return process.platform === "linux" && /\/sed$/.test(realProgram) ? ["--sandbox", ...words] : words;
    default:
      return words;
  }
}

/** The grep of macOS follows links through folders unless it is told not to. */
function physical(realProgram: string): string[] {
  return process.platform === "darwin" && /^\/usr\/bin\/[a-z]*grep$/.test(realProgram) ? ["-p"] : [];
}

/** Where find starts a program that opens what was found: only for ordinary files, and none with secrets. */
function withOrdinaryFiles(words: readonly string[]): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const [at, word] of words.entries()) {
    const starts = word === "-exec" && words[at + 1] === "wc";
    if (starts) found.push("(", ...ordinaryFiles);
    isOpen ||= starts;
    found.push(word);
    if (!isOpen || !/^[;+]$/.test(word)) continue;
    found.push(")");
    isOpen = false;
  }
  return found;
}

/** What is open to a program besides its words: a number and the text that it reads there. */
export function inputToRun(words: readonly string[]): readonly [fd: number, text: string] | undefined {
  return words.includes("--exclude-from=/dev/fd/9") ? [9, diffExcludes] : undefined;
}

const secretExcludes = [
  ...secretFiles.map((name) => `--exclude=${inAnyCase(name)}`),
  ...secretFolders.map((name) => `--exclude-dir=${inAnyCase(name)}`),
];
/** diff prints its flags again for each two files, so the names come by a file that is open already. */
const diffFlags = ["--no-dereference", "--exclude-from=/dev/fd/9"];
const diffExcludes = [...secretFiles, ...secretFolders].map(inAnyCase).join("\n");
const secretPathspecs = [
  ...secretFiles.map((name) => `:(top,exclude,icase,glob)**/${name}`),
  ...secretFolders.map((name) => `:(top,exclude,icase,glob)**/${name}/**`),
];
const ordinaryFiles = [
  ...["-type", "f"],
  ...secretFiles.flatMap((name) => ["!", "-iname", name]),
  ...secretFolders.flatMap((name) => ["!", "-ipath", `*/${name}/*`]),
];
const secretGlobs = [
  ...secretFiles.map((name) => `--iglob=!${name}`),
  ...secretFolders.map((name) => `--iglob=!${name}/`),
];

const noPrograms = ["--no-ext-diff", "--no-textconv"];
/** Submodules have settings of their own, which nobody has switched off: git must not look whether one is changed. */
const notIntoSubmodules = "--ignore-submodules=dirty";

/** Behind the subcommand, and before words behind which git takes no flags. */
const gitFlags: Readonly<Record<string, readonly string[]>> = {
  status: [notIntoSubmodules],
  diff: [...noPrograms, notIntoSubmodules],
  log: noPrograms,
  show: noPrograms,
  "diff-tree": noPrograms,
  "stash show": noPrograms,
  blame: ["--no-textconv"],
};

function gitWords({ args }: CheckedCommand, words: readonly string[]): string[] {
  const { start, length } = gitRowSpan(args);
  const options = words.slice(0, start).filter((word) => word !== "--no-pager");
  const subcommand = words.slice(start, length);
  const name = subcommand.join(" ");
  // With these words `diff` also compares no folders that are in no repository.
  const passedOver = name === "grep" || name === "diff" ? secretPathspecs : [];
  return ["--no-pager", ...options, ...subcommand, ...(gitFlags[name] ?? []), ...words.slice(length), ...passedOver];
}
