import type { Block } from "@harness/protocol";
import type { ToolResult } from "../ports/tool.ts";

export function okResult(text: string, blocks: Block[] = [{ type: "text", text }]): ToolResult {
  return { status: "ok", text, blocks };
}

/** `shown`: the text for people, if the model gets more. */
export function errorResult(text: string, shown = text): ToolResult {
  return { status: "error", text, blocks: [{ type: "text", text: shown }] };
}

export function cancelledResult(what: string): ToolResult {
  return errorResult(`Cancelled: ${what}`);
}
