/** Deeper values would overflow the stack of code that walks them, and no program writes any. */
export const MAX_JSON_DEPTH = 500;

/** Parses JSON from an untrusted file. Throws if it is not JSON, or nested too deeply. */
export function parseForeignJson(text: string): unknown {
  if (depthOf(text) > MAX_JSON_DEPTH) throw new SyntaxError("its values are nested too deeply");
  return JSON.parse(text);
}

/** The nesting depth of lists and objects in a JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at + 1);
    else if (code === 0x7b || code === 0x5b) most = Math.max(most, ++depth);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return most;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Most of a file is inside texts, which are skipped at the speed of a search. */
function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/** The position of a text: its field, and the enclosing fields. Elements have the field of their list. */
export type FieldPath = { readonly field: string; readonly outer: FieldPath | undefined };
type Branch = { source: object; copy: Record<string, unknown>; place: FieldPath };

/** The value with `change` applied to each text, and `name` to the names of fields. Any depth is fine. */
export function mapTexts(
  value: unknown,
  change: (text: string, place: FieldPath) => string,
  name: (field: string) => string = (field) => field,
): unknown {
  const branches: Branch[] = [];
  const changed = (each: unknown, place: FieldPath): unknown => {
    if (typeof each === "string") return change(each, place);
    if (typeof each !== "object" || each === null) return each;
    const copy: object = Array.isArray(each) ? [] : {};
    branches.push({ source: each, copy: copy as Record<string, unknown>, place });
    return copy;
  };
  const top = changed(value, { field: "", outer: undefined });
  for (let branch = branches.pop(); branch; branch = branches.pop()) {
    const { source, copy, place } = branch;
    const isList = Array.isArray(source);
    for (const [key, each] of Object.entries(source))
      put(copy, isList ? key : name(key), changed(each, isList ? place : { field: key, outer: place }));
  }
  return top;
}

function put(into: Record<string, unknown>, key: string, value: unknown): void {
  // Assigning to `__proto__` would set the prototype.
  if (key === "__proto__") Object.defineProperty(into, key, { value, writable: true, enumerable: true });
  else into[key] = value;
}
