/** `plainLength`: how many characters at its beginning stand there without quotes or backslashes. */
export type WordToken = { kind: "word"; text: string; glob: boolean; plainLength: number };
export type ShellToken =
  | WordToken
  | { kind: "join"; join: "&&" | "||" | ";" | "|" | "\n" }
  | { kind: "redirect"; redirects: string[] };

type Outside = { outside: string };

const redirectText = /(?:2>&1|1>&2|>&2|[12&]?>\/dev\/null|<\/dev\/null)(?=[ \t\n;|&]|$)/y;
const joinText = /&&|\|\||[;|\n]/y;
const blank = /[ \t]+/y;

/**
 * The words and operators of a line that bash reads in exactly one way, or why it is none: whatever expands, substitutes,
 * groups, goes to the background or touches another file than /dev/null stays outside. One pass.
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
  while (at < command.length) {
    if (take(blank) !== undefined) continue;
    const redirect = take(redirectText);
    if (redirect !== undefined) {
      // Spelt so that a shell other than bash does not read a command in the background.
      tokens.push({ kind: "redirect", redirects: redirect.startsWith("&") ? [redirect.slice(1), "2>&1"] : [redirect] });
      continue;
    }
    const join = take(joinText);
    if (join !== undefined) {
      tokens.push({ kind: "join", join: join as "&&" | "||" | ";" | "|" | "\n" });
      continue;
    }
    const word = readWord(command, at);
    if ("outside" in word) return word;
    tokens.push(word.token);
    at = word.end;
  }
  return tokens;
}

const plainCharacter = /[A-Za-z0-9_./:=@%+,^-]/;
const endOfWord = /[ \t\n;|]/;
/** What is a glob without quotes, or would quote one. */
const globLike = /[*?[\]\\]/;

type ReadWord = { token: WordToken; end: number };
type Piece = { text: string; end: number };

function readWord(command: string, start: number): ReadWord | Outside {
  let text = "";
  let glob = false;
  let plainLength: number | undefined;
  let quotedGlob = false;
  let at = start;
  while (at < command.length && !endOfWord.test(command[at] ?? "")) {
    const character = command[at] ?? "";
    if (character === "&" && command[at + 1] === "&" && at > start) break;
    if (plainCharacter.test(character) || (character === "~" && isPlainTilde(command, start, at))) {
      text += character;
      at += 1;
      continue;
    }
    if (character === "*" || character === "?") {
      glob = true;
      text += character;
      at += 1;
      continue;
    }
    const piece = readQuoted(command, at);
    if ("outside" in piece) return piece;
    plainLength ??= text.length;
    quotedGlob ||= globLike.test(piece.text);
    text += piece.text;
    at = piece.end;
  }
  if (glob && quotedGlob) return { outside: "a pattern of file names has quoted pattern characters in it" };
  return { token: { kind: "word", text, glob, plainLength: plainLength ?? text.length }, end: at };
}

/** A tilde that stands for itself: `HEAD~1`, not `~/x`, `a=~` or `a:~`. */
function isPlainTilde(command: string, start: number, at: number): boolean {
  const before = command[at - 1] ?? "";
  return at > start && /[A-Za-z0-9_./@%+,^~-]/.test(before);
}

function readQuoted(command: string, at: number): Piece | Outside {
  const character = command[at] ?? "";
  if (character === "'") {
    const end = command.indexOf("'", at + 1);
    return end < 0 ? { outside: "a single quote is not closed" } : { text: command.slice(at + 1, end), end: end + 1 };
  }
  if (character === '"') return readDoubleQuoted(command, at);
  if (character === "\\") {
    const next = command[at + 1] ?? "";
    if (!/[\x20-\x7e]/.test(next))
      return { outside: "a backslash stands before the end of a line or an odd character" };
    return { text: next, end: at + 2 };
  }
  return { outside: outsideBy(character) };
}

/** Between double quotes a backslash before any other character is one: `"\."` are two characters. */
function readDoubleQuoted(command: string, start: number): Piece | Outside {
  const special = /["\\$`!]/g;
  let text = "";
  let at = start + 1;
  for (;;) {
    special.lastIndex = at;
    const found = special.exec(command);
    if (!found) return { outside: "a double quote is not closed" };
    text += command.slice(at, found.index);
    const [character] = found;
    if (character === '"') return { text, end: found.index + 1 };
    if (character !== "\\") return { outside: `${character} stands between double quotes` };
    const next = command[found.index + 1] ?? "";
    if (!/[\x20-\x7e]/.test(next) || next === "!") return { outside: "a backslash stands before an odd character" };
    text += /["\\$`]/.test(next) ? next : `\\${next}`;
    at = found.index + 2;
  }
}

const meanings: Readonly<Record<string, string>> = {
  $: "$ stands for something that only a run shows",
  "`": "a backquote runs a command inside the command",
  "&": "& sends a command to the background or belongs to a redirection",
  ">": "it writes to a file, or its redirection is not written apart",
  "<": "it reads from a redirection",
  "(": "brackets group commands",
  ")": "brackets group commands",
  "{": "braces group or expand",
  "}": "braces group or expand",
  "#": "it has a comment",
  "!": "! turns a result round or calls history",
  "~": "~ stands for a home folder",
  "[": "square brackets are a pattern or a test",
  "]": "square brackets are a pattern or a test",
};

function outsideBy(character: string): string {
  return meanings[character] ?? `the character ${character} stands outside quotes`;
}
