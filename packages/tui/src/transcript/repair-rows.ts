import type { RepairItem, RepairKind } from "@harness/protocol";
import { mutedRow } from "../blocks/block-context.ts";
import { truncateRow } from "../text/fit.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { PLAIN, type Row } from "../text/style.ts";
import { prefixRows, wrapSpans } from "../text/wrap.ts";

const words: Record<RepairKind, string> = {
  text_call: "tool call found in the text",
  leaked_thinking: "thoughts taken out of the text",
  tool_name: "name of the tool put right",
  arguments: "arguments put right",
  call_id: "id of the call put right",
  no_native_tools: "tools offered in words",
  constrained: "tool call held to a schema",
};

/** One dim line; what exactly was mended when it is open. */
export function repairRows({ what, detail }: RepairItem, width: number, open: boolean): Row[] {
  const indent = { text: "  ", style: PLAIN };
  const inner = Math.max(1, width - indent.text.length);
  // A kind of a newer server has no words here.
  const head = mutedRow(`mended: ${words[what] ?? sanitiseLine(detail)}`);
  const rows = [truncateRow(head, inner), ...(open ? wrapSpans(mutedRow(sanitiseLine(detail)).spans, inner) : [])];
  return prefixRows(rows, [indent], [indent]);
}
