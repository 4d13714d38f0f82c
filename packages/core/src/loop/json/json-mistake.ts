/** The tokens that may come next. */
type Expects = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "nothing";

const LITERAL = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
/** An incomplete literal at the end of the text. */
const CUT_LITERAL = /(?:-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d*)?)?|t(?:ru?)?|f(?:al?s?)?|n(?:ul?)?)$/y;

/**
 * Where a text stops being JSON: the index of the first character that is invalid there, or `cut` if the text is the
 * valid beginning of JSON. Undefined if it is complete. One pass without recursion.
 */
export function jsonMistake(text: string): number | "cut" | undefined {
  const open: ("}" | "]")[] = [];
  let expects: Expects = "value";
  let at = 0;
  const afterValue = (): Expects => (open.length === 0 ? "nothing" : "comma or end");
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isThere = pattern.test(text);
    if (isThere) at = pattern.lastIndex;
    return isThere;
  };
  const string = (): number | "cut" | undefined => {
    const read = readString(text, at);
    if ("mistake" in read) return read.mistake;
    at = read.end;
    return undefined;
  };
  for (;;) {
    while (at < text.length && " \t\n\r".includes(text.charAt(at))) at += 1;
    if (at >= text.length) return expects === "nothing" ? undefined : "cut";
    const char = text.charAt(at);
    const mayEnd = expects === "comma or end" || expects === "key or end" || expects === "value or end";
    const isValue: boolean = expects === "value" || expects === "value or end";
    if (mayEnd && char === open.at(-1)) {
      open.pop();
      at += 1;
      expects = afterValue();
    } else if (expects === "comma or end" && char === ",") {
      at += 1;
      expects = open.at(-1) === "}" ? "key" : "value";
    } else if (expects === "colon" && char === ":") {
      at += 1;
      expects = "value";
    } else if (isValue && (char === "{" || char === "[")) {
      open.push(char === "{" ? "}" : "]");
      at += 1;
      expects = char === "{" ? "key or end" : "value or end";
    } else if (isValue || expects === "key" || expects === "key or end") {
      const mistake =
        char === '"' ? string() : !isValue ? at : match(LITERAL) ? undefined : match(CUT_LITERAL) ? "cut" : at;
      if (mistake !== undefined) return mistake;
      expects = isValue ? afterValue() : "colon";
    } else return at;
  }
}

const ESCAPED = '"\\/bfnrtu';
const FOUR_DIGITS = /[\da-fA-F]{4}/y;
const CUT_DIGITS = /[\da-fA-F]{0,3}$/y;

/** Reads the string that begins here: its end, `cut`, or its first invalid escape. */
function readString(text: string, from: number): { end: number } | { mistake: number | "cut" } {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { end: at + 1 };
    if (char !== "\\") continue;
    at += 1;
    if (at < text.length && !ESCAPED.includes(text.charAt(at))) return { mistake: at - 1 };
    if (text.charAt(at) !== "u") continue;
    FOUR_DIGITS.lastIndex = at + 1;
    CUT_DIGITS.lastIndex = at + 1;
    if (!FOUR_DIGITS.test(text)) return { mistake: CUT_DIGITS.test(text) ? "cut" : at - 1 };
  }
  return { mistake: "cut" };
}
