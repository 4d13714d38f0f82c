import type { McpResourcePiece } from "./prompt-text.ts";
import { failedOutcome, type McpOutcome } from "./tool-outcome.ts";

/** The content of a resource: text as it is, pictures as pictures, the rest by its name. */
export function resourceOutcome(read: { pieces: McpResourcePiece[] } | { problem: string }): McpOutcome {
  if ("problem" in read) return failedOutcome(read.problem);
  const parts = read.pieces.map((piece): Pick<McpOutcome, "text" | "images"> => {
    if ("text" in piece) return { text: piece.text, images: [] };
    const { uri, mimeType = "unknown type", data, bytes } = piece;
    const isPicture = mimeType.startsWith("image/");
    const text = `[${uri}, ${mimeType}, ${bytes} bytes${isPicture ? "" : ": not text"}]`;
    return { text, images: isPicture ? [{ type: "image", mimeType, data }] : [] };
  });
  const text = parts.map((each) => each.text).join("\n") || "(The resource is empty.)";
  return { status: "ok", text, blocks: [{ type: "text", text }], images: parts.flatMap(({ images }) => images) };
}
