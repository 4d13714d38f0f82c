export type DotenvLines = {
  variables: ReadonlyMap<string, string>;
  /** Numbers, from 1, of lines that could not be parsed. */
  unclear: readonly number[];
};

const NAME = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=[ \t]*/;

/**
 * Parses what the `dotenv` tools of most languages agree on: `NAME=value`, optional `export`, comments after `#`,
 * literal single quotes and backticks, double quotes with `\n \r \t \" \\`, quoted values over several lines. Nothing
 * is expanded. The last of several lines for one name counts.
 */
export function readDotenv(text: string): DotenvLines {
  const source = text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const variables = new Map<string, string>();
  const unclear: number[] = [];
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const lineEnd = endOf(source, at);
    const content = source.slice(at, lineEnd);
    let end = lineEnd;
    const name = NAME.exec(content);
    if (name?.[1] !== undefined) {
      const value = readValue(source, at + name[0].length, lineEnd);
      if (value) {
        variables.set(name[1], value.text);
        end = value.end;
      } else {
        unclear.push(line);
      }
    } else if (!/^\s*(#.*)?$/.test(content)) {
      unclear.push(line);
    }
    line += source.slice(at, end).split("\n").length;
    at = end + 1;
  }
  return { variables, unclear };
}

/** `end`: the end of the line on which the value ends. Undefined for an unclosed quote. */
function readValue(source: string, from: number, lineEnd: number): { text: string; end: number } | undefined {
  const quote = source.charAt(from);
  if (quote !== '"' && quote !== "'" && quote !== "`") {
    const plain = source.slice(from, lineEnd).replace(/(^|\s)#.*$/, "");
    return { text: plain.trim(), end: lineEnd };
  }
  let close = source.indexOf(quote, from + 1);
  while (quote === '"' && close > 0 && isEscaped(source, close)) close = source.indexOf(quote, close + 1);
  if (close < 0) return undefined;
  const inner = source.slice(from + 1, close);
  return { text: quote === '"' ? withoutEscapes(inner) : inner, end: endOf(source, close) };
}

function endOf(source: string, from: number): number {
  const at = source.indexOf("\n", from);
  return at < 0 ? source.length : at;
}

function isEscaped(source: string, at: number): boolean {
  let slashes = 0;
  while (source.charAt(at - 1 - slashes) === "\\") slashes += 1;
  return slashes % 2 === 1;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\" };

function withoutEscapes(text: string): string {
  return text.replace(/\\([nrt"\\])/g, (_whole, letter: string) => ESCAPES[letter] ?? letter);
}
