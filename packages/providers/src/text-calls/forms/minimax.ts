import { type ArgumentTags, readTagged } from "../calls/tagged-arguments.ts";
import { type BlockStart, type CallForm, type Reading, skipSpace, type WrittenCall } from "../calls/text-call.ts";

type InvokeTags = ArgumentTags & { invoke: RegExp };

const PLAIN: InvokeTags = {
  invoke: /<invoke name="([^"\n]{1,128})">/y,
  parameter: /<parameter name="([^"\n]{1,200})"[^>\n]{0,40}>/y,
  parameterEnd: "</parameter>",
  callEnds: ["</invoke>"],
};

export const minimaxInvoke = invokeForm("minimax-invoke", PLAIN, {
  source: "MiniMax-M2 tool calling guide; the same in `<function_calls>` of Claude's older prompts",
  openers: ["<minimax:tool_call>", "<function_calls>"],
  closers: ["</minimax:tool_call>", "</function_calls>"],
});

const DSML: InvokeTags = {
  invoke: /<｜DSML｜invoke name="([^"\n]{1,128})">/y,
  parameter: /<｜DSML｜parameter name="([^"\n]{1,200})"[^>\n]{0,40}>/y,
  parameterEnd: "</｜DSML｜parameter>",
  callEnds: ["</｜DSML｜invoke>"],
};

export const deepseekDsml = invokeForm("deepseek-dsml", DSML, {
  source: "DeepSeek-V3.2 encoding (model card)",
  openers: ["<｜DSML｜function_calls>"],
  closers: ["</｜DSML｜function_calls>"],
});

type Wrapper = { source: string; openers: readonly string[]; closers: readonly string[] };

function invokeForm(id: string, tags: InvokeTags, { source, openers, closers }: Wrapper): CallForm {
  return { id, source, openers, closers, read: (block) => readInvokes(block, tags, closers) };
}

function readInvokes(block: BlockStart, tags: InvokeTags, closers: readonly string[]): Reading {
  const { text, tools } = block;
  const calls: WrittenCall[] = [];
  let at = skipSpace(text, block.at);
  for (;;) {
    const closer = closers.find((each) => text.startsWith(each, at));
    if (closer !== undefined) return calls.length > 0 ? { calls, end: at + closer.length } : { end: at };
    tags.invoke.lastIndex = at;
    const match = tags.invoke.exec(text);
    const name = match?.[1];
    if (!match || name === undefined) return calls.length > 0 ? { calls, end: at } : { end: at };
    if (!tools.takes(name)) return { end: at + match[0].length };
    const one = readTagged(block, name, at + match[0].length, tags);
    if (!one.calls) return one;
    calls.push(...one.calls);
    at = skipSpace(text, one.end);
  }
}
