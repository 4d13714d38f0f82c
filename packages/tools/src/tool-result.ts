import type { ToolResult } from "@harness/core";
import type { Block } from "@harness/protocol";

export function done(text: string, blocks: Block[]): ToolResult {
  return { status: "ok", text, blocks };
}

export function failed(text: string): ToolResult {
  return { status: "error", text, blocks: [{ type: "text", text }] };
}

export function cancelled(what: string): ToolResult {
  return failed(`Cancelled: ${what}`);
}
