import type { ToolResult } from "@harness/core";
import type { Block } from "@harness/protocol";

export function done(text: string, blocks: Block[]): ToolResult {
  return { status: "ok", text, blocks };
}

/** `shown`: the text for people, if the model gets more. */
export function failed(text: string, shown = text): ToolResult {
  return { status: "error", text, blocks: [{ type: "text", text: shown }] };
}

export function cancelled(what: string): ToolResult {
  return failed(`Cancelled: ${what}`);
}
