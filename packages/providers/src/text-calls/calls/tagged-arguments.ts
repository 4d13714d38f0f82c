import { asRecord, isRecord, tryParseJson } from "../../json/lenient-json.ts";
import { type BlockStart, type Reading, skipSpace, type WrittenCall } from "./text-call.ts";

/** Arguments with a tag each. `parameter` (sticky) matches an opening tag and captures its key. */
export type ArgumentTags = { parameter: RegExp; parameterEnd: string; callEnds: readonly string[] };

type Source = Pick<BlockStart, "text" | "tools">;

/**
 * Reads from after the call's opening tag to after its closing one. Values are raw text; the tool's schema determines
 * their types.
 */
export function readTagged(source: Source, name: string, at: number, tags: ArgumentTags): Reading {
  const { text, tools } = source;
  const properties = asRecord(tools.find(name)?.inputSchema.properties);
  const entries: [string, unknown][] = [];
  let position = skipSpace(text, at);
  for (;;) {
    const callEnd = callEndAt(text, position, tags);
    if (callEnd) return { calls: [{ name, input: Object.fromEntries(entries) }], end: position + callEnd.length };
    const key = keyAt(text, position, tags);
    if (!key) return isCutTag(text, position) ? cutAt(name, entries, text) : { end: position };
    const end = valueEnd(text, key.from, tags);
    if (end === undefined) return cutAt(name, entries, text, [key.name, text.slice(key.from)]);
    entries.push([key.name, typedValue(properties[key.name], unwrapped(text.slice(key.from, end)))]);
    position = skipSpace(text, end + tags.parameterEnd.length);
  }
}

function keyAt(text: string, at: number, tags: ArgumentTags): { name: string; from: number } | undefined {
  tags.parameter.lastIndex = at;
  const match = tags.parameter.exec(text);
  const name = match?.[1]?.trim();
  return match && name ? { name, from: at + match[0].length } : undefined;
}

function callEndAt(text: string, at: number, tags: ArgumentTags): string | undefined {
  return tags.callEnds.find((each) => text.startsWith(each, at));
}

/** True if the text ends, or ends inside a tag. */
function isCutTag(text: string, at: number): boolean {
  return at >= text.length || (text[at] === "<" && text.length - at < 200 && text.indexOf(">", at) < 0);
}

/**
 * A value may contain the closing tag itself, because models write files in it: the value ends where the next text can
 * follow a value.
 */
function valueEnd(text: string, from: number, tags: ArgumentTags): number | undefined {
  for (let at = text.indexOf(tags.parameterEnd, from); at >= 0; at = text.indexOf(tags.parameterEnd, at + 1)) {
    const next = skipSpace(text, at + tags.parameterEnd.length);
    if (callEndAt(text, next, tags) || isCutTag(text, next) || keyAt(text, next, tags)) return at;
  }
  return undefined;
}

/** The arguments so far, as the beginning of equivalent JSON. */
function cutAt(name: string, entries: [string, unknown][], text: string, last?: [string, string]): Reading {
  const members = entries.map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  if (last) members.push(`${JSON.stringify(last[0])}: ${JSON.stringify(unwrapped(last[1])).slice(0, -1)}`);
  const call: WrittenCall = { name, inputText: `{${members.join(", ")}`, cut: true };
  return { calls: [call], end: text.length };
}

/** Templates put a newline on either side of a value. */
function unwrapped(value: string): string {
  const inner = value.replace(/^\r?\n/, "");
  return inner === value ? value : inner.replace(/\r?\n$/, "");
}

/** The text itself if the schema accepts text; otherwise the JSON value that it spells. */
function typedValue(schema: unknown, text: string): unknown {
  const types = typesOf(schema);
  if (types.size === 0 || types.has("string")) return text;
  const parsed = tryParseJson(text.trim());
  return parsed.ok ? parsed.value : text;
}

function typesOf(schema: unknown): Set<string> {
  if (!isRecord(schema)) return new Set();
  const { type } = schema;
  const own = typeof type === "string" ? [type] : Array.isArray(type) ? type : [];
  const branches = [schema.anyOf, schema.oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  const types = new Set<string>(own.filter((each) => typeof each === "string"));
  for (const branch of branches) for (const each of typesOf(branch)) types.add(each);
  if (types.size === 0 && Array.isArray(schema.enum)) for (const each of schema.enum) types.add(typeof each);
  return types;
}
