import { readCallArguments } from "../calls/json-arguments.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace, type WrittenCall } from "../calls/text-call.ts";

const BEGIN = "<|tool_call_begin|>";
const CALL_END = "<|tool_call_end|>";
const SECTION_BEGIN = "<|tool_calls_section_begin|>";
const SECTION_END = "<|tool_calls_section_end|>";
/** Such as `functions.name:0`, where the last part is a running number. */
const ID = /\s{0,8}(?:functions\.)?([\w.:/-]{1,128}?)(?::\d{1,6})?\s{0,8}<\|tool_call_argument_begin\|>/y;

export const kimi: CallForm = {
  id: "kimi",
  source: "Kimi K2 tool calling guide (Moonshot AI)",
  openers: [SECTION_BEGIN, BEGIN],
  closers: [SECTION_END],
  read(block) {
    const { text } = block;
    const calls: WrittenCall[] = [];
    let at = block.opener === BEGIN ? block.start : skipSpace(text, block.at);
    while (text.startsWith(BEGIN, at)) {
      const one = readOne(block, at + BEGIN.length);
      if (!one.calls) return one;
      calls.push(...one.calls);
      at = skipSpace(text, one.end);
    }
    if (calls.length === 0) return { end: at };
    return { calls, end: text.startsWith(SECTION_END, at) ? at + SECTION_END.length : at };
  },
};

function readOne({ text, tools }: BlockStart, at: number): Reading {
  ID.lastIndex = at;
  const match = ID.exec(text);
  const name = match?.[1];
  if (!match || name === undefined || !tools.takes(name)) return { end: at };
  const one = readCallArguments(text, at + match[0].length, name, CALL_END);
  if (!one.calls) return one;
  const end = skipSpace(text, one.end);
  return text.startsWith(CALL_END, end) ? { ...one, end: end + CALL_END.length } : one;
}
