import { jsonBlock } from "./json-block.ts";

/** Two vendors use this mark: Granite leaves it open, Phi closes it. */
export const granite = jsonBlock("granite", {
  source: "Granite 3 chat template (IBM); Phi-4-mini model card (Microsoft)",
  openers: ["<|tool_call|>", "<function_call>"],
  closers: ["<|/tool_call|>", "</|tool_call|>", "</function_call>"],
});
