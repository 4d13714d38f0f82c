import { operandsOf } from "./arguments/operands.ts";
import { packageTools, publishes } from "./build-tools.ts";
import type { Program, Programs } from "./program.ts";
import { addText, type StartReader } from "./starts/started-commands.ts";

/** Options of shells that take a value. */
const shellValues = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/;

/** The text after `-c`; a shell without text and file reads its redirections. */
const shellStarts: StartReader = (started, rest, { redirects }) => {
  let reads = false;
  let fromInput = false;
  let at = 0;
  for (; at < rest.length; at += 1) {
    const text = rest[at]?.text ?? "";
    if (!/^[-+]./.test(text)) break;
    if (/^-[a-zA-Z]*c/.test(text)) reads = true;
    if (/^-[a-zA-Z]*s/.test(text)) fromInput = true;
    if (shellValues.test(text)) at += 1;
  }
  if (reads) {
    addText(started, rest[rest[at]?.text === "--" ? at + 1 : at]);
    // A word in an unusual place counts as a text as well.
    for (const { text } of rest) if (/\s/.test(text) && !started.texts.includes(text)) started.texts.push(text);
    return;
  }
  if (at < rest.length && !fromInput) return;
  for (const { operator, target } of redirects) if (/^\d*<<-?$|<<<$/.test(operator)) addText(started, target);
};

const shell: Program = { shell: true, start: shellStarts };
const edits = /^-[a-zA-Z0]*i/;

const pythonCode = /^-[A-Za-z]*c$/;
const perlCode = /^-[A-Za-z0-9]*[eE]$/;
const nodeCode = /^(?:-[A-Za-z]*[ep]|--eval|--print|eval)$/;
export const emacsCode = /^(?:-[a-zA-Z]+|--eval|-command|--expr)$/;
const databaseCode = /^(?:-c|-e|--command|--execute)$/;

/** Language interpreters that accept a program among their words, with the options that introduce it. */
export const interpreters: Programs = {
  "sh rbash zsh dash ash ksh mksh fish tcsh csh": shell,
  bash: { ...shell, version: "--version" },
  "python python3": { code: pythonCode, version: "--version -V", versioned: true },
  pypy: { code: pythonCode, versioned: true },
  perl: {
    replaces: true,
    code: perlCode,
    version: "--version -v",
    versioned: true,
    valued: /^-[a-zA-Z0]*[eE]$/,
    files: (args) => (args.some((word) => edits.test(word)) ? { written: operandsOf(args, /^-[a-zA-Z0]*[eE]$/) } : {}),
  },
  ruby: {
    replaces: true,
    code: perlCode,
    version: "--version -v",
    versioned: true,
    files: (args) => (args.some((word) => edits.test(word)) ? { written: operandsOf(args).slice(1) } : {}),
  },
  node: { code: nodeCode, version: "--version -v" },
  "nodejs tsx ts-node": { code: nodeCode },
  deno: { code: nodeCode, version: "--version", longer: "task" },
  bun: {
    code: nodeCode,
    version: "--version -v",
    startingSubcommands: ["x"],
    nameWords: 2,
    longer: "run",
    sends: publishes,
    wide: packageTools,
  },
  php: { code: /^-[rBRE]$/, version: "--version -v", versioned: true },
  lua: { code: emacsCode, version: "-v", versioned: true },
  swift: { code: emacsCode, version: "--version", nameWords: 2, longer: "package" },
  "Rscript R luajit julia elixir ghc guile scala groovy tclsh osascript pwsh powershell": { code: emacsCode },
  "m4 dc irb pry ipython jshell octave gnuplot erl swipl sbcl clisp scheme racket": { code: emacsCode },
  psql: { code: databaseCode, version: "--version -V", sources: "-f" },
  sqlite3: { code: databaseCode, takesProgram: true, version: "--version" },
  "mysql mariadb": { code: databaseCode },
};
