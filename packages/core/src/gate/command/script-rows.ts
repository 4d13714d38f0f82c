import type { CheckedWord } from "../../ports/tool.ts";
import type { ArgumentReader, ArgumentReading } from "./argument-reading.ts";
import { rowReader } from "./program-row.ts";

/**
 * Programs whose first word is a small program itself: only the shapes of it that print. All patterns are anchored, and
 * none has a part that repeats a part that repeats.
 */

/** Parts the script off the operands: the rest are paths. */
function withScript(flags: string, isHarmless: (script: string) => boolean): ArgumentReader {
  const read = rowReader({
    flags,
    operands: "path",
    least: 1,
    check: ({ operands: [script] }) =>
      script && !script.glob && script.text !== "-" && isHarmless(script.text)
        ? undefined
        : "it is not known that its script only prints",
  });
  return (args) => {
    const reading = read(args);
    if ("reason" in reading) return reading;
    return { paths: reading.paths.slice(1) };
  };
}

const sedAddress = String.raw`(?:\d+|\$|/[^/\\\n]+/)`;
const sedPrint = new RegExp(String.raw`^${sedAddress}(?:,(?:${sedAddress}|\+\d+))?[p=]$`);

/** `5p`, `1,20p`, `/a/,/b/p`, several with `;`, or one `s/a/b/g` whose parts have no delimiter in them. */
function isHarmlessSed(script: string): boolean {
  if (script.length > 1000) return false;
  if (script.startsWith("s")) return isHarmlessReplace(script);
  return script.split(";").every((part) => sedPrint.test(part.trim()));
}

function isHarmlessReplace(script: string): boolean {
  const delimiter = script[1] ?? "";
  if (!/[/|,#:@]/.test(delimiter) || script.includes("\n")) return false;
  const parts = script.slice(2).split(delimiter);
  const [from = "", to = "", flags] = parts;
  return parts.length === 3 && from !== "" && !from.endsWith("\\") && !to.endsWith("\\") && /^g?$/.test(flags ?? "-");
}

const awkItem = String.raw`(?:\$\d+|\$NF|NR|NF|"[^"\\\n]*")`;
const awkPrint = String.raw`\{ *print(?: +${awkItem}(?:(?: *, *| *)${awkItem})*)? *\}`;
const awkTest = String.raw`(?:NR|NF) *(?:==|<=|>=|<|>|!=) *\d+`;
const awkProgram = new RegExp(
  String.raw`^ *(?:END *${awkPrint}|(?:${awkTest}(?: *&& *${awkTest})?|/[^/\\\n]+/) *(?:${awkPrint})?|${awkPrint}) *$`,
);

/** Names of jq through which a filter reaches files, modules or the environment. */
const jqReach = /\b(?:env|ENV|input_filename|import|include|modulemeta|get_search_list)\b|\$__prog/;

/** `--arg name value` has two words; the filter is the first operand. */
const readJqFlags = withScript(
  "-rcsneSMCja --raw-output --compact-output --slurp --null-input --exit-status --sort-keys --color-output --monochrome-output --join-output --ascii-output --tab --indent=number --unbuffered --stream --seq --raw-output0 -R --raw-input",
  (filter) => filter.length <= 2000 && !jqReach.test(filter),
);

function readJqArguments(args: readonly CheckedWord[]): ArgumentReading {
  const rest: CheckedWord[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    if (word.text !== "--arg" && word.text !== "--argjson") {
      rest.push(word);
      continue;
    }
    if (args[at + 1]?.glob || args[at + 2]?.glob || !args[at + 2])
      return { reason: `${word.text} needs two plain words` };
    at += 2;
  }
  return readJqFlags(rest);
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
  const [test, path, ...more] = args;
  if (!test || !path || more.length > 0 || !/^-[fderwxsLh]$/.test(test.text) || path.glob) {
    return { reason: "only one test of one file is known to only read" };
  }
  return { paths: [path] };
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
  sed: withScript("-nErsuz --quiet --silent --regexp-extended --separate --null-data --sandbox --posix", isHarmlessSed),
  awk: withScript("-F=word", (script) => script.length <= 1000 && awkProgram.test(script)),
  jq: readJqArguments,
  printf: readPrintfArguments,
  echo: (args) => ({ paths: args.filter(({ glob }) => glob) }),
  test: readTestArguments,
  command: readCommandArguments,
  // Without `+` the word is the time to set.
  date: rowReader({
    flags: "-uR -d=word -I[=word] --utc --universal --date=word --iso-8601[=word] --rfc-3339=word --rfc-email",
    operands: "word",
    most: 1,
    check: ({ operands }) =>
      operands.every(({ text }) => text.startsWith("+")) ? undefined : "a word without + sets the clock",
  }),
};
