import { type ShellToken, variableMark, type WordToken } from "./shell-token.ts";

type Outside = { outside: string };
type Join = Extract<ShellToken, { kind: "join" }>;

const unclear: Outside = { outside: "its loop is not one over plain words" };
/** The same as the most commands in a line. */
const MAX_ROUNDS = 30;
const plainValue = /^[A-Za-z0-9_./:=@%+,^-]+$/;

/**
 * `for x in a b; do …; done` over plain words, as the commands that it runs, one round after the other. Nested loops,
 * loops over patterns, and loops in pipes are outside.
 */
export function unrolledLoops(tokens: readonly ShellToken[]): ShellToken[] | Outside {
  const found: ShellToken[] = [];
  for (let at = 0; at < tokens.length; ) {
    const loop = isKeyword(tokens[at], "for") && mayStart(found.at(-1)) ? readLoop(tokens, at) : undefined;
    if (loop && "outside" in loop) return loop;
    found.push(...(loop ? loop.rounds : tokens.slice(at, at + 1)));
    at = loop ? loop.end : at + 1;
  }
  return found;
}

/** After `&&` and the like, only the loop's first command would belong to what precedes it. */
function mayStart(before: ShellToken | undefined): boolean {
  return before === undefined || isEnd(before);
}

function isEnd(token: ShellToken | undefined): token is Join {
  return token?.kind === "join" && (token.join === ";" || token.join === "\n");
}

function isKeyword(token: ShellToken | undefined, word: string): token is WordToken {
  return token?.kind === "word" && token.text === word && token.isPlain;
}

function readLoop(tokens: readonly ShellToken[], start: number): { rounds: ShellToken[]; end: number } | Outside {
  const name = tokens[start + 1];
  // A loop variable such as PATH, which programs know, would change what runs in the loop.
  if (name?.kind !== "word" || !/^[a-z][a-z0-9]{0,15}$/.test(name.text) || !isKeyword(name, name.text)) return unclear;
  let at = start + 2;
  if (!isKeyword(tokens[at], "in")) return unclear;
  const values: string[] = [];
  for (at += 1; tokens[at]?.kind === "word"; at++) {
    const value = tokens[at] as WordToken;
    if (value.glob || !plainValue.test(value.text)) return unclear;
    values.push(value.text);
  }
  if (values.length === 0 || values.length > MAX_ROUNDS || !isEnd(tokens[at])) return unclear;
  at = behindLines(tokens, at + 1);
  if (!isKeyword(tokens[at], "do")) return unclear;
  const from = behindLines(tokens, at + 1);
  const end = tokens.findIndex((each, index) => index > from && isKeyword(each, "done") && isEnd(tokens[index - 1]));
  const behind = tokens[end + 1];
  if (end < 0 || (behind !== undefined && (behind.kind !== "join" || behind.join === "|"))) return unclear;
  const body = tokens.slice(from, end);
  const rounds = values.flatMap((value) => body.map((each) => withValue(each, name.text, value)));
  // An operator after the loop applies to its last command.
  return { rounds: rounds.slice(0, -1), end: end + 1 };
}

function behindLines(tokens: readonly ShellToken[], start: number): number {
  let at = start;
  for (let token = tokens[at]; token?.kind === "join" && token.join === "\n"; token = tokens[at]) at += 1;
  return at;
}

function withValue(token: ShellToken, name: string, value: string): ShellToken {
  if (token.kind !== "word" && token.kind !== "input") return token;
  return { ...token, text: token.text.replace(variableMark, (mark, of) => (of === name ? value : mark)) };
}
