import { readCallArguments } from "../calls/json-arguments.ts";
import { type ArgumentTags, readTagged } from "../calls/tagged-arguments.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace } from "../calls/text-call.ts";
import { afterCloser } from "./json-block.ts";

const TAGS: ArgumentTags = {
  parameter: /<parameter="?([^>"\n]{1,200})"?>/y,
  parameterEnd: "</parameter>",
  // The first one is sometimes lost.
  callEnds: ["</function>", "</tool_call>", "</seed:tool_call>"],
};
const FUNCTION = /<function="?([^>"\s{]{1,128})"?>?/y;
const WRAPPER_ENDS = ["</tool_call>", "</seed:tool_call>"];

/** Qwen3-Coder and Seed-OSS: values as raw text in tags. */
export const qwenCoder: CallForm = {
  id: "qwen-coder",
  source: "Qwen3-Coder chat template (Alibaba); Seed-OSS chat template (ByteDance)",
  openers: ["<tool_call>", "<seed:tool_call>"],
  closers: WRAPPER_ENDS,
  read: (block) => readFunction(block, skipSpace(block.text, block.at)),
};

/** The same if the wrapper was swallowed as a special token; with JSON inside it is Llama 3.1's custom tool call. */
export const functionTag: CallForm = {
  id: "function-tag",
  source: "Llama 3.1 prompt format, user-defined custom tool calling (Meta); Qwen3-Coder without its wrapper",
  openers: ["<function="],
  closers: ["</function>"],
  read: (block) => readFunction(block, block.start),
};

function readFunction(block: BlockStart, at: number): Reading {
  const { text, tools } = block;
  FUNCTION.lastIndex = at;
  const match = FUNCTION.exec(text);
  const name = match?.[1];
  if (!match || name === undefined) return { end: at };
  const inner = at + match[0].length;
  if (!tools.takes(name)) return { end: inner };
  const begin = skipSpace(text, inner);
  if (text[begin] === "{") return readJsonArguments(block, name, begin);
  if (!match[0].endsWith(">")) return { end: inner };
  return afterCloser(text, readTagged(block, name, begin, TAGS), ...WRAPPER_ENDS);
}

function readJsonArguments(block: BlockStart, name: string, at: number): Reading {
  const one = readCallArguments(block.text, at, name, "</function>");
  return afterCloser(block.text, afterCloser(block.text, one, "</function>"), ...WRAPPER_ENDS);
}
