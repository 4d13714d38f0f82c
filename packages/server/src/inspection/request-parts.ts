import type { RequestSection } from "@harness/protocol";

/** A piece of a request as it is in the JSON; `text` is for reading. */
export type RequestPart = { section: RequestSection["section"]; name: string; text: string; chars: number };

/** Fields that hold the conversation in the known wire APIs. */
const conversations = new Set(["messages", "input", "contents"]);
const systems = new Set(["system", "instructions", "systemInstruction", "system_instruction"]);
const MAX_NAME = 60;

type Json = unknown;
type JsonRecord = Readonly<Record<string, Json>>;

/**
 * The pieces of a request in the order in which models read them: options, system text, tools, and the conversation. A
 * body that is not JSON is one piece.
 */
export function requestParts(body: string): RequestPart[] {
  const parsed = readBody(body);
  if (!isRecord(parsed)) return [{ section: "conversation", name: "request", text: body, chars: body.length }];
  const parts = fieldParts(parsed);
  // Pieces between messages stay there, whatever their role.
  const talk = parts.findIndex(({ section }) => section === "conversation" || section === "tool_results");
  const rankOf = ({ section }: RequestPart, at: number) =>
    section === "options" ? 0 : section === "tools" ? 2 : section === "system" && (talk < 0 || at < talk) ? 1 : 3;
  const ranked = parts.map((each, at) => ({ each, rank: rankOf(each, at) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ each }) => each);
}

function fieldParts(request: JsonRecord): RequestPart[] {
  return Object.entries(request).flatMap(([field, value]): RequestPart[] => {
    if (conversations.has(field) && Array.isArray(value))
      return value.map((item, at) => part(sectionOf(item), `${field}[${at}]${roleOf(item)}`, item));
    if (field === "tools" && Array.isArray(value))
      return value.map((tool, at) => part("tools", toolName(tool) ?? `tools[${at}]`, tool));
    return [part(systems.has(field) ? "system" : "options", field, value)];
  });
}

function part(section: RequestPart["section"], name: string, value: Json): RequestPart {
  return { section, name: name.slice(0, MAX_NAME), text: readable(value, ""), chars: JSON.stringify(value).length };
}

function sectionOf(item: Json): RequestPart["section"] {
  if (!isRecord(item)) return "conversation";
  const { role, type, content } = item;
  if (role === "system" || role === "developer") return "system";
  if (role === "tool" || type === "function_call_output") return "tool_results";
  const holdsResult = Array.isArray(content) && content.some((each) => isRecord(each) && each.type === "tool_result");
  return holdsResult ? "tool_results" : "conversation";
}

function roleOf(item: Json): string {
  if (!isRecord(item)) return "";
  const kind = typeof item.role === "string" ? item.role : item.type;
  return typeof kind === "string" ? ` ${kind}` : "";
}

function toolName(tool: Json): string | undefined {
  if (!isRecord(tool)) return undefined;
  if (typeof tool.name === "string") return tool.name;
  return isRecord(tool.function) ? toolName(tool.function) : undefined;
}

/** JSON as lines for reading and comparing: texts with real line breaks, without quotes and escapes. */
function readable(value: Json, indent: string): string {
  if (typeof value === "string")
    return value
      .split("\n")
      .map((line) => `${indent}${line}`)
      .join("\n");
  if (value === null || typeof value !== "object") return `${indent}${String(value)}`;
  const entries = Array.isArray(value)
    ? value.map((item): [string, Json] => ["-", item])
    : Object.entries(value).map(([key, item]): [string, Json] => [`${key}:`, item]);
  return entries
    .map(([mark, item]) => {
      const inner = readable(item, `${indent}  `);
      const isShort = !inner.includes("\n") && (item === null || typeof item !== "object");
      return isShort ? `${indent}${mark} ${inner.trimStart()}` : `${indent}${mark}\n${inner}`;
    })
    .join("\n");
}

function readBody(body: string): Json {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
