import type { AgentPart, ToolCallPart } from "@harness/protocol";
import type { Repair } from "../stages/stage-value.ts";

const MAX_ID_LENGTH = 64;
const MAX_NAME_LENGTH = 64;

type NamedCalls = { parts: AgentPart[]; repairs: Repair[] };

/**
 * Gives each call of a reply an id that is unique in the session, and a name that every wire API accepts. Servers send
 * duplicates (`call_0` in every reply), nothing at all, or hundreds of characters. Adds to `used`. A missing id does
 * not count as a repair: some wire APIs have none. `known`: a call that was named before, by the id that the server
 * gave it.
 */
export function nameCalls(
  sent: readonly AgentPart[],
  used: Set<string>,
  nextId: () => string,
  known: (sentId: string) => ToolCallPart | undefined = () => undefined,
): NamedCalls {
  const repairs: Repair[] = [];
  const parts = sent.map((part): AgentPart => {
    if (part.type !== "tool_call") return part;
    const before = known(part.toolCallId);
    if (before) return { ...part, toolCallId: before.toolCallId, name: before.name };
    const id = part.toolCallId.trim();
    const toolCallId = id === "" || id.length > MAX_ID_LENGTH || used.has(id) ? unusedId(used, nextId) : id;
    used.add(toolCallId);
    if (id !== "" && id !== toolCallId) repairs.push({ what: "call_id", toolCallId, detail: idText(id, toolCallId) });
    const name = sendableName(part.name);
    return toolCallId === part.toolCallId && name === part.name ? part : { ...part, toolCallId, name };
  });
  return { parts, repairs };
}

function idText(id: string, toolCallId: string): string {
  const why = id.length > MAX_ID_LENGTH ? `is ${id.length} characters long` : "was used before";
  return `The call id \`${id.slice(0, 40).toWellFormed()}\` ${why}; it became \`${toolCallId}\`.`;
}

function unusedId(used: ReadonlySet<string>, nextId: () => string): string {
  let id = nextId();
  while (used.has(id)) id = nextId();
  return id;
}

/** Invisible characters: a name that contains one is not the name it looks like. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Vendors refuse a whole conversation over a single name with a dot or a space. */
function sendableName(name: string): string {
  if (INVISIBLE.test(name)) return "name_with_invisible_characters";
  const clean = name
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .slice(0, MAX_NAME_LENGTH);
  return clean === "" ? "unnamed" : clean;
}
