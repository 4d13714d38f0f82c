import type { RepairKind } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import { type ReplyForm, withReadReplies } from "./read-replies.ts";
import { repairedReply } from "./repair/repaired-reply.ts";
import { MarkupFilter } from "./scan/markup-filter.ts";

/** Calls in the forms in which models write them as text. A reply with native calls keeps its text. */
export function textForm(kind: RepairKind): ReplyForm {
  return {
    filter: ({ tools, toolAliases = {} }) => {
      const others = kind === "text_call" ? [] : Object.keys(toolAliases);
      return new MarkupFilter([...tools.map((tool) => tool.name), ...others]);
    },
    read: (end, request) => repairedReply(end, request, kind),
  };
}

/** For models that were offered tools by the API but may still write their calls as text. */
export function withTextCalls(provider: WireProvider): WireProvider {
  return withReadReplies(provider, () => textForm("text_call"));
}
