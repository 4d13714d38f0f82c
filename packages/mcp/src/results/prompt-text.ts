import type { Content } from "@harness/protocol";
import type { GetPromptResult, ReadResourceResult } from "@modelcontextprotocol/client";
import { readPart } from "./tool-outcome.ts";

export type McpPromptMessage = { role: "user" | "assistant"; text: string; images: Content[] };
export type McpPromptText = { description: string; messages: McpPromptMessage[] };

export function readPromptText({ description = "", messages }: GetPromptResult): McpPromptText {
  return {
    description,
    messages: messages.map(({ role, content }) => {
      const { line, image } = readPart(content);
      return { role, text: image ? "" : line, images: image ? [image] : [] };
    }),
  };
}

/** One piece of a resource: `text`, or base64. */
export type McpResourcePiece = { uri: string; mimeType: string | undefined } & (
  | { text: string }
  | { data: string; bytes: number }
);

export function readPieces({ contents }: ReadResourceResult): McpResourcePiece[] {
  return contents.map((piece) => {
    const { uri, mimeType } = piece;
    if ("text" in piece) return { uri, mimeType, text: piece.text };
    return { uri, mimeType, data: piece.blob, bytes: Buffer.byteLength(piece.blob, "base64") };
  });
}
