import { describe, expect, it } from "vitest";
import { tools } from "../../test/offered.ts";
import { readConstrained } from "./constrained/constrained-reply.ts";
import { HeldMarkup } from "./scan/held-markup.ts";
import { readTextCalls } from "./scan/read-text-calls.ts";
import { leakedThinking } from "./thinking/leaked-thinking.ts";
import { ThinkSplitter } from "./thinking/think-splitter.ts";

const HALF_MEGABYTE = 512 * 1024;
const names = tools.map((tool) => tool.name);

/** What makes a careless reader go over the rest of the text again and again; each is repeated up to half a megabyte. */
const attacks = [
  "<tool_call>",
  "<tool_call>{",
  '<tool_call>{"name": "bash", "arguments": {"command": "',
  '<tool_call>{"name": "nope", "arguments": {"command": "',
  '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>',
  '<tool_call>{"name": "bash", "arguments": {x}} ',
  '<tool_call>{"name": "bash", "arguments": {</tool_call>',
  '<tool_call>{"name": "bash", "arguments": {"command": "ls"}</tool_call>',
  '<tool_call>{"name": "bash", "arguments": {"command": "</tool_call>',
  '<tool_call>{"arguments": {"command": "ls"}</tool_call>',
  "<tool_call>{<tool_call>{}</tool_call>",
  "<tool_call>no name<b",
  "<function=no name>{</function>",
  '<|channel|>commentary to=functions.bash<|message|>{"a": <|call|>',
  '<|tool_call_begin|>bash:0<|tool_call_argument_begin|>{"a": <|tool_call_end|>',
  '```json\n{"tool":"bash","args":{"command":"ls"}\n```\n',
  '```JSON\n{"tool":"Bash","args":{"command": ls\n```\n',
  "<tool_call><function=bash><parameter=command>",
  "<tool_call><function=bash><parameter=command>x</parameter>",
  "<tool_call>bash<arg_key>a</arg_key><arg_value>",
  "<function=bash>{",
  "<|python_tag|>read(",
  "<|python_start|>[read(x), ",
  "<|python_start|>[read(path=[[[[",
  "<function_calls>ls()\n",
  "[TOOL_CALLS]read[ARGS]{",
  "[TOOL_CALLS][",
  "<|channel|>analysis<|message|>",
  "<|channel|>",
  "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>",
  "<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{",
  '<minimax:tool_call><invoke name="bash"><parameter name="command">',
  "functools[",
  "Action: ```json\n[",
  '```json\n{"tool":"bash","args":{}}\n```\n',
  "```json\n",
  "`",
  "~~~~",
  "{",
  "[",
  '{"name":"bash","arguments":{}}',
  " ",
  "\n",
  '"',
  "</think>\n",
  "<think>",
  "</parameter>",
];

/** Quadratic work on a megabyte takes minutes: the limit of a test is what they must keep. */
describe("a megabyte of", () => {
  it.each(attacks)("%j is read in linear time", (attack) => {
    const text = attack.repeat(Math.ceil(HALF_MEGABYTE / attack.length));
    expect(readTextCalls(`${text} x`, tools)?.calls ?? []).toBeInstanceOf(Array);
    expect(readTextCalls(text, tools)?.calls ?? []).toBeInstanceOf(Array);
    expect(readTextCalls(text, tools, { isTextAsked: true })?.calls ?? []).toBeInstanceOf(Array);
    readConstrained(text, tools);
    leakedThinking(text);
  });

  it.each(attacks)("%j is streamed in linear time", (attack) => {
    const text = attack.repeat(Math.ceil(HALF_MEGABYTE / attack.length));
    for (const size of [7, HALF_MEGABYTE]) {
      const held = new HeldMarkup(names);
      const splitter = new ThinkSplitter();
      let shown = 0;
      for (let at = 0; at < text.length; at += size) {
        const delta = text.slice(at, at + size);
        shown += held.push(delta).length;
        splitter.push(delta);
      }
      expect(shown + held.end().length).toBe(text.length);
    }
  });
});
