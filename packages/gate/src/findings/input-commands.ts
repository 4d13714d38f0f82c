import type { ShellWord } from "../ports/shell-grammar.ts";
import { ANY_WORDS, fedText, withInput } from "./fed-words.ts";
import type { FoundCommand } from "./found-command.ts";

/** What a program makes of its input. `texts` are for a shell, `maybe` begins somewhere. */
type InputCommands = { commands: ShellWord[][]; texts: ShellWord[]; maybe: ShellWord[][] };

/** Options of xargs whose value, if any, is attached to them. */
const attached = /^(?:-[iel].*|--(?:replace|eof|max-lines)(?:=.*)?)$/;

const xargsValues = /^(?:-[0prtxo]*[adEILnPs]|--(?:arg-file|delimiter|max-args|max-procs|max-chars|process-slot-var))$/;

/** Words of xargs without those options, for who looks for the command among them; the command keeps its own. */
export function plainXargs(rest: readonly ShellWord[]): ShellWord[] {
  let end = 0;
  while (/^-./.test(rest[end]?.text ?? "")) end += xargsValues.test(rest[end]?.text ?? "") ? 2 : 1;
  return [...rest.slice(0, end).filter(({ text }) => !attached.test(text)), ...rest.slice(end)];
}

/** `template`: the command as far as its words tell. */
export function xargsCommands(
  command: FoundCommand,
  rest: readonly ShellWord[],
  template: readonly ShellWord[],
): ShellWord[][] {
  if (template.length === 0) return [];
  const options = rest.slice(0, rest.length - template.length).map(({ text }) => text);
  // From a file, or parted by another sign.
  const isOther = options.some((text) => /^(?:-[prtxo]*[0ad]|--(?:arg-file|delimiter|null))/.test(text));
  return withInput(template, xargsSign(options), isOther ? undefined : fedText(command), "words");
}

/** What input takes the place of. */
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

/** GNU parallel: words, then `:::` and what takes their signs' place; without words the input is commands. */
export function parallelCommands(command: FoundCommand, rest: readonly ShellWord[]): InputCommands {
  const found: InputCommands = { commands: [], texts: [], maybe: [] };
  let start = 0;
  while (/^-./.test(rest[start]?.text ?? "")) start += parallelValues.test(rest[start]?.text ?? "") ? 2 : 1;
  const sources = rest.findIndex(({ text }) => /^::::?\+?$/.test(text));
  const template = rest.slice(start, sources < 0 ? undefined : Math.max(start, sources));
  const isPlain = sources >= 0 && rest.filter(({ text }) => text.startsWith(":::")).length === 1;
  const given = rest.slice(sources + 1);
  const isKnown = isPlain && rest[sources]?.text === ":::" && given.every(({ literal }) => literal);
  const text = sources < 0 ? fedText(command) : isKnown ? given.map((word) => word.text).join("\n") : undefined;
  if (template.length === 0) {
    found.texts.push(text === undefined ? ANY_WORDS : { text, literal: true });
    return found;
  }
  const signed = template.map((word) =>
    /\{[^{}\s]*\}/.test(word.text) ? { ...word, text: word.text.replace(/\{[^{}\s]*\}/g, "{}") } : word,
  );
  for (const words of withInput(signed, "{}", text, "lines")) {
    found.commands.push(words);
    // Its words are joined and read by a shell once more.
    found.texts.push({ text: words.map((word) => word.text).join(" "), literal: true });
  }
  // Where an option has a value that is not known here.
  for (let at = start; at < rest.length && at < start + 8; at += 1) {
    if (!/^[-0-9:]/.test(rest[at]?.text ?? ""))
      found.maybe.push([...rest.slice(at, sources < 0 ? undefined : sources), ANY_WORDS]);
  }
  return found;
}
