import type { CheckedWord } from "../shell/checked-line.ts";
import type { ArgumentReader, ArgumentReading } from "./arguments/argument-reading.ts";
import { type ProgramRow, rowReader } from "./arguments/program-row.ts";
import { isHarmlessAwk, isHarmlessAwkVariable } from "./scripts/awk-program.ts";
import { namesTimeZone, timeZoneReason } from "./scripts/date-text.ts";
import { isHarmlessSed } from "./scripts/sed-program.ts";

/**
 * Programs whose first word is a small program itself, and which print what it says; only programs that do no more are
 * taken.
 */

const unclear = "it is not known that its script only prints";

/** Parts the script off the operands: the rest are paths. */
function withScript(
  flags: string,
  isHarmless: (script: string) => boolean,
  more: Partial<ProgramRow> = {},
): ArgumentReader {
  return rowReader({
    flags,
    operands: "pattern",
    ...more,
    check: (given) => {
      const scripts = given.flags.flatMap(({ name, value = "" }) => (more.patternFlags?.includes(name) ? [value] : []));
      if (scripts.length > 0) return scripts.every(isHarmless) ? more.check?.(given) : unclear;
      const [script] = given.operands;
      const isPlain = script && !script.glob && script.text !== "-" && isHarmless(script.text);
      return isPlain ? more.check?.(given) : unclear;
    },
  });
}

/** Names of jq through which a filter reaches files, modules or the environment. */
const jqReach = /\b(?:env|ENV|input_filename|import|include|modulemeta|get_search_list)\b|\$__prog/;

/** The filter is the first operand. */
const readJqFlags = withScript(
  "-rcsneSMCja --raw-output --compact-output --slurp --null-input --exit-status --sort-keys --color-output --monochrome-output --join-output --ascii-output --tab --indent=number --unbuffered --stream --seq --raw-output0 -R --raw-input",
  (filter) => filter.length <= 2000 && !jqReach.test(filter),
  { permutes: true },
);

/** `--arg name value` has two words behind it, unless it is itself the word behind another flag, or a file. */
function readJqArguments(args: readonly CheckedWord[]): ArgumentReading {
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
}

/**
 * Names through which a filter of yq reaches files, the environment or programs, or is put together while it runs. Its
 * names need nothing between them: `1 orload("x")`.
 */
const yqReach = /load|env|eval|system|include|import|modulemeta|input|split_?doc|get_search_list|\$/i;
/** `.name` is a field, `..name` is not. */
const yqField = /(?<![.\w])\.[a-z_]\w*(?:\.[a-z_]\w*)*/gi;

/** Words of one yq that make the next one its filter, and files that it takes for filters. */
const yqWord = /^(?:e|ea|eval|eval-all)$|\.yq$/;
const yqFormat = /^=?(?:json|yaml|[jy]|props|csv|tsv|xml|toml|auto)$/;

/**
 * Two programs are called so, one of them jq with another input; the flags mean the same to both, or nothing. What stands
 * where the filter does is a file to one of them if there is one of that name.
 */
const readYqFlags = withScript("-rCMP -o=word -p=word", isHarmlessYq, {
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

function readYqArguments(args: readonly CheckedWord[]): ArgumentReading {
  const [first] = args;
  return readYqFlags(first && /^(?:e|eval)$/.test(first.text) ? args.slice(1) : args);
}

/** Only conversions that print: `%n` sets a variable, and its name is worked out as the shell's arithmetic is. */
const printfFormat = /^(?:[^%]|%%|%[-+ 0#]{0,5}\d{0,5}(?:\.\d{0,5})?[sdiuoxXcbqfeEgG])*$/;

function readPrintfArguments(args: readonly CheckedWord[]): ArgumentReading {
  const [format, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  if (!format || format.glob || format.text.startsWith("-")) return { reason: "its first word is no plain format" };
  if (!printfFormat.test(format.text)) return { reason: "its format does more than print" };
  return { paths: rest.filter(({ glob }) => glob) };
}

/** One test of one file. Others work out arithmetic, and with it whatever stands in it. */
function readTestArguments(args: readonly CheckedWord[]): ArgumentReading {
  const [test, path, ...more] = args[0]?.text === "!" ? args.slice(1) : args;
  if (!test || !path || more.length > 0 || !/^-[fderwxsLh]$/.test(test.text) || path.glob) {
    return { reason: "only one test of one file is known to only read" };
  }
  return { paths: [path] };
}

/** The same with a bracket at its end. */
function readBracketArguments(args: readonly CheckedWord[]): ArgumentReading {
  return args.at(-1)?.text === "]" ? readTestArguments(args.slice(0, -1)) : { reason: "] is missing" };
}

function readCommandArguments(args: readonly CheckedWord[]): ArgumentReading {
  const [flag, ...words] = args;
  const isQuestion = flag?.text === "-v" || flag?.text === "-V";
  if (!isQuestion || words.length === 0 || words.some(({ text, glob }) => glob || text.startsWith("-"))) {
    return { reason: "it runs a program" };
  }
  return { paths: [] };
}

export const scriptRows: Readonly<Record<string, ArgumentReader>> = {
  sed: withScript(
    "-nErsuz -e=word --quiet --silent --regexp-extended --expression=word --separate --null-data --sandbox --posix",
    isHarmlessSed,
    { patternFlags: ["-e", "--expression"] },
  ),
  // Behind its program nothing is a flag.
  awk: withScript("-F=word -v=word", isHarmlessAwk, {
    flagsFirst: true,
    check: ({ flags }) =>
      flags.every(({ name, value = "" }) => name !== "-v" || isHarmlessAwkVariable(value)) ? undefined : unclear,
  }),
  jq: readJqArguments,
  yq: readYqArguments,
  printf: readPrintfArguments,
  echo: (args) => ({ paths: args.filter(({ glob }) => glob) }),
  test: readTestArguments,
  "[": readBracketArguments,
  command: readCommandArguments,
  // Without `+` the word is the time to set.
  date: rowReader({
    flags: "-uR -d=word -I[=word] --utc --universal --date=word --iso-8601[=word] --rfc-3339=word --rfc-email",
    operands: "word",
    most: 1,
    check: ({ operands, flags }) => {
      if (!operands.every(({ text }) => text.startsWith("+"))) return "a word without + sets the clock";
      return flags.some(({ value = "" }) => namesTimeZone(value)) ? timeZoneReason : undefined;
    },
  }),
};
