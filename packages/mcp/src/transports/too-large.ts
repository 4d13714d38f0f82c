import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import type { OversizedLine } from "./message-lines.ts";

/** Per message of a server; larger ones are refused while they arrive, and never held. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

const AT_HEAD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]{1,100}")\s*,\s*"/;
const AT_TAIL = /,\s*"id"\s*:\s*(\d+|"[^"\\]{1,100}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of a message, given only its edges: servers write it first or last. */
export function idAtEdges({ head, tail }: Pick<OversizedLine, "head" | "tail">): string | number | undefined {
  const found = AT_HEAD.exec(head)?.[1] ?? AT_TAIL.exec(tail)?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}

/** Replaces an oversized answer, so that the waiting call ends. */
export function tooLargeAnswer(id: string | number): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: -32_000, message: tooLargeText() } };
}

export function tooLargeText(): string {
  return `The server's answer is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB and was not accepted. Ask it for less at a time.`;
}
