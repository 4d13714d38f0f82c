type Entry = readonly [name: string, value: string | null];

const statement =
  /(?:(export|declare[ \t]+-[a-zA-Z]+|typeset[ \t]+-[a-zA-Z]+)[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)(?:=|(?=[ \t]*(?:;|\n|$)))/y;
const unset = /unset[ \t]+(?:-v[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*(?=;|\n|$)/y;
const nothing = /(?:[ \t\r\n;]|#[^\n]*)+/y;
const rest = /[^\n]*/y;
const end = /[ \t\r]*(?:;|\n|$)/y;
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
};

/**
 * Lines as shells and `env` print variables: `NAME=value` is taken literally, `export NAME='value'` as a shell would
 * read it. Anything a shell would have to evaluate is refused: nothing here is run.
 */
export function readStatements(text: string): { entries: Entry[] } | { problem: string } {
  const entries: Entry[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at += found[0].length;
    return found;
  };
  for (take(nothing); at < text.length; take(nothing)) {
    const started = at;
    const gone = take(unset);
    if (gone) {
      entries.push([gone[1] ?? "", null]);
      continue;
    }
    const [whole = "", keyword, name = ""] = take(statement) ?? [];
    const isQuoted = keyword !== undefined || /^(?:['"]|\$')/.test(text.slice(at, at + 2));
    if (name === "" || !(keyword !== undefined || whole.endsWith("="))) return { problem: noVariable(text, started) };
    // `export NAME` alone has no value.
    if (!whole.endsWith("=")) continue;
    if (!isQuoted) {
      entries.push([name, (take(rest)?.[0] ?? "").trimEnd()]);
      continue;
    }
    const word = readWord(text, at);
    if (word === undefined) return { problem: noVariable(text, started) };
    at = word.end;
    if (!take(end)) return { problem: noVariable(text, started) };
    entries.push([name, word.value]);
  }
  return { entries };
}

function noVariable(text: string, at: number): string {
  const line = text.slice(0, at).split("\n").length;
  return `line ${line} is not a variable (let it print JSON, or \`env -0\`)`;
}

/** A shell word that needs no evaluation; undefined: it does. */
function readWord(text: string, from: number): { value: string; end: number } | undefined {
  let value = "";
  let at = from;
  while (at < text.length && !/[\s;]/.test(text[at] ?? "")) {
    const piece = text[at] === "'" ? plain(text, at) : text[at] === '"' ? double(text, at) : bare(text, at);
    if (!piece) return undefined;
    value += piece.value;
    at = piece.end;
  }
  return { value, end: at };
}

function plain(text: string, at: number) {
  const close = text.indexOf("'", at + 1);
  return close < 0 ? undefined : { value: text.slice(at + 1, close), end: close + 1 };
}

function double(text: string, from: number) {
  let value = "";
  for (let at = from + 1; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === '"') return { value, end: at + 1 };
    if (letter === "$" || letter === "`") return undefined;
    if (letter !== "\\") value += letter;
    else {
      at += 1;
      const next = text[at] ?? "";
      value += /[$`"\\]/.test(next) ? next : next === "\n" ? "" : `\\${next}`;
    }
  }
  return undefined;
}

/** Outside quotes; also `$'…'`. */
function bare(text: string, from: number) {
  if (text.startsWith("$'", from)) return ansi(text, from + 2);
  const letter = text[from] ?? "";
  if (letter === "\\") return { value: text[from + 1] ?? "", end: from + 2 };
  return /[$`()|&<>]/.test(letter) ? undefined : { value: letter, end: from + 1 };
}

function ansi(text: string, from: number) {
  let value = "";
  for (let at = from; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "'") return { value, end: at + 1 };
    if (letter !== "\\") {
      value += letter;
      continue;
    }
    const coded = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|([0-7]{1,3}))/.exec(text.slice(at + 1, at + 6));
    const code = coded ? Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "", coded[3] === undefined ? 16 : 8) : 0;
    if (coded && code === 0) return undefined;
    const next = text[at + 1] ?? "";
    value += coded ? String.fromCharCode(code) : (escapes[next] ?? next);
    at += coded ? coded[0].length : 1;
  }
  return undefined;
}
