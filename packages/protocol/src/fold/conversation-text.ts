import { textOf } from "../vocabulary/message.ts";
import type { TranscriptItem } from "./transcript-item.ts";

/** A conversation as Markdown: its texts, and each call on one line. */
export function conversationText(items: readonly TranscriptItem[]): string {
  const lines = items.flatMap((item) => {
    if (item.kind === "agent") return [textOf(item.parts).trim()];
    if (item.kind === "tool") return [`- ${item.title}`];
    if (item.kind !== "user") return [];
    return [textOf(item.content).trim().replace(/^/gm, "> ")];
  });
  return lines
    .filter((text) => text !== "")
    .join("\n\n")
    .replace(/(^- .*)\n\n(?=- )/gm, "$1\n");
}
