import { readJsonCalls } from "../calls/json-calls.ts";
import { type CallForm, skipSpace } from "../calls/text-call.ts";

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
    // A word and a fence are a weak mark; and Command R writes "directly_answer" if it calls nothing.
    return reading.calls?.every((call) => block.tools.find(call.name)) ? reading : { end: reading.end };
  },
};
