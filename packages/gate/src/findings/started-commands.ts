import type { ShellWord } from "../ports/shell-grammar.ts";
import { commandOptions, makeTexts } from "../programs/command-options.ts";
import { editors, editorText, editorTexts } from "../programs/editor-commands.ts";
import { commandsForGit, gitAliases, hidesGitSettings, withoutGitOptions } from "../programs/git-words.ts";
import { sedScript, sedScripts } from "../programs/scripts/sed-script.ts";
import {
  commandVariables,
  interpreters,
  isInterpreter,
  looseWrappers,
  runners,
  scripted,
  shells,
  type Wrapper,
  wrapperRows,
} from "../programs/wrapper-rows.ts";
import { programName, runFrom } from "../shell/command-text.ts";
import { ANY_WORDS } from "./fed-words.ts";
import type { FoundCommand } from "./found-command.ts";
import { parallelCommands, plainXargs, xargsCommands } from "./input-commands.ts";
import { sshValues } from "./network-reach.ts";

/** What a command starts besides itself, as far as its words tell. */
export type Started = {
  /** Commands among its words. */
  commands: ShellWord[][];
  /** Texts that a shell will read. */
  texts: string[];
  /** Texts in other languages, which may start commands too. */
  code: string[];
  /** Words from which on a command may begin, where the options of the program are not known. */
  maybe: ShellWord[][];
  /** Why it may start more than can be told. */
  problem?: string;
};

const nothing = (): Started => ({ commands: [], texts: [], code: [], maybe: [] });
const onlyThen = "runs a text that is only known when it runs";

export function startedBy(command: FoundCommand): Started {
  const started = nothing();
  for (const each of command.assignments) {
    if (commandVariables.test(each)) textWord(started, assigned(each));
    if (hidesGitSettings(each)) started.problem ??= "gives git settings that can run programs";
  }
  const [first, ...rest] = command.words;
  if (!first) return started;
  const program = programName(first.text);
  const texts = rest.map(({ text }) => text);
  const row = wrapperRows.get(program);
  if (program === "xargs") xargs(started, command, rest);
  else if (row) wrapped(started, row, program, rest);
  else if (looseWrappers.has(program)) loose(started, rest);
  else if (shells.has(program)) shell(started, command, rest);
  else builtins(started, program, rest);
  if (program === "find" || program === "fd" || program === "fdfind") ofFind(started, rest);
  if (program === "git") git(started, first, rest);
  if (program === "parallel" || program === "sem") parallel(started, command, rest);
  const runner = runners.find((words) => words.every((word, index) => word === [program, ...texts][index]));
  if (runner) loose(started, rest.slice(runner.length - 1));
  if (program === "git" && withoutGitOptions(texts).slice(0, 2).join(" ") === "bisect run") {
    started.commands.push(rest.slice(texts.indexOf("run") + 1));
  }
  codeOf(started, program, rest, command);
  byOptions(started, program, texts, command);
  return started;
}

function xargs(started: Started, command: FoundCommand, rest: readonly ShellWord[]): void {
  const plain = plainXargs(rest);
  const start = beginning(wrapperRows.get("xargs") ?? {}, plain);
  if (start !== undefined) started.commands.push(...xargsCommands(command, rest, plain.slice(start)));
  else {
    loose(started, rest);
    started.maybe = started.maybe.map((words) => [...words, ANY_WORDS]);
  }
}

function parallel(started: Started, command: FoundCommand, rest: readonly ShellWord[]): void {
  const { commands, texts, maybe } = parallelCommands(command, rest);
  started.commands.push(...commands);
  started.maybe.push(...maybe);
  for (const text of texts) textWord(started, text);
}

function git(started: Started, first: ShellWord, rest: readonly ShellWord[]): void {
  const texts = rest.map(({ text }) => text);
  for (const text of commandsForGit(texts)) textWord(started, { text, literal: !/[$`]/.test(text) });
  for (const words of gitAliases(rest)) started.commands.push([first, ...words]);
  if (texts.some((word) => word.startsWith("--config-env")))
    started.problem ??= "gives git settings that can run programs";
}

function byOptions(started: Started, program: string, texts: readonly string[], command: FoundCommand): void {
  for (const text of commandOptions(program, texts)) textWord(started, { text, literal: true });
  if (program === "make" || program === "gmake") {
    const made = makeTexts(texts);
    started.code.push(...made.code);
    if (made.problem !== undefined) started.problem ??= made.problem;
  }
  if (/^g?sed$/.test(program)) {
    for (const script of sedScripts(texts).map(sedScript)) {
      for (const text of script.runs) textWord(started, { text, literal: true });
      if (script.runsInput) started.problem ??= onlyThen;
    }
  }
  if (!editors.test(program)) return;
  started.code.push(...editorTexts(texts));
  for (const { operator, target } of command.redirects) {
    if (operator.includes("<<")) started.code.push(editorText(target.text));
  }
}

/** The value of `NAME=value` as written, without its quotes. */
function assigned(assignment: string): ShellWord {
  const value = assignment.slice(assignment.indexOf("=") + 1);
  return { text: value.replace(/^(['"])([\s\S]*)\1$/, "$2"), literal: value.startsWith("'") || !/[$`]/.test(value) };
}

function textWord(started: Started, word: ShellWord | undefined): void {
  if (!word || word.text === "" || word.text === "-") return;
  started.texts.push(word.text);
  if (!word.literal && /[$`]|[<>]\(/.test(word.text)) started.problem ??= onlyThen;
}

function joined(words: readonly ShellWord[]): ShellWord {
  return { text: words.map(({ text }) => text).join(" "), literal: words.every(({ literal }) => literal) };
}

function wrapped(started: Started, row: Wrapper, program: string, rest: readonly ShellWord[]): void {
  if (program === "env") splitStrings(started, rest);
  const start = beginning(row, rest);
  if (start === undefined) loose(started, rest);
  else if (start < rest.length) started.commands.push(rest.slice(start));
}

/** Where the command begins; undefined = an option is not known. */
function beginning(row: Wrapper, rest: readonly ShellWord[]): number | undefined {
  const longs = row.longs?.split(" ") ?? [];
  const longFlags = row.longFlags?.split(" ") ?? [];
  let operands = row.operands ?? 0;
  let at = 0;
  for (; at < rest.length; at += 1) {
    const { text = "", literal = true } = rest[at] ?? {};
    if (!literal && /^[$`*?{]/.test(text) && operands === 0) return at;
    if (text === "--") continue;
    if (text.startsWith("--")) {
      const name = text.slice(2).split("=")[0] ?? "";
      if (longs.includes(name)) at += text.includes("=") ? 0 : 1;
      else if (!longFlags.includes(name)) return undefined;
    } else if (/^-./.test(text)) {
      const taken = shortOptions(row, text.slice(1));
      if (taken === undefined) return undefined;
      at += taken;
    } else if (row.assignments && /^[A-Za-z_]\w*=/.test(text)) continue;
    else if (operands > 0) operands -= 1;
    else return at;
  }
  return at;
}

/** How many words more the letters take; undefined = one is not known. */
function shortOptions(row: Wrapper, letters: string): 0 | 1 | undefined {
  for (const [index, letter] of [...letters].entries()) {
    if (row.values?.includes(letter)) return index === letters.length - 1 ? 1 : 0;
    if (!row.flags?.includes(letter)) return undefined;
  }
  return 0;
}

function splitStrings(started: Started, rest: readonly ShellWord[]): void {
  rest.forEach((word, index) => {
    const match = /^(?:-[iv0]*S|--split-string=?)([\s\S]*)$/.exec(word.text);
    if (!match) return;
    const text = match[1] ? { ...word, text: match[1] } : rest[index + 1];
    textWord(started, text);
  });
}

/** Every word may be the beginning of a command, or a text that a shell reads. */
function loose(started: Started, rest: readonly ShellWord[]): void {
  const start = rest.findIndex(({ text }) => !text.startsWith("-"));
  if (start < 0) return;
  rest.forEach((word, index) => {
    if (!/^[-0-9]/.test(word.text)) started.maybe.push(runFrom(rest, index));
    if (/\s/.test(word.text)) textWord(started, word);
  });
}

/** Options of shells that take a value of their own. */
const shellValues = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/;

function shell(started: Started, command: FoundCommand, rest: readonly ShellWord[]): void {
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
    textWord(started, rest[rest[at]?.text === "--" ? at + 1 : at]);
    // A word in an unusual place is a text as well.
    for (const word of rest)
      if (/\s/.test(word.text) && !started.texts.includes(word.text)) started.texts.push(word.text);
  } else if (at >= rest.length || fromInput) fromRedirects(started, command);
}

/** A shell without a file reads what it is fed. */
function fromRedirects(started: Started, command: FoundCommand): void {
  for (const { operator, target } of command.redirects) {
    if (/^\d*<<-?$|<<<$/.test(operator)) textWord(started, target);
  }
}

const declaring = /^(?:alias|export|declare|typeset|readonly|local)$/;

/** Builtins and programs that take a text for a shell among their words. */
function builtins(started: Started, program: string, rest: readonly ShellWord[]): void {
  const operands = rest.filter(({ text }) => !/^-./.test(text));
  if (program === "eval") textWord(started, joined(rest));
  else if (program === "trap") textWord(started, operands[0]);
  else if (/^(?:ssh|mosh|rsh)$/.test(program)) remote(started, rest);
  else if (/^(?:mapfile|readarray|complete|compgen)$/.test(program)) {
    textWord(started, rest[rest.findIndex(({ text }) => /^-[CF]$/.test(text)) + 1]);
  } else if (declaring.test(program)) {
    for (const word of operands) {
      const isCommand = word.text.includes("=") && (program === "alias" || commandVariables.test(word.text));
      if (isCommand) textWord(started, { ...word, text: word.text.slice(word.text.indexOf("=") + 1) });
    }
  }
}

function remote(started: Started, rest: readonly ShellWord[]): void {
  let at = 0;
  for (; at < rest.length && /^-./.test(rest[at]?.text ?? ""); at += 1) {
    const text = rest[at]?.text ?? "";
    const option = text === "-o" ? rest[at + 1]?.text : text.startsWith("-o") ? text.slice(2) : undefined;
    const own = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]([\s\S]*)$/i.exec(option ?? "")?.[1];
    if (own) started.texts.push(own);
    if (sshValues.test(text)) at += 1;
  }
  if (at + 1 < rest.length) textWord(started, joined(rest.slice(at + 1)));
}

function ofFind(started: Started, rest: readonly ShellWord[]): void {
  rest.forEach(({ text }, index) => {
    if (!/^-(?:exec|execdir|ok|okdir|x|X)$|^--exec(?:-batch)?$/.test(text)) return;
    const words = rest.slice(index + 1);
    const end = words.findIndex((word) => word.text === ";" || word.text === "+");
    started.commands.push(end < 0 ? words : words.slice(0, end));
  });
}

function codeOf(started: Started, program: string, rest: readonly ShellWord[], command: FoundCommand): void {
  if (scripted.has(program)) started.code.push(...rest.map(({ text }) => text).filter((text) => /\W/.test(text)));
  const option = interpreters.find(([name]) => name.test(program))?.[1];
  if (option) {
    rest.forEach((word, index) => {
      if (option.test(word.text)) started.code.push(rest[index + 1]?.text ?? "");
      else if (word.text.includes("=") && option.test(word.text.split("=")[0] ?? "")) started.code.push(word.text);
    });
  }
  if (!isInterpreter(program)) return;
  for (const { operator, target } of command.redirects) {
    if (operator.includes("<<")) started.code.push(target.text);
  }
}
