import type { ArgumentReader } from "./arguments/argument-reading.ts";
import { readFlags, readWords } from "./arguments/argument-row.ts";
import type { Program, Programs } from "./program.ts";
import { addText, commandVariables, joinWords, type StartReader } from "./starts/started-commands.ts";

/** Only conversions that print: `%n` sets a variable, whose name is evaluated like shell arithmetic. */
const printfFormat = /^(?:[^%]|%%|%[-+ 0#]{0,5}\d{0,5}(?:\.\d{0,5})?[sdiuoxXcbqfeEgG])*$/;

const readPrintf: ArgumentReader = (args) => {
  const [format, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  if (!format || format.glob || format.text.startsWith("-")) return { reason: "its first word is not a plain format" };
  if (!printfFormat.test(format.text)) return { reason: "its format does more than print" };
  return { paths: rest.filter(({ glob }) => glob) };
};

/** One test of one file. Other tests evaluate arithmetic, including anything embedded in it. */
const readTest: ArgumentReader = (args) => {
  const [test, path, ...more] = args[0]?.text === "!" ? args.slice(1) : args;
  if (!test || !path || more.length > 0 || !/^-[fderwxsLh]$/.test(test.text) || path.glob) {
    return { reason: "only a single test of one file is known to be read-only" };
  }
  return { paths: [path] };
};

/** The same with a bracket at its end. */
const readBracket: ArgumentReader = (args) => {
  return args.at(-1)?.text === "]" ? readTest(args.slice(0, -1)) : { reason: "] is missing" };
};

const readCommand: ArgumentReader = (args) => {
  const [flag, ...words] = args;
  const isQuestion = flag?.text === "-v" || flag?.text === "-V";
  if (!isQuestion || words.length === 0 || words.some(({ text, glob }) => glob || text.startsWith("-"))) {
    return { reason: "it runs a program" };
  }
  return { paths: [] };
};

const behindOptions = (rest: Parameters<StartReader>[1]) => rest.filter(({ text }) => !/^-./.test(text));

/** Values of variables that some program starts, and the commands that names stand for. */
const startDeclared =
  (isCommand: (text: string) => boolean): StartReader =>
  (started, rest) => {
    for (const word of behindOptions(rest)) {
      if (word.text.includes("=") && isCommand(word.text))
        addText(started, { ...word, text: word.text.slice(word.text.indexOf("=") + 1) });
    }
  };
const startVariables = startDeclared((text) => commandVariables.test(text));
const startCallback: StartReader = (started, rest) =>
  addText(started, rest[rest.findIndex(({ text }) => /^-[CF]$/.test(text)) + 1]);

/** Names that make `source` read its standard input. */
const itsInput = /^(?:\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

const changing: Program = { builtin: "changes the shell", opensNothing: true };
const changingWide: Program = { ...changing, wide: true };

/** Builtins of the shell. Those that change it are never allowed. */
export const shellWords: Programs = {
  cd: { builtin: "harmless", opensNothing: true, readsOpenly: false, wide: true, plainWords: true },
  echo: {
    builtin: "harmless",
    opensNothing: true,
    reads: (args) => ({ paths: args.filter(({ glob }) => glob) }),
    readsOpenly: false,
    quiet: true,
    plainWords: true,
  },
  printf: {
    builtin: "harmless",
    opensNothing: true,
    reads: readPrintf,
    readsOpenly: false,
    quiet: true,
    plainWords: true,
  },
  pwd: { builtin: "harmless", reads: readFlags("-LP"), readsOpenly: false, quiet: true, plainWords: true },
  test: {
    builtin: "harmless",
    opensNothing: true,
    reads: readTest,
    readsOpenly: false,
    wide: true,
    quiet: true,
    plainWords: true,
  },
  "[": { builtin: "harmless", opensNothing: true, reads: readBracket, wide: true, quiet: true, plainWords: true },
  "[[": { wide: true, opensNothing: true },
  "true false": { builtin: "harmless", opensNothing: true, reads: readWords(), quiet: true },
  type: { builtin: "harmless", reads: readWords("-atpP", { least: 1 }), readsOpenly: false, quiet: true },
  command: { builtin: "harmless", reads: readCommand, readsOpenly: false, starts: { flags: "pvV" } },
  builtin: { ...changing, starts: {} },
  exec: { ...changingWide, starts: { flags: "cl", values: "a" } },
  eval: { ...changingWide, takesText: true, start: (started, rest) => addText(started, joinWords(rest)) },
  trap: { ...changingWide, takesText: true, start: (started, rest) => addText(started, behindOptions(rest)[0]) },
  time: { takesText: true },
  ". source": {
    builtin: "changes the shell",
    wide: true,
    inspects: "all",
    runsInput: (args) => args.some((word) => itsInput.test(word)),
  },
  alias: { ...changingWide, start: startDeclared(() => true) },
  export: { ...changingWide, start: startVariables, plainWords: true },
  "declare typeset readonly local": { ...changingWide, start: startVariables },
  mapfile: { ...changingWide, start: startCallback },
  "readarray complete compgen": { ...changing, start: startCallback },
  unset: { ...changingWide, plainWords: true },
  "unalias set hash enable shopt pushd popd read let": changingWide,
  ": bg break caller compopt continue dirs disown exit fg getopts jobs logout return shift suspend": changing,
  "times ulimit umask wait": changing,
  "bind fc history": { builtin: "changes the shell" },
};
