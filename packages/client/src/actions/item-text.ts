import { type Block, type TranscriptItem, textOf } from "@harness/protocol";
import { noticeOf } from "./notice-text.ts";

/** The readable text of an item, even if it is folded. */
export function itemText(item: TranscriptItem): string {
  switch (item.kind) {
    case "user":
      return textOf(item.content);
    case "agent":
      return item.parts.map((part) => (part.type === "tool_call" ? "" : part.text)).join("\n");
    case "tool": {
      const { title, outcome } = item;
      const shown = outcome && outcome.blocks.length > 0 ? outcome.blocks.map(blockText).join("\n") : outcome?.text;
      return [title, shown ?? ""].join("\n");
    }
    case "compaction":
      return item.summary ?? "";
    case "subagent":
      return [item.name ?? "", item.task, item.output ?? ""].join("\n");
    case "repair":
      return item.detail;
    case "turn":
      return item.error?.message ?? "";
    default: {
      const { title, description = "" } = noticeOf(item);
      return `${title}\n${description}`;
    }
  }
}

function blockText(block: Block): string {
  switch (block.type) {
    case "diff":
      return `${block.path}\n${block.hunks}`;
    case "terminal":
      return `${block.command}\n${block.output}`;
    case "list":
      return block.items.map(({ text, detail = "" }) => `${text} ${detail}`).join("\n");
    case "tree":
      return block.entries.map(({ path }) => path).join("\n");
    case "todo":
      return block.items.map(({ text }) => text).join("\n");
    case "table":
      return [block.columns, ...block.rows].map((cells) => cells.join(" ")).join("\n");
    case "image":
      return `${block.path ?? ""} ${block.description}`;
    case "json":
      return JSON.stringify(block.value) ?? "";
    default:
      return block.text;
  }
}
