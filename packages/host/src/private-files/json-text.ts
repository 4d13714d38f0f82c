const MAX_DEPTH = 100;

/** The value of a JSON text, or where and why it is invalid. */
export type JsonText = { value: unknown } | { line: number; column: number; why: string };

/**
 * Parses strict JSON. The engine's messages do not always give the position; ours always do, and repeat nothing of the
 * text, which may contain secrets.
 */
export function parseJson(text: string): JsonText {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const deep = tooDeepAt(source);
  if (deep !== undefined) return { ...placeIn(source, deep), why: `it is nested deeper than ${MAX_DEPTH} levels` };
  try {
    return { value: JSON.parse(source) };
  } catch {
    const { at, why } = faultIn(source);
    return { ...placeIn(source, at), why };
  }
}

function placeIn(source: string, at: number): { line: number; column: number } {
  const before = source.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Where the text nests more brackets than any file of ours: recursive code would overflow on its value. */
function tooDeepAt(source: string): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < source.length; at += 1) {
    const char = source[at];
    if (isString && char === "\\") at += 1;
    else if (char === '"') isString = !isString;
    else if (isString) continue;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    if (depth > MAX_DEPTH) return at;
  }
  return undefined;
}

/** Finds a name that occurs twice in an object of a valid JSON text, as written: only its last value is used. */
export function doubledName(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  // In valid JSON, quotes and brackets outside of strings are sufficient.
  for (const [, string, colon, sign] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|([{}[\]])/g)) {
    if (sign === "{") open.push(new Set());
    else if (sign === "[") open.push(undefined);
    else if (sign !== undefined) open.pop();
    else if (string !== undefined && colon !== undefined) {
      const names = open.at(-1);
      const name = plainName(string);
      if (names?.has(name)) return string;
      names?.add(name);
    }
  }
  return undefined;
}

/** Resolves escapes: `"\u0061"` is `"a"`. */
function plainName(string: string): string {
  try {
    return String(JSON.parse(string));
  } catch {
    return string;
  }
}

type Fault = { at: number; why: string };

// A punctuation character, a string, or a number or literal; no control characters inside a string.
const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b))/y;

/** The tokens that may come next; after a closing bracket the stack decides. */
type ExpectedToken = "value" | "firstValue" | "key" | "firstKey" | "colon" | "next" | "end";

const expectedText: Record<ExpectedToken, string> = {
  value: "a value is expected here",
  firstValue: "a value or ] is expected here",
  key: "a name in double quotes is expected here",
  firstKey: "a name in double quotes or } is expected here",
  colon: "a colon is expected after the name",
  next: "a comma or the closing bracket is expected here",
  end: "nothing may follow the closing bracket",
};

/** Finds the first token that is not allowed. */
function faultIn(text: string): Fault {
  const open: string[] = [];
  let expected: ExpectedToken = "value";
  TOKEN.lastIndex = 0;
  for (let at = 0; ; at = TOKEN.lastIndex) {
    const token = TOKEN.exec(text);
    const after: ExpectedToken | undefined = token ? step(token, expected, open) : undefined;
    if (!after) {
      const start = text.length - text.slice(at).replace(/^[ \t\r\n]+/, "").length;
      return { at: start, why: start === text.length ? "the text ends too early" : oddity(text, start, expected) };
    }
    expected = after;
  }
}

/** Undefined if the token does not fit. */
function step([, sign, string]: RegExpExecArray, expected: ExpectedToken, open: string[]): ExpectedToken | undefined {
  const done = (): ExpectedToken => (open.length > 0 ? "next" : "end");
  const wantsValue = expected === "value" || expected === "firstValue";
  if (string !== undefined && (expected === "key" || expected === "firstKey")) return "colon";
  if (sign === undefined) return wantsValue ? done() : undefined;
  if (sign === ":") return expected === "colon" ? "value" : undefined;
  if (sign === ",") return expected === "next" ? (open.at(-1) === "{" ? "key" : "value") : undefined;
  if (sign === "{" || sign === "[") {
    if (!wantsValue) return undefined;
    open.push(sign);
    return sign === "{" ? "firstKey" : "firstValue";
  }
  const opener = sign === "}" ? "{" : "[";
  const mayClose = expected === "next" || expected === (sign === "}" ? "firstKey" : "firstValue");
  if (!mayClose || open.at(-1) !== opener) return undefined;
  open.pop();
  return done();
}

function oddity(text: string, at: number, expected: ExpectedToken): string {
  const rest = text.slice(at, at + 2);
  if (rest === "//" || rest === "/*" || rest.startsWith("#")) return "comments are not allowed in JSON";
  if (expected === "key" && rest.startsWith("}")) return "a comma before } is not allowed";
  if (expected === "value" && rest.startsWith("]")) return "a comma before ] is not allowed";
  if (rest.startsWith("'")) return "strings need double quotes";
  return rest.startsWith('"') && expected !== "next" && expected !== "colon" && expected !== "end"
    ? "this string is not complete: it must end on its line and may contain only JSON escapes"
    : expectedText[expected];
}
