import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReader } from "./arguments/argument-reading.ts";
import { type ArgumentRow, readPattern } from "./arguments/argument-row.ts";
import { isLong, operandsOf } from "./arguments/operands.ts";
import type { FileWords, Hardening, Program, Programs } from "./program.ts";
import { isHarmlessAwk, isHarmlessAwkVariable } from "./scripts/awk.ts";
import { isHarmlessSed, readSed, sedScripts } from "./scripts/sed.ts";
import { addTexts, onlyKnownWhenRun, type StartReader } from "./starts/started-commands.ts";

// Programs whose first word is itself a small program and that print its output.

const unclear = "it is not known that its script only prints";

/** Separates the script from the other operands, which are paths. */
function readScript(
  flags: string,
  isHarmless: (script: string) => boolean,
  more: Partial<ArgumentRow> = {},
): ArgumentReader {
  return readPattern(flags, {
    ...more,
    check: (args) => {
      const scripts = args.flags.flatMap(({ name, value = "" }) => (more.patternFlags?.includes(name) ? [value] : []));
      if (scripts.length > 0) return scripts.every(isHarmless) ? more.check?.(args) : unclear;
      const [script] = args.operands;
      const isPlain = script && !script.glob && script.text !== "-" && isHarmless(script.text);
      return isPlain ? more.check?.(args) : unclear;
    },
  });
}

/** Names through which a jq filter reaches files, modules or the environment. */
const jqReach = /\b(?:env|ENV|input_filename|import|include|modulemeta|get_search_list)\b|\$__prog/;

/** The filter is the first operand. */
const readJqFlags = readScript(
  "-rcsneSMCja --raw-output --compact-output --slurp --null-input --exit-status --sort-keys --color-output --monochrome-output --join-output --ascii-output --tab --indent=number --unbuffered --stream --seq --raw-output0 -R --raw-input",
  (filter) => filter.length <= 2000 && !jqReach.test(filter),
  { permutes: true },
);

/** `--arg name value` takes the next two words, unless it is itself the value of another flag, or a file. */
const readJq: ArgumentReader = (args) => {
  const rest: CheckedWord[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    if (word.text === "--") return readJqFlags([...rest, ...args.slice(at)]);
    if (word.text !== "--arg" && word.text !== "--argjson") {
      rest.push(word);
      continue;
    }
    if (args[at - 1]?.text === "--indent") return { reason: "--indent needs a number" };
    if (args[at + 1]?.glob || args[at + 2]?.glob || !args[at + 2])
      return { reason: `${word.text} needs two plain words` };
    at += 2;
  }
  return readJqFlags(rest);
};

/**
 * Names through which a yq filter reaches files, the environment or programs, or is assembled at run time. Nothing
 * needs to separate its names: `1 orload("x")`.
 */
const yqReach = /load|env|eval|system|include|import|modulemeta|input|split_?doc|get_search_list|\$/i;
/** `.name` is a field, `..name` is not. */
const yqField = /(?<![.\w])\.[a-z_]\w*(?:\.[a-z_]\w*)*/gi;

/** Words that make one of the yqs take the next one as its filter, and files that it takes as filters. */
const yqWord = /^(?:e|ea|eval|eval-all)$|\.yq$/;
const yqFormat = /^=?(?:json|yaml|[jy]|props|csv|tsv|xml|toml|auto)$/;

/**
 * Two programs are called yq, one of them a jq for other formats; the accepted flags mean the same to both, or nothing.
 * One of them reads its filter from a file if a file of that name exists.
 */
const readYqFlags = readScript("-rCMP -o=word -p=word", isHarmlessYq, {
  permutes: true,
  check: ({ flags, operands }) => {
    const isKnown = flags.every(({ name, value = "json" }) => !/^-[op]$/.test(name) || yqFormat.test(value));
    return isKnown && !operands.some(({ text }) => yqWord.test(text)) ? undefined : unclear;
  },
  opens: ({ operands }) => operands.slice(0, 1),
});

function isHarmlessYq(filter: string): boolean {
  return filter.length <= 2000 && !yqReach.test(filter.replace(yqField, "."));
}

const readYq: ArgumentReader = (args) => {
  const [first] = args;
  return readYqFlags(first && /^(?:e|eval)$/.test(first.text) ? args.slice(1) : args);
};

/** Only GNU sed has this flag; the script has been checked anyway. */
const inSandbox: Hardening = (words, { system }) => ({
  words: system.platform === "linux" && /\/sed$/.test(system.file) ? ["--sandbox", ...words] : [...words],
});

const startSed: StartReader = (started, rest) => {
  for (const { runs, runsInput } of sedScripts(rest.map(({ text }) => text)).map(readSed)) {
    addTexts(started, runs);
    if (runsInput) started.problem ??= onlyKnownWhenRun;
  }
};

const editsInPlace = (args: readonly string[]) =>
  args.some((word) => /^-[a-zA-Z]*i/.test(word) || isLong(word, "--in-place"));

/** The first operand is the script, unless an option supplies one. */
function sedFiles(args: readonly string[]): Partial<FileWords> {
  const inPlace = editsInPlace(args);
  const hasScript = args.some((word) => /^(?:-[nErsuz]*[ef]|--expression|--file)/.test(word));
  const edited = inPlace ? operandsOf(args, /^(?:-[nErsuz]*[efl]|--expression|--file)$/).slice(hasScript ? 0 : 1) : [];
  const scripts = sedScripts(args).map(readSed);
  return {
    written: [...edited, ...scripts.flatMap(({ writes }) => writes)],
    read: scripts.flatMap(({ reads }) => reads),
  };
}

function awkFiles(args: readonly string[]): Partial<FileWords> {
  const inPlace = args.some((word, index) => word === "inplace" && args[index - 1] === "-i");
  const named = args.flatMap((word) => [...word.matchAll(/>>?\s*"([^"]+)"/g)].map((match) => match[1] ?? ""));
  // A file name that the program computes. Comparisons are in parentheses or before a block.
  const isOpen = args.some((word) => /\bprintf?\b[^"}]*(?:"[^"]*"[^"}]*)*>>?\s*[^"\s=0-9]/.test(word.slice(0, 500)));
  return { written: [...(inPlace ? operandsOf(args).slice(1) : []), ...named], folders: isOpen ? ["/"] : [] };
}

/** The first operand is the filter, unless it is a subcommand. */
function yqFiles(args: readonly string[]): Partial<FileWords> {
  const inPlace = args.some(
    (word) => /^-[a-zA-Z]*i/.test(word) || isLong(word, "--inplace") || isLong(word, "--in-place"),
  );
  const [first = "", ...more] = operandsOf(args, /^-[a-zA-Z]*[opI]$/);
  return inPlace ? { written: yqWord.test(first) ? more.slice(1) : more } : {};
}

const gawk: Program = { takesProgram: true, inspects: "later", files: awkFiles };

export const filterPrograms: Programs = {
  sed: {
    reads: readScript(
      "-nErsuz -e=word --quiet --silent --regexp-extended --expression=word --separate --null-data --sandbox --posix",
      isHarmlessSed,
      { patternFlags: ["-e", "--expression"] },
    ),
    harden: inSandbox,
    version: "--version",
    takesProgram: true,
    replaces: editsInPlace,
    start: startSed,
    inspects: "later",
    valued: /^(?:-[efl]|--expression|--file)$/,
    files: sedFiles,
    plainWords: true,
  },
  gsed: { takesProgram: true, replaces: editsInPlace, start: startSed, files: sedFiles },
  awk: {
    ...gawk,
    // Nothing after its program is a flag.
    reads: readScript("-F=word -v=word", isHarmlessAwk, {
      flagsFirst: true,
      check: ({ flags }) =>
        flags.every(({ name, value = "" }) => name !== "-v" || isHarmlessAwkVariable(value)) ? undefined : unclear,
    }),
    plainWords: true,
  },
  gawk,
  "mawk nawk": { takesProgram: true, files: awkFiles },
  jq: { reads: readJq, version: "--version", inspects: "later", quiet: true },
  yq: { reads: readYq, replaces: true, inspects: "later", files: yqFiles },
};
