import type { AgentPart, ToolCallPart } from "@harness/protocol";

const MAX_ID_LENGTH = 64;
const MAX_NAME_LENGTH = 64;

/**
 * Gives each call of a reply an id that no other call of the session has, and a name that every wire API takes back.
 * Servers send duplicates (`call_0` in every reply), nothing at all, or hundreds of characters. `used` grows.
 */
export function nameCalls(parts: readonly AgentPart[], used: Set<string>, nextId: () => string): AgentPart[] {
  return parts.map((part) => {
    if (part.type !== "tool_call") return part;
    const id = part.toolCallId.trim();
    const toolCallId = id === "" || id.length > MAX_ID_LENGTH || used.has(id) ? unusedId(used, nextId) : id;
    used.add(toolCallId);
    const name = sendableName(part.name);
    return toolCallId === part.toolCallId && name === part.name
      ? part
      : ({ ...part, toolCallId, name } as ToolCallPart);
  });
}

function unusedId(used: ReadonlySet<string>, nextId: () => string): string {
  let id = nextId();
  while (used.has(id)) id = nextId();
  return id;
}

/** Vendors refuse a whole conversation over one name with a dot or a space in it. */
function sendableName(name: string): string {
  const clean = name
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .slice(0, MAX_NAME_LENGTH);
  return clean === "" ? "unnamed" : clean;
}
