/** `plainLength`: how many leading characters are written literally; `isPlain`: the whole word is. */
export type WordToken = { kind: "word"; text: string; glob: boolean; plainLength: number; isPlain: boolean };
export type ShellToken =
  | WordToken
  | { kind: "join"; join: "&&" | "||" | ";" | "|" | "\n" }
  | { kind: "redirect"; redirects: string[] }
  /** `< name`. */
  | { kind: "input"; text: string };

type Outside = { outside: string };

/** Stands for a shell variable in a word; the line itself contains neither character. */
export const variableMark = /\uE000([^\uE001]+)\uE001/g;
const markOf = (name: string) => `\uE000${name}\uE001`;

const redirectText = /(?:2>&1|1>&2|>&2|[12&]?>[ \t]*\/dev\/null|<[ \t]*\/dev\/null)(?=[ \t\n;|&]|$)/y;
const joinText = /&&|\|\||[;|\n]/y;
const blank = /[ \t]+/y;
/** A line continuation between two words. */
const lineEnd = /\\\n(?=[ \t-])/y;
const lineEndBeforeCommand = /\\\n/y;
const inputSign = /<[ \t]*(?=[A-Za-z0-9_./'"$-])/y;
const comment = /#[^\n]*/y;

/**
 * The words and operators of a line that bash reads in exactly one way, or why it is not such a line: expansions,
 * substitutions, groups, background commands and files other than /dev/null are outside. One pass.
 */
export function readShellTokens(command: string): ShellToken[] | Outside {
  const tokens: ShellToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(command)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  const mayStart = () => (tokens.at(-1)?.kind ?? "join") === "join";
  while (at < command.length) {
    if (take(blank) !== undefined) continue;
    if (isBehindBlank(command, at) && take(mayStart() ? lineEndBeforeCommand : lineEnd) !== undefined) continue;
    const redirect = take(redirectText);
    if (redirect !== undefined) {
      const joined = redirect.replace(/[ \t]/g, "");
      // Spelled so that a shell other than bash does not read a background command.
      tokens.push({ kind: "redirect", redirects: joined.startsWith("&") ? [joined.slice(1), "2>&1"] : [joined] });
      continue;
    }
    const join = take(joinText);
    if (join !== undefined) {
      tokens.push({ kind: "join", join: join as "&&" | "||" | ";" | "|" | "\n" });
      continue;
    }
    // A comment is skipped only where a command may begin.
    if (mayStart() && take(comment) !== undefined) continue;
    const isInput = take(inputSign) !== undefined;
    const read = readWord(command, at);
    if ("outside" in read) return read;
    const [word, ...more] = read.words;
    if (isInput && (!word || word.glob || more.length > 0)) return { outside: outsideBy("<") };
    tokens.push(...(isInput && word ? [{ kind: "input", text: word.text } as const] : read.words));
    at = read.end;
  }
  return tokens;
}

/** Elsewhere a backslash may belong to a word. */
function isBehindBlank(command: string, at: number): boolean {
  return at === 0 || /[ \t\n;&|]/.test(command[at - 1] ?? "");
}

const plainCharacters = /[A-Za-z0-9_./:=@%+,^-]+/y;
const endOfWord = /[ \t\n;|]/;
/** Characters that form a glob if unquoted, or would quote one. */
const globLike = /[*?[\]\\]/;

/** Words that consist of one character and mean it: `find ! -name x`, `[ -f x ]`. */
const loneSign = /[![\]](?=[ \t\n;|]|$)/y;
/** `{}`, `stash@{1}`, `@{u}`: braces without a comma or dots in them are literal. */
const plainBraces = /\{[A-Za-z0-9_-]*\}/y;
/** `{a,b}` of plain characters other than commas; items may be empty, as in `a{,.bak}`. */
const alternatives = /\{([A-Za-z0-9_./:=@%+^*?-]*(?:,[A-Za-z0-9_./:=@%+^*?-]*)+)\}/y;
const MAX_ALTERNATIVES = 20;

type ReadWord = { words: WordToken[]; end: number };
type Piece = { text: string; end: number };
type WordDraft = { text: string; glob: boolean };

function readWord(command: string, start: number): ReadWord | Outside {
  const lone = matchAt(loneSign, command, start)?.[0];
  if (lone !== undefined) return { words: [wordToken({ text: lone, glob: false }, undefined)], end: start + 1 };
  /** There are several only after `{a,b}`. */
  let words: WordDraft[] = [{ text: "", glob: false }];
  let plainLength: number | undefined;
  let quotedGlob = false;
  let hasBraces = false;
  const add = (text: string, glob = false) => {
    words = words.map((each) => ({ text: each.text + text, glob: each.glob || glob }));
  };
  let at = start;
  while (at < command.length && !endOfWord.test(command[at] ?? "")) {
    const character = command[at] ?? "";
    if (character === "&" && command[at + 1] === "&" && at > start) break;
    const plain = matchAt(plainCharacters, command, at)?.[0];
    if (plain !== undefined || /[~*?]/.test(character)) {
      if (character === "~" && !isPlainTilde(command, start, at)) return { outside: outsideBy(character) };
      add(plain ?? character, character === "*" || character === "?");
      at += plain?.length ?? 1;
      continue;
    }
    plainLength ??= words[0]?.text.length ?? 0;
    const variable = readVariable(command, at);
    if (variable) {
      add(variable.text);
      at = variable.end;
      continue;
    }
    if (character === "{") {
      const braces = hasBraces ? undefined : readBraces(command, at, words[0]?.text ?? "");
      if (!braces) return { outside: outsideBy(character) };
      hasBraces = true;
      words = words.flatMap((each) =>
        braces.texts.map((text) => ({ text: each.text + text, glob: each.glob || /[*?]/.test(text) })),
      );
      at = braces.end;
      continue;
    }
    const piece = readQuoted(command, at);
    if ("outside" in piece) return piece;
    quotedGlob ||= globLike.test(piece.text);
    add(piece.text);
    at = piece.end;
  }
  if (quotedGlob && words.some(({ glob }) => glob))
    return { outside: "a pattern of file names has quoted pattern characters in it" };
  return { words: words.map((each) => wordToken(each, plainLength)), end: at };
}

function wordToken({ text, glob }: WordDraft, plainLength: number | undefined): WordToken {
  return { kind: "word", text, glob, plainLength: plainLength ?? text.length, isPlain: plainLength === undefined };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/**
 * Braces that are literal or stand for several words; the latter only after other characters, and not in an assignment.
 */
function readBraces(command: string, at: number, before: string): { texts: string[]; end: number } | undefined {
  const plain = matchAt(plainBraces, command, at)?.[0];
  if (plain !== undefined) return { texts: [plain], end: at + plain.length };
  const found = matchAt(alternatives, command, at);
  const texts = found?.[1]?.split(",") ?? [];
  // bash reads `$x{a,b}` as `$xa $xb`.
  if (
    !found ||
    before === "" ||
    before.endsWith("\uE001") ||
    /^\w+\+?=/.test(before) ||
    texts.length > MAX_ALTERNATIVES
  )
    return undefined;
  return { texts, end: at + found[0].length };
}

const variable = /\$(?:([A-Za-z_]\w*|\?)|\{([A-Za-z_]\w*)\})/y;

/** `$name`, `${name}` and `$?`; their values are up to the caller. */
function readVariable(command: string, at: number): Piece | undefined {
  const found = matchAt(variable, command, at);
  return found && { text: markOf(found[1] ?? found[2] ?? ""), end: at + found[0].length };
}

/** A literal tilde: `HEAD~1`, not `~/x`, `a=~` or `a:~`. */
function isPlainTilde(command: string, start: number, at: number): boolean {
  const before = command[at - 1] ?? "";
  return at > start && /[A-Za-z0-9_./@%+,^~-]/.test(before);
}

function readQuoted(command: string, at: number): Piece | Outside {
  const character = command[at] ?? "";
  if (command.startsWith("$'\\t'", at)) return { text: "\t", end: at + 5 };
  if (character === "'") {
    const end = command.indexOf("'", at + 1);
    return end < 0 ? { outside: "a single quote is not closed" } : { text: command.slice(at + 1, end), end: end + 1 };
  }
  if (character === '"') return readDoubleQuoted(command, at);
  if (character === "\\") {
    const next = command[at + 1] ?? "";
    if (!/[\x20-\x7e]/.test(next)) return { outside: "a backslash is followed by a line end or an unusual character" };
    return { text: next, end: at + 2 };
  }
  return { outside: outsideBy(character) };
}

/** Between double quotes a dollar before these is literal, because no variable has such a name. */
const plainDollar = /["\s|)/.,:;\]%=+]/;

/**
 * Between double quotes a backslash before any other character is literal: `"\."` is two characters. History expansion
 * means nothing if nobody types.
 */
function readDoubleQuoted(command: string, start: number): Piece | Outside {
  const special = /["\\$`]/g;
  let text = "";
  let at = start + 1;
  for (;;) {
    special.lastIndex = at;
    const found = special.exec(command);
    if (!found) return { outside: "a double quote is not closed" };
    text += command.slice(at, found.index);
    const [character] = found;
    if (character === '"') return { text, end: found.index + 1 };
    const next = command[found.index + 1] ?? "";
    if (character === "$" && plainDollar.test(next)) {
      text += "$";
      at = found.index + 1;
      continue;
    }
    const variable = readVariable(command, found.index);
    if (variable) {
      text += variable.text;
      at = variable.end;
      continue;
    }
    if (character !== "\\") return { outside: `${character} is inside double quotes` };
    if (!/[\x20-\x7e]/.test(next) || next === "!")
      return { outside: "a backslash is followed by an unusual character" };
    text += /["\\$`]/.test(next) ? next : `\\${next}`;
    at = found.index + 2;
  }
}

const meanings: Readonly<Record<string, string>> = {
  $: "what $ stands for is known only when it runs",
  "`": "a backquote runs a command inside the command",
  "&": "& sends a command to the background or belongs to a redirection",
  ">": "it writes to a file, or its redirection is not written apart",
  "<": "it reads from a redirection",
  "(": "parentheses group commands",
  ")": "parentheses group commands",
  "{": "braces group or expand",
  "}": "braces group or expand",
  "#": "it has a comment",
  "!": "! negates a result or uses the history",
  "~": "~ stands for a home folder",
  "[": "square brackets are a pattern or a test",
  "]": "square brackets are a pattern or a test",
};

function outsideBy(character: string): string {
  return meanings[character] ?? `the character ${character} is outside quotes`;
}
