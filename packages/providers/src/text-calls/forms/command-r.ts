import { readJsonCalls } from "../calls/json-calls.ts";
import { type CallForm, skipSpace } from "../calls/text-call.ts";
import { afterCloser, jsonStarts } from "./json-block.ts";

/** Prose may precede it, and the fence is part of the form. */
export const commandR: CallForm = {
  id: "command-r",
  source: "Command R and R+ tool use prompt format (Cohere)",
  openers: ["Action:"],
  closers: [],
  starts: () => ["```json[", "```json{"],
  read(block) {
    const { text, start, at } = block;
    const isLineStart = start === 0 || text[start - 1] === "\n";
    const begin = skipSpace(text, at);
    if (!isLineStart || !text.startsWith("```json", begin)) return { end: at };
    const reading = readJsonCalls(block, begin);
    // A word and a fence are a weak mark; and Command R writes "directly_answer" when it calls nothing.
    return reading.calls?.every((call) => block.tools.find(call.name)) ? reading : { end: reading.end };
  },
};

export const commandAction: CallForm = {
  id: "command-action",
  source: "Command R7B and Command A tool use format (Cohere)",
  openers: ["<|START_ACTION|>"],
  closers: ["<|END_ACTION|>"],
  starts: jsonStarts,
  read: (block) => afterCloser(block.text, readJsonCalls(block, block.at, "<|END_ACTION|>"), "<|END_ACTION|>"),
};
