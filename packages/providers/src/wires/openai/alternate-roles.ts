import { asList, asRecord, type JsonRecord } from "../../json/lenient-json.ts";

/** A reply between two messages of the user, if the model said nothing. */
const FILLER = { role: "assistant", content: "OK." } as const;

/**
 * Messages as strict chat templates require them (Mistral, Devstral, Gemma): the user and the model alternate, not
 * counting calls and results. Neighbours of one role become a single message; between a result and the user the model
 * says OK.
 */
export function alternateRoles(messages: readonly JsonRecord[]): JsonRecord[] {
  const list: JsonRecord[] = [];
  // The user speaks first.
  let speaker: unknown = "assistant";
  for (const message of messages) {
    const last = list.at(-1);
    const { role } = message;
    if (last !== undefined && mayJoin(last, message)) {
      list[list.length - 1] = joinMessages(last, message);
      if (role === "assistant" && hasCalls(message)) speaker = speakerBefore(list);
      continue;
    }
    if (counts(message)) {
      if (role === speaker) list.push(role === "user" ? { ...FILLER } : { role: "user", content: "Go on." });
      speaker = role;
    }
    list.push(message);
  }
  return list;
}

function counts(message: JsonRecord): boolean {
  return message.role !== "system" && message.role !== "tool" && !hasCalls(message);
}

function hasCalls({ tool_calls }: JsonRecord): boolean {
  return asList(tool_calls).length > 0;
}

function speakerBefore(list: readonly JsonRecord[]): unknown {
  return list.findLast(counts)?.role ?? "assistant";
}

/** A message with calls must be followed by their results. */
function mayJoin(last: JsonRecord, next: JsonRecord): boolean {
  if (last.role !== next.role) return false;
  return last.role === "user" || (last.role === "assistant" && !hasCalls(last));
}

function joinMessages(last: JsonRecord, next: JsonRecord): JsonRecord {
  return { ...last, ...next, content: joinedContent(last.content, next.content) };
}

/** Joins the contents of two messages: as text, or as a list of parts if either is a list. */
export function joinedContent(first: unknown, second: unknown): unknown {
  if (Array.isArray(first) || Array.isArray(second)) return [...partsOf(first), ...partsOf(second)];
  const texts = [first, second].filter((text) => typeof text === "string" && text !== "");
  return texts.length === 0 ? (second ?? first) : texts.join("\n\n");
}

function partsOf(content: unknown): readonly unknown[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return asList(content).map(asRecord);
}
