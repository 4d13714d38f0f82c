import type { HistoryCall, HistoryItem } from "./llama-module.ts";
import type { JobCall, JobItem } from "./messages.ts";

/** The history in node-llama-cpp's form: a reply of the model contains its calls with their results and comes last. */
export function chatHistory(items: readonly JobItem[]): HistoryItem[] {
  const history = items.map((item): HistoryItem => {
    if (item.role !== "model") return { type: item.role, text: item.text };
    const response = item.parts.map((part) => {
      if (part.type === "call") return historyCall(part);
      if (part.type === "text") return part.text;
      return { type: "segment" as const, segmentType: "thought" as const, text: part.text, ended: true as const };
    });
    return { type: "model", response };
  });
  return history.at(-1)?.type === "model" ? history : [...history, { type: "model", response: [] }];
}

function historyCall({ name, input, result, raw, isFirst }: JobCall): HistoryCall {
  const call: HistoryCall = { type: "functionCall", name, params: input, result, startsNewChunk: isFirst };
  return raw === undefined ? call : { ...call, rawCall: raw };
}
