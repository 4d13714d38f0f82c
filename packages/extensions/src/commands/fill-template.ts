/** A piece of the agent's text: text, or a command that is replaced by its output. */
export type TemplatePiece = { text: string } | { command: string };

const COMMAND = /(^|\s)!`([^`\n]+)`/g;
const PLACEHOLDER =
  /\\(\$)|\$ARGUMENTS\[(\d{1,2})\]|\$(ARGUMENTS)\b|\$([0-9])(?![0-9])|\$\{(CLAUDE_SKILL_DIR|SKILL_DIR)\}|\$(CLAUDE_SKILL_DIR|SKILL_DIR)\b|\$([A-Z][A-Z0-9_]*)\b/g;

/**
 * `folder`: the folder of the template's skill. `keepsPlaces`: without arguments, placeholders for single ones stay,
 * because in a text that takes no arguments `$1` belongs to the shell.
 */
export type TemplateArgs = { args: string; folder?: string; keepsPlaces?: true };

/**
 * Fills arguments into a template: `$ARGUMENTS`, `$1` to `$9`, `$ARGUMENTS[0]`, and `$NAME` for an argument
 * `NAME=value`. A template with `$0` counts from 0. Arguments without a placeholder are appended. The text of arguments
 * is never interpreted as part of the template.
 */
export function fillTemplate(template: string, { args, folder, keepsPlaces }: TemplateArgs): TemplatePiece[] {
  const words = splitArguments(args);
  const first = /\$0(?![0-9])/.test(template) ? 0 : 1;
  const named = new Map(words.flatMap((word) => namedArgument(word)));
  let isUsed = false;
  const take = (value: string | undefined): string => {
    isUsed = true;
    return value ?? "";
  };
  const fill = (text: string): string =>
    text.replace(PLACEHOLDER, (whole, escaped, index, all, position, place, bare, name) => {
      if (place !== undefined || bare !== undefined) return folder ?? whole;
      if (keepsPlaces && args === "" && all === undefined) return whole;
      if (escaped !== undefined) return "$";
      if (index !== undefined) return take(words[Number(index)]);
      if (all !== undefined) return take(args);
      if (position !== undefined) return take(words[Number(position) - first]);
      return named.has(name) ? take(named.get(name)) : whole;
    });
  const pieces = commandsIn(template).map((piece) =>
    "command" in piece ? { command: fill(piece.command) } : { text: fill(piece.text) },
  );
  return isUsed || args === "" ? pieces : joinTexts([...pieces, { text: `\n\nArguments: ${args}` }]);
}

/** Splits like a shell: quotes hold words together, a backslash escapes the next character. */
export function splitArguments(args: string): string[] {
  const words: string[] = [];
  let [word, quote, isOpen] = ["", "", false];
  for (let at = 0; at < args.length; at += 1) {
    const char = args[at] ?? "";
    if (char === "\\" && quote !== "'" && at + 1 < args.length) {
      at += 1;
      word += args[at];
      isOpen = true;
    } else if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || (char === "'" && !isApostrophe(args, at))) {
      quote = char;
      isOpen = true;
    } else if (/\s/.test(char)) {
      if (isOpen) words.push(word);
      [word, isOpen] = ["", false];
    } else {
      word += char;
      isOpen = true;
    }
  }
  return isOpen ? [...words, word] : words;
}

/** People write sentences as arguments: don't is one word. */
function isApostrophe(args: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(args[at - 1] ?? "") || !args.includes("'", at + 1);
}

function namedArgument(word: string): [string, string][] {
  const [, name, value] = /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/.exec(word) ?? [];
  return name === undefined ? [] : [[name, value ?? ""]];
}

function commandsIn(template: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let from = 0;
  for (const match of template.matchAll(COMMAND)) {
    const [whole, before = "", command = ""] = match;
    pieces.push({ text: template.slice(from, match.index) + before }, { command });
    from = match.index + whole.length;
  }
  return joinTexts([...pieces, { text: template.slice(from) }]);
}

/** Joins adjacent texts into one piece, without empty ones. */
function joinTexts(pieces: readonly TemplatePiece[]): TemplatePiece[] {
  const result: TemplatePiece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if ("command" in piece) result.push(piece);
    else if (last && "text" in last) last.text += piece.text;
    else if (piece.text !== "") result.push({ ...piece });
  }
  return result;
}
