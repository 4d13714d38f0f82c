import type { ToolResult } from "@harness/core";
import type { Block } from "@harness/protocol";

export function done(text: string, blocks: Block[]): ToolResult {
  return { status: "ok", text, blocks };
}

export function failed(text: string): ToolResult {
  return { status: "error", text, blocks: [{ type: "text", text }] };
}

/** Shown to the person who is asked about a call that cannot succeed as things are. */
export function wouldFail(problem: string): Block {
  return { type: "text", text: `As things are, this would change nothing. The model would be told: ${problem}` };
}

export function cancelled(what: string): ToolResult {
  return failed(`Cancelled: ${what}`);
}
