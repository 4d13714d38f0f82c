import { readJsonCalls } from "../calls/json-calls.ts";
import { type BlockStart, type CallForm, type Reading, skipBraces } from "../calls/text-call.ts";

/** A reading including the closing mark, which is often lost: servers take it for a stop word. */
export function afterCloser(text: string, reading: Reading, ...closers: string[]): Reading {
  if (!reading.calls) return reading;
  const at = skipBraces(text, reading.end);
  const closer = closers.find((each) => text.startsWith(each, at));
  return closer === undefined ? reading : { ...reading, end: at + closer.length };
}

type JsonWrapper = { source: string; openers: readonly string[]; closers: readonly string[] };

/** A row for a pair of marks with JSON between them. */
function jsonBlock(id: string, { source, openers, closers }: JsonWrapper): CallForm {
  const read = (block: BlockStart) => afterCloser(block.text, readJsonCalls(block, block.at, closers[0]), ...closers);
  return { id, source, openers, closers, read };
}

/** One block per call; Granite 3.1 puts a list into one. */
export const hermes = jsonBlock("hermes", {
  source: "Hermes function calling (NousResearch); chat templates of Qwen 2.5, Qwen 3, Granite 3.1 and 4",
  openers: ["<tool_call>"],
  closers: ["</tool_call>"],
});

/** Models whose marks are unique; two vendors use Granite's: Granite leaves it open, Phi closes it. */
export const jsonBlocks: readonly CallForm[] = [
  jsonBlock("granite", {
    source: "Granite 3 chat template (IBM); Phi-4-mini model card (Microsoft)",
    openers: ["<|tool_call|>", "<function_call>"],
    closers: ["<|/tool_call|>", "</|tool_call|>", "</function_call>"],
  }),
  jsonBlock("phi", {
    source: "Phi-4-mini tool template of vLLM; FireFunction v2 model card",
    openers: ["functools"],
    closers: [],
  }),
  jsonBlock("nemotron", {
    source: "Llama Nemotron model cards (NVIDIA)",
    openers: ["<TOOLCALL>"],
    closers: ["</TOOLCALL>"],
  }),
  // Hunyuan and Jamba put a list inside.
  jsonBlock("minimax-json", {
    source: "MiniMax-M1 function call guide; chat templates of Hunyuan (Tencent) and Jamba (AI21)",
    openers: ["<tool_calls>"],
    closers: ["</tool_calls>"],
  }),
  jsonBlock("command-action", {
    source: "Command R7B and Command A tool use format (Cohere)",
    openers: ["<|START_ACTION|>"],
    closers: ["<|END_ACTION|>"],
  }),
];
