import type { RepairItem, RepairKind } from "@harness/protocol";
import { truncateRow } from "../../text/fit.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { PLAIN, type Row } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import { type BlockContext, mutedRow } from "../block-context.ts";

const texts: Record<RepairKind, string> = {
  text_call: "tool call read from the text",
  leaked_thinking: "thinking removed from the text",
  tool_name: "tool name corrected",
  arguments: "arguments fixed",
  call_id: "call id corrected",
  no_native_tools: "tools described in the prompt",
  no_images: "images left out",
  history: "earlier calls sent as plain text",
  constrained: "tool call constrained by a schema",
};

/** One dim line; when open, with the details of the repair. */
export function repairRows({ what, detail }: RepairItem, { width, open }: Pick<BlockContext, "width" | "open">): Row[] {
  const indent = { text: "  ", style: PLAIN };
  const inner = Math.max(1, width - indent.text.length);
  // A kind only a newer server knows has no text here.
  const text = texts[what] ?? sanitiseLine(detail);
  const full = sanitiseLine(`repaired: ${text} · ${detail.replace(/^Arguments: /, "")}`);
  // A missing ability of the model is not a repair.
  const short = what.startsWith("no_") ? text : `repaired: ${text}`;
  const head = mutedRow(what === "arguments" && stringWidth(full) <= inner ? full : short);
  const rows = [truncateRow(head, inner), ...(open ? wrapSpans(mutedRow(sanitiseLine(detail)).spans, inner) : [])];
  return prefixRows(rows, [indent], [indent]);
}
