import { readCallArguments } from "../calls/json-arguments.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace, type WrittenCall } from "../calls/text-call.ts";

/** Distilled models write the special tokens with other separators and bars. */
const spellings = [
  ["｜", "▁"],
  ["｜", "_"],
  ["｜", " "],
  ["|", "▁"],
  ["|", "_"],
] as const;

type Marks = { begin: string; end: string; callBegin: string; callEnd: string; separator: string };

const marks: readonly Marks[] = spellings.map(([bar, gap]) => {
  const token = (...words: string[]) => `<${bar}${words.join(gap)}${bar}>`;
  return {
    begin: token("tool", "calls", "begin"),
    end: token("tool", "calls", "end"),
    callBegin: token("tool", "call", "begin"),
    callEnd: token("tool", "call", "end"),
    separator: token("tool", "sep"),
  };
});

export const deepseek: CallForm = {
  id: "deepseek",
  source: "DeepSeek-V3, R1 and V3.1 chat templates",
  openers: marks.map((each) => each.begin),
  closers: marks.map((each) => each.end),
  read(block) {
    const own = marks.find((each) => each.begin === block.opener);
    return own ? readAll(block, own) : { end: block.at };
  },
};

function readAll(block: BlockStart, own: Marks): Reading {
  const { text } = block;
  const calls: WrittenCall[] = [];
  let at = skipSpace(text, block.at);
  while (text.startsWith(own.callBegin, at)) {
    const one = readOne(block, at + own.callBegin.length, own);
    if (!one.calls) return one;
    calls.push(...one.calls);
    at = skipSpace(text, one.end);
  }
  if (calls.length === 0) return { end: at };
  return { calls, end: text.startsWith(own.end, at) ? at + own.end.length : at };
}

/** `function<sep>name`, a newline and a fence with JSON; since V3.1 `name<sep>` and JSON. */
function readOne({ text, tools }: BlockStart, at: number, own: Marks): Reading {
  const offset = text.slice(at, at + 200).indexOf(own.separator);
  if (offset < 0) return { end: at };
  const separator = at + offset;
  const before = text.slice(at, separator).trim();
  const after = separator + own.separator.length;
  const line = /[^\n{`]{0,128}/y;
  line.lastIndex = after;
  const written = line.exec(text)?.[0] ?? "";
  const isOld = before === "function" && written.trim() !== "";
  const name = isOld ? written.trim() : before;
  if (!tools.takes(name)) return { end: after };
  const begin = skipSpace(text, isOld ? after + written.length : after);
  const fence = /```(?:json)?\s{0,8}/y;
  fence.lastIndex = begin;
  const hasFence = fence.test(text);
  const one = readCallArguments(text, hasFence ? fence.lastIndex : begin, name, own.callEnd);
  if (!one.calls) return one;
  let end = skipSpace(text, one.end);
  if (hasFence && text.startsWith("```", end)) end = skipSpace(text, end + 3);
  return { calls: one.calls, end: text.startsWith(own.callEnd, end) ? end + own.callEnd.length : one.end };
}
