import type { ModelRequest } from "@harness/core";

export function idsIn(request: ModelRequest): Set<string> {
  const ids = new Set<string>();
  for (const message of request.messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.parts) if (part.type === "tool_call") ids.add(part.toolCallId);
  }
  return ids;
}

export function newId(random: () => number): string {
  const digits = () =>
    Math.floor(random() * 36 ** 5)
      .toString(36)
      .padStart(5, "0");
  return `call_${digits()}${digits()}`;
}
