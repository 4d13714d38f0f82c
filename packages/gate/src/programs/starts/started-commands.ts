import type { GitAliases } from "../../ports/repositories.ts";
import type { ShellCommand, ShellWord } from "../../ports/shell-grammar.ts";
import { runFrom } from "../../shell/command-text.ts";

/** The commands that a command starts, as far as its arguments show. */
export type StartedCommands = {
  /** Commands among its words. */
  commands: ShellWord[][];
  /** Texts that a shell will read. */
  texts: string[];
  /** Texts in other languages, which may start commands too. */
  code: string[];
  /** Words from which on a command may begin, if the program's options are unknown. */
  maybe: ShellWord[][];
  /** Why it may start more than was found. */
  problem?: string;
};

/** Context for the start of a command: the aliases that git finds from a folder among its words. */
type StartOptions = { aliasesFrom?: (folder: string) => GitAliases | undefined };

/** Adds the commands that a program starts; `rest`: the words after its name. */
export type StartReader = (
  started: StartedCommands,
  rest: readonly ShellWord[],
  command: ShellCommand,
  options?: StartOptions,
) => void;

/**
 * The options of a program before the command that it starts: letters without (`flags`) and with a value (`values`),
 * long names with a value (`longs`) and without (`longFlags`), and how many operands come before the command. After an
 * unknown option, every word may begin the command.
 */
export type Wrapper = {
  flags?: string;
  values?: string;
  longs?: string;
  longFlags?: string;
  operands?: number;
  /** `NAME=value` may precede the command. */
  assignments?: true;
};

export const onlyKnownWhenRun = "runs text that is known only when it runs";
export const hiddenGitSettings = "gives git settings that can run programs";

/** Variables whose value is a command that some program starts. */
export const commandVariables =
  /^(?:PROMPT_COMMAND|PS[04]|BASH_ENV|ENV|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|GIT_(?:SSH(?:_COMMAND)?|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|RSYNC_RSH|CVS_RSH|SHELL|MAKEFLAGS|NODE_OPTIONS|PERL5OPT|RUBYOPT)\+?=/;

/** Adds a word whose text a shell reads. */
export function addText(started: StartedCommands, word: ShellWord | undefined): void {
  if (!word || word.text === "" || word.text === "-") return;
  started.texts.push(word.text);
  if (!word.literal && /[$`]|[<>]\(/.test(word.text)) started.problem ??= onlyKnownWhenRun;
}

/** Adds plain text that a shell reads. */
export function addTexts(started: StartedCommands, texts: readonly string[]): void {
  for (const text of texts) addText(started, { text, literal: true });
}

/** The words as one text. */
export function joinWords(words: readonly ShellWord[]): ShellWord {
  return { text: words.map(({ text }) => text).join(" "), literal: words.every(({ literal }) => literal) };
}

/** Treats every word as the possible beginning of a command, or as a text that a shell reads. */
export function addAnywhere(started: StartedCommands, rest: readonly ShellWord[]): void {
  const start = rest.findIndex(({ text }) => !text.startsWith("-"));
  if (start < 0) return;
  rest.forEach((word, index) => {
    if (!/^[-0-9]/.test(word.text)) started.maybe.push(runFrom(rest, index));
    if (/\s/.test(word.text)) addText(started, word);
  });
}

/** The index at which the command begins; undefined: an option is unknown. */
export function commandStart(wrapper: Wrapper, rest: readonly ShellWord[]): number | undefined {
  const longs = wrapper.longs?.split(" ") ?? [];
  const longFlags = wrapper.longFlags?.split(" ") ?? [];
  let operands = wrapper.operands ?? 0;
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
      const taken = shortOptions(wrapper, text.slice(1));
      if (taken === undefined) return undefined;
      at += taken;
    } else if (wrapper.assignments && /^[A-Za-z_]\w*=/.test(text)) continue;
    else if (operands > 0) operands -= 1;
    else return at;
  }
  return at;
}

/** How many more words the letters take; undefined: one is unknown. */
function shortOptions(wrapper: Wrapper, letters: string): 0 | 1 | undefined {
  for (const [index, letter] of [...letters].entries()) {
    if (wrapper.values?.includes(letter)) return index === letters.length - 1 ? 1 : 0;
    if (!wrapper.flags?.includes(letter)) return undefined;
  }
  return 0;
}
