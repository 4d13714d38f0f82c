import type { RepairItem, RepairKind } from "@harness/protocol";
import { truncateRow } from "../../text/fit.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { PLAIN, type Row } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import { type BlockContext, mutedRow } from "../blocks/block-context.ts";

const texts: Record<RepairKind, string> = {
  text_call: "tool call found in the text",
  leaked_thinking: "thoughts taken out of the text",
  tool_name: "name of the tool put right",
  arguments: "arguments put right",
  call_id: "id of the call put right",
  no_native_tools: "tools offered in words",
  no_images: "images left out",
  history: "earlier calls sent as plain words",
  constrained: "tool call held to a schema",
};

/** One dim line; when open, with the details of the repair. */
export function repairRows({ what, detail }: RepairItem, { width, open }: Pick<BlockContext, "width" | "open">): Row[] {
  const indent = { text: "  ", style: PLAIN };
  const inner = Math.max(1, width - indent.text.length);
  // A kind of a newer server has no text here.
  const text = texts[what] ?? sanitiseLine(detail);
  const full = sanitiseLine(`repaired: ${text} · ${detail.replace(/^Arguments: /, "")}`);
  // What the model cannot do is not a repair.
  const short = what.startsWith("no_") ? text : `repaired: ${text}`;
  const head = mutedRow(what === "arguments" && stringWidth(full) <= inner ? full : short);
  const rows = [truncateRow(head, inner), ...(open ? wrapSpans(mutedRow(sanitiseLine(detail)).spans, inner) : [])];
  return prefixRows(rows, [indent], [indent]);
}
