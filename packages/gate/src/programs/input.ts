import type { ShellCommand, ShellWord } from "../ports/shell-grammar.ts";
import type { CheckedLine } from "../shell/checked-line.ts";
import type { ArgumentReader } from "./arguments/argument-reading.ts";
import { readFlags } from "./arguments/argument-row.ts";
import { readTelling } from "./file-readers.ts";
import type { Hardening, Programs } from "./program.ts";
import { addAnywhere, addText, commandStart, type StartReader } from "./starts/started-commands.ts";
import { ANY_WORDS, stdinText, withInput } from "./starts/stdin-words.ts";

// Programs that turn their input into commands.

/** Flags of xargs itself; none has an optional value. */
const readXargsFlags = readFlags("-0r -n=number -L=number --null --no-run-if-empty --max-args=number");

/** It passes on names that are only known at run time, so the program that it starts must not show contents. */
const readXargs: ArgumentReader = (args) => {
  const start = args.findIndex(({ text, glob }) => /^(?:wc|basename|dirname)$/.test(text) && !glob);
  const reading = start < 0 ? { reason: "it starts a program" } : readXargsFlags(args.slice(0, start));
  if ("reason" in reading) return reading;
  const started = readTelling(args.slice(start));
  if ("reason" in started) return started;
  // The names that it adds come after all words.
  return { ...started, flagsEnd: start + 1 + (started.flagsEnd ?? 0) };
};

/** Names that begin with a dash must not become flags of the started program. */
const withEndOfFlags: Hardening = (words, { end }) => ({
  words: words[end] === "--" ? [...words] : words.toSpliced(end, 0, "--"),
});

const xargsOptions = {
  flags: "0prtxo",
  values: "adEILnPs",
  longs: "arg-file delimiter max-args max-procs max-chars process-slot-var",
  longFlags: "null interactive no-run-if-empty verbose exit open-tty",
};

const startXargs: StartReader = (started, rest, command) => {
  const plain = plainXargs(rest);
  const start = commandStart(xargsOptions, plain);
  if (start !== undefined) {
    started.commands.push(...xargsCommands(command, rest, plain.slice(start)));
    return;
  }
  addAnywhere(started, rest);
  started.maybe = started.maybe.map((words) => [...words, ANY_WORDS]);
};

/** Options of xargs whose optional value is attached to them. */
const attached = /^(?:-[iel].*|--(?:replace|eof|max-lines)(?:=.*)?)$/;

const xargsValues = /^(?:-[0prtxo]*[adEILnPs]|--(?:arg-file|delimiter|max-args|max-procs|max-chars|process-slot-var))$/;

/** Words of xargs without those options, to search for the command among them; the command keeps its own. */
function plainXargs(rest: readonly ShellWord[]): ShellWord[] {
  let end = 0;
  while (/^-./.test(rest[end]?.text ?? "")) end += xargsValues.test(rest[end]?.text ?? "") ? 2 : 1;
  return [...rest.slice(0, end).filter(({ text }) => !attached.test(text)), ...rest.slice(end)];
}

/** `template`: the command as far as the arguments show it. */
function xargsCommands(
  command: ShellCommand,
  rest: readonly ShellWord[],
  template: readonly ShellWord[],
): ShellWord[][] {
  if (template.length === 0) return [];
  const options = rest.slice(0, rest.length - template.length).map(({ text }) => text);
  // Read from a file, or split at a different character.
  const isOther = options.some((text) => /^(?:-[prtxo]*[0ad]|--(?:arg-file|delimiter|null))/.test(text));
  return withInput(template, xargsSign(options), isOther ? undefined : stdinText(command), "words");
}

/** The placeholder that input replaces. */
function xargsSign(options: readonly string[]): string | undefined {
  for (const [index, text] of options.entries()) {
    const short = /^-[0prtxo]*I(.*)$/s.exec(text);
    if (short) return short[1] === "" ? options[index + 1] : short[1];
    const long = /^(?:-i|--replace(?:=|$))(.*)$/s.exec(text);
    if (long) return long[1] === "" ? "{}" : long[1];
  }
  return undefined;
}

const parallelValues =
  /^(?:-[jnNIadCSsPLl]|--(?:jobs|max-procs|max-args|max-replace-args|arg-file|delimiter|colsep|sshlogin|timeout|delay|retries|results|joblog|halt|tagstring|tmpdir|workdir|wd|load|nice|memfree|shuf|env|basefile|return|transferfile|max-chars|block|recstart|recend))$/;

/** GNU parallel: words, then `:::` and the values for their placeholders; without words the input is commands. */
const startParallel: StartReader = (started, rest, command) => {
  addAnywhere(started, rest);
  let start = 0;
  while (/^-./.test(rest[start]?.text ?? "")) start += parallelValues.test(rest[start]?.text ?? "") ? 2 : 1;
  const sources = rest.findIndex(({ text }) => /^::::?\+?$/.test(text));
  const template = rest.slice(start, sources < 0 ? undefined : Math.max(start, sources));
  const isPlain = sources >= 0 && rest.filter(({ text }) => text.startsWith(":::")).length === 1;
  const inputs = rest.slice(sources + 1);
  const isKnown = isPlain && rest[sources]?.text === ":::" && inputs.every(({ literal }) => literal);
  const text = sources < 0 ? stdinText(command) : isKnown ? inputs.map((word) => word.text).join("\n") : undefined;
  if (template.length === 0) {
    addText(started, text === undefined ? ANY_WORDS : { text, literal: true });
    return;
  }
  const signed = template.map((word) =>
    /\{[^{}\s]*\}/.test(word.text) ? { ...word, text: word.text.replace(/\{[^{}\s]*\}/g, "{}") } : word,
  );
  for (const words of withInput(signed, "{}", text, "lines")) {
    started.commands.push(words);
    // Its words are joined and read by a shell again.
    addText(started, { text: words.map((word) => word.text).join(" "), literal: true });
  }
  // An option may have a value that is unknown here.
  for (let at = start; at < rest.length && at < start + 8; at += 1) {
    if (!/^[-0-9:]/.test(rest[at]?.text ?? ""))
      started.maybe.push([...rest.slice(at, sources < 0 ? undefined : sources), ANY_WORDS]);
  }
};

/** Commands that print only names of existing files, and commands that filter them. */
const lists =
  /^(?:find(?! .*-(?:printf|ls|exec)\b)|fd|fdfind|git(?: --no-pager)? ls-files)(?: |$)|^ls(?: -[1aArtS]+| [^- ]\S*)*$/;
const leavesOut =
  /^(?:(?:sort|uniq)(?: -[ruVz]+)*|(?:head|tail)(?: -n ?\d+| -\d+)?|[ef]?grep(?: -[vEFiw]+)*(?: [^- ]\S*)?)$/;

/** True if the command opens any file that its input names, not only files that a program has found. */
export function opensAnyNames({ commands, joins }: CheckedLine, index: number): boolean {
  const command = commands[index];
  if (command?.program !== "xargs" || !command.args.some(({ text }) => text === "wc")) return false;
  for (let at = index; joins[at - 1] === "|" && commands[at]?.input === undefined; at--) {
    const { program = "", args = [] } = commands[at - 1] ?? {};
    const words = [program, ...args.map(({ text }) => text)].join(" ");
    if (lists.test(words)) return false;
    if (!leavesOut.test(words)) return true;
  }
  return true;
}

export const inputPrograms: Programs = {
  xargs: {
    reads: readXargs,
    readsOpenly: (args) => args.some(({ text }) => text === "wc"),
    harden: withEndOfFlags,
    starts: "input",
    start: startXargs,
  },
  "parallel sem": { starts: "input", start: startParallel },
};
