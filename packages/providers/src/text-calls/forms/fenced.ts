import { readBareCalls, readBarePython } from "../calls/bare-calls.ts";
import { readCallArguments } from "../calls/json-arguments.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace } from "../calls/text-call.ts";

/** A line that opens a fence with calls: the language, and a name if the fence has one. */
export const CALL_FENCE =
  /^(`{3,}|~{3,})[ \t]*(json[c5]?|tool_calls?|tool_code|tool)?(?:[ \t]+id=[\w:.-]+)?(?:[ \t]+name=([\w.-]+))?[ \t]*\r?$/i;
/** The language must match exactly if the model was not asked for a block. */
const LANGUAGE = /^(?:json|tool_calls?|tool_code|tool)?$/;

/** The scanner finds the fences; there is no fixed mark. */
export const fenced: CallForm = {
  id: "fenced",
  source: "JSON blocks of harness's prompted mode and of the programs before it; Gemma 3's tool_code block",
  openers: [],
  closers: [],
  starts: (names) => [...bareStarts(names), ...names.map((name) => `${name}(`)],
  read(block) {
    const fence = CALL_FENCE.exec(block.opener.trimEnd());
    const marks = fence?.[1];
    const language = fence?.[2] ?? "";
    const isOurs = block.tools.isTextAsked || LANGUAGE.test(language);
    if (!fence || marks === undefined || !isOurs) return { end: block.at };
    const reading = readInside(block, { marks, language: language.toLowerCase(), name: fence[3] });
    if (!reading.calls) return reading;
    const at = skipSpace(block.text, reading.end);
    if (block.text.startsWith(marks, at)) return { ...reading, end: at + marks.length };
    return at >= block.text.length ? { ...reading, end: at } : { end: at };
  },
};

/** The whole message is the call. */
export const bare: CallForm = {
  id: "bare",
  source: "Llama 3.1 JSON tool calls and Llama 3.2/4 pythonic lists without their marks (Meta); prompted mode",
  openers: [],
  closers: [],
  read: (block) => readBareCalls(block, block.at),
};

type Fence = { marks: string; language: string; name: string | undefined };

function readInside(block: BlockStart, { marks, language, name }: Fence): Reading {
  if (name !== undefined) {
    const { isTextAsked } = block.tools;
    const isTool = isTextAsked ? block.tools.find(name) : block.tools.exact(name);
    return isTool ? readCallArguments(block.text, block.at, name) : { end: block.at };
  }
  const at = skipSpace(block.text, block.at);
  const isPython = language === "tool_code" && block.text[at] !== "{" && block.text[at] !== "[";
  return isPython ? readBarePython(block, at) : readBareCalls(block, at, marks);
}

/** Beginnings of a call without a mark, without white space. */
export function bareStarts(names: readonly string[]): string[] {
  const nameKeys = ["name", "tool", "function"];
  const argumentKeys = ["arguments", "parameters", "args", "input"];
  const objects = [
    ...nameKeys.flatMap((key) => names.map((name) => `{"${key}":"${name}"`)),
    ...argumentKeys.map((key) => `{"${key}":{`),
    '{"type":"function"',
    '{"function":{',
    '{"id":',
    '{"tool":"',
    '{"tool_name":"',
    '{"tool_calls":[{',
  ];
  return [...objects, ...objects.map((each) => `[${each}`), ...names.map((name) => `[${name}(`)];
}
