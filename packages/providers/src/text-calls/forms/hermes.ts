import { readJsonCalls } from "../calls/json-calls.ts";
import type { CallForm } from "../calls/text-call.ts";
import { afterCloser, jsonStarts } from "./json-block.ts";

/** One block per call; Granite 3.1 puts a list into one. */
export const hermes: CallForm = {
  id: "hermes",
  source: "Hermes function calling (NousResearch); chat templates of Qwen 2.5, Qwen 3, Granite 3.1 and 4",
  openers: ["<tool_call>"],
  closers: ["</tool_call>"],
  starts: jsonStarts,
  read: (block) => afterCloser(block.text, readJsonCalls(block, block.at, "</tool_call>"), "</tool_call>"),
};
