import { readJsonCalls } from "../calls/json-calls.ts";
import { readPythonLines } from "../calls/python-calls.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace } from "../calls/text-call.ts";
import { afterCloser } from "./json-block.ts";

/** Llama 3.1 and 3.2: JSON objects, or a call in Python syntax. */
export const llamaPythonTag: CallForm = {
  id: "llama-python-tag",
  source: "Llama 3.1 and 3.2 prompt formats, built-in and JSON tool calling (Meta)",
  openers: ["<|python_tag|>"],
  closers: [],
  read: readEither,
};

/** Llama 4, and the models that put the same list between their own marks. */
export const llamaPythonic: CallForm = {
  id: "llama-pythonic",
  source: "Llama 4 prompt format (Meta); LFM2 model card (Liquid AI); Olmo 3 chat template (Ai2)",
  openers: ["<|python_start|>", "<|tool_call_start|>", "<function_calls>"],
  closers: ["<|python_end|>", "<|tool_call_end|>", "</function_calls>"],
  read: (block) =>
    afterCloser(block.text, readEither(block), "<|python_end|>", "<|tool_call_end|>", "</function_calls>"),
};

function readEither(block: BlockStart): Reading {
  const at = skipSpace(block.text, block.at);
  const inner = block.text[at] === "[" ? skipSpace(block.text, at + 1) : at;
  if (block.text[inner] === "{") return readJsonCalls(block, at);
  // Olmo writes one call per line.
  return readPythonLines(block, at);
}
