import type { RepairItem, RepairKind } from "@harness/protocol";
import { truncateRow } from "../../text/fit.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { PLAIN, type Row } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import { mutedRow } from "../blocks/block-context.ts";

const words: Record<RepairKind, string> = {
  text_call: "tool call found in the text",
  leaked_thinking: "thoughts taken out of the text",
  tool_name: "name of the tool put right",
  arguments: "arguments put right",
  call_id: "id of the call put right",
  no_native_tools: "tools offered in words",
  history: "earlier calls sent as plain words",
  constrained: "tool call held to a schema",
};

/** One dim line; what exactly was mended when it is open. */
export function repairRows({ what, detail }: RepairItem, width: number, open: boolean): Row[] {
  const indent = { text: "  ", style: PLAIN };
  const inner = Math.max(1, width - indent.text.length);
  // A kind of a newer server has no words here.
  const said = words[what] ?? sanitiseLine(detail);
  const full = sanitiseLine(`mended: ${said} · ${detail.replace(/^Arguments: /, "")}`);
  // How tools are offered is no fault of the model.
  const short = what === "no_native_tools" ? said : `mended: ${said}`;
  const head = mutedRow(what === "arguments" && stringWidth(full) <= inner ? full : short);
  const rows = [truncateRow(head, inner), ...(open ? wrapSpans(mutedRow(sanitiseLine(detail)).spans, inner) : [])];
  return prefixRows(rows, [indent], [indent]);
}
