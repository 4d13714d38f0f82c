/** Deeper values overflow the stack of whatever goes through them, and no program writes such. */
export const MAX_JSON_DEPTH = 500;

/** Parses JSON from a file that anybody may have written. Throws for anything else, and for values that are nested too deeply. */
export function parseForeignJson(text: string): unknown {
  if (depthOf(text) > MAX_JSON_DEPTH) throw new SyntaxError("its values are nested too deeply");
  return JSON.parse(text);
}

/** How deeply lists and objects are nested in a JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isText = false;
    } else if (code === 0x22) isText = true;
    else if (code === 0x7b || code === 0x5b) most = Math.max(most, ++depth);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return most;
}

/** Where a text is: its field, and the fields around it. Elements have the field of their list. */
export type FieldPath = { readonly field: string; readonly outer: FieldPath | undefined };
type Branch = { source: object; copy: Record<string, unknown>; place: FieldPath };

/** The same value with each of its texts changed, and `name` applied to names of fields. Any depth is fine. */
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
  // An assignment to this one would set the prototype.
  if (key === "__proto__") Object.defineProperty(into, key, { value, writable: true, enumerable: true });
  else into[key] = value;
}
