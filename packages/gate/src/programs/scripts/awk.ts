import { expressionPart } from "./expression-part.ts";

/**
 * awk programs that only compute and print in any awk (POSIX awk; gawk's and mawk's manuals). Excluded is everything
 * that starts a program or opens a file (`system`, `getline`, `|`, `print > x`, `@load`, another `ARGV`), loops that
 * are endless as written, and syntax that two awks could parse differently.
 */
export function isHarmlessAwk(program: string): boolean {
  if (program.length > 2000 || program.trim() === "") return false;
  /** The last word or sign, which decides whether `/` divides. */
  let before = ";";
  /** The word that each open bracket belongs to. */
  const open: string[] = [];
  let braces = 0;
  for (let at = 0; at < program.length; ) {
    const text = readToken(program, at, before);
    if (text === undefined) return false;
    at += text.length;
    if (/^[ \t]+$/.test(text) || (text === "\n" && isHead.test(before))) continue;
    // In a statement it may be the target of `print`; also in the head of a `for`, which contains statements.
    if (text === ">" && braces > 0 && /^(?:for)?$/.test(open.at(-1) ?? "")) return false;
    if (text === ";" && before === ";" && open.at(-1) === "for") return false;
    if (/^[A-Za-z_]/.test(text) && !isHarmlessName(text, program.slice(at))) return false;
    if (text === "{") braces += 1;
    if (text === "}") braces -= 1;
    if (text === "(") open.push(isHead.test(before) ? before : "(");
    if (text === ")" && open.length === 0) return false;
    const closed = text === ")" ? open.pop() : undefined;
    before = closed !== undefined && isHead.test(closed) ? closed : text;
  }
  return open.length === 0 && braces === 0;
}

/** After these and their brackets, awks disagree about the meaning of `/`. */
const isHead = /^(?:if|for|else)$/;
const token =
  /[ \t]+|\n|[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?|"(?:[^"\\\n]|\\[^\n])*"|&&|\|\||\+\+|--|[-+*%]=|[=!<>]=|[-+*%=!<>~?:,;$^(){}[\]]/y;
const regex = new RegExp(`/${expressionPart("/")}+/`, "y");
const startsValue = /^(?:[;{}(,!~\n]|&&|\|\||[=!]=|=)$/;
const endsValue = /^(?:[)\]]|\d.*|[A-Za-z_]\w*)$/;

/** A regular expression where a value may begin, a division after a value; elsewhere neither. */
function readToken(program: string, at: number, before: string): string | undefined {
  const isSlash = program[at] === "/";
  if (isSlash && endsValue.test(before) && !isKeyword.test(before) && !functions.test(before)) {
    return program[at + 1] === "=" ? undefined : "/";
  }
  if (isSlash && !startsValue.test(before)) return undefined;
  const pattern = isSlash ? regex : token;
  pattern.lastIndex = at;
  return pattern.exec(program)?.[0];
}

const functions =
  /^(?:length|substr|index|split|tolower|toupper|sub|gsub|gensub|match|sprintf|int|sqrt|log|exp|strftime|systime)$/;
const isKeyword = /^(?:BEGIN|END|if|else|for|in|print|printf|delete|next|exit)$/;
const variables = /^(?:NR|NF|FNR|FS|OFS|RS|ORS|FILENAME|RSTART|RLENGTH|SUBSEP|IGNORECASE)$/;
/** Words of some awk that are not written as a call. */
const reaching =
  /^(?:getline|close|fflush|system|function|func|while|do|include|load|namespace|nextfile|return|switch)$/;

function isHarmlessName(name: string, behind: string): boolean {
  if (isKeyword.test(name) || variables.test(name)) return true;
  if (/^[ \t]*\(/.test(behind)) return functions.test(name);
  // Names in capitals may be an awk's own, such as ARGV or ENVIRON.
  return /[a-z]/.test(name) && !reaching.test(name);
}

/** `-v name=value` sets a variable before the program starts. */
export function isHarmlessAwkVariable(text: string): boolean {
  const name = /^([A-Za-z_]\w*)=/.exec(text)?.[1];
  return name !== undefined && isHarmlessName(name, "");
}
