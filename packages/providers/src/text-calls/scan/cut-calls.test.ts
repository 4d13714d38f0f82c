import { describe, expect, it } from "vitest";
import { tools } from "../../../test/offered.ts";
import { readTextCalls } from "./read-text-calls.ts";

/** The case, what the model wrote before it was cut, and the arguments that had arrived. */
const rows: readonly (readonly [string, string, string])[] = [
  [
    "hermes in a string",
    '<tool_call>\n{"name": "write", "arguments": {"path": "a", "content": "ab',
    '{"path": "a", "content": "ab',
  ],
  ["hermes after a value", '<tool_call>{"name": "write", "arguments": {"path": "a"', '{"path": "a"'],
  [
    "hermes without the last bracket",
    '<tool_call>{"name": "write", "arguments": {"path": "a"}',
    '{"name": "write", "arguments": {"path": "a"}',
  ],
  ["hermes in an escape", '<tool_call>{"name": "write", "arguments": {"path": "a\\', '{"path": "a\\'],
  ["granite's list", '<|tool_call|>[{"name": "write", "arguments": {"path": "a', '{"path": "a'],
  ["mistral's list", '[TOOL_CALLS][{"name": "write", "arguments": {"path": "a', '{"path": "a'],
  ["mistral's arguments", '[TOOL_CALLS]write[ARGS]{"path": "a', '{"path": "a'],
  ["llama's tag", '<function=write>{"path": "a", "con', '{"path": "a", "con'],
  ["llama's python tag", '<|python_tag|>{"name": "write", "parameters": {"path": "a', '{"path": "a'],
  [
    "qwen-coder in a value",
    "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\none\ntwo",
    '{"path": "a", "content": "one\\ntwo',
  ],
  ["qwen-coder between values", "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n", '{"path": "a"'],
  ["qwen-coder in a tag", "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<param", '{"path": "a"'],
  ["glm in a value", "<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>a", '{"path": "a'],
  ["minimax in a value", '<minimax:tool_call>\n<invoke name="write">\n<parameter name="path">a', '{"path": "a'],
  ["deepseek", '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write<｜tool▁sep｜>{"path": "a', '{"path": "a'],
  ["kimi", '<|tool_call_begin|>functions.write:0<|tool_call_argument_begin|>{"path": "a', '{"path": "a'],
  ["harmony", '<|channel|>commentary to=functions.write <|constrain|>json<|message|>{"path": "a', '{"path": "a'],
  ["a pythonic call in a string", '<|python_start|>[write(path="a", content="ab', '{"path": "a", '],
  ["a pythonic call in its first string", '[write(path="ab', '{"path=\\"ab'],
  ["a fenced block with a tool and its args", '```json\n{"tool": "write", "args": {"path": "a', '{"path": "a'],
  ["the whole message", '{"name": "write", "arguments": {"path": "a', '{"path": "a'],
];

describe("a truncated call in text", () => {
  it.each(rows)("is never completed: %s", (_why, output, inputText) => {
    const found = readTextCalls(output, tools);
    expect(found?.calls).toMatchObject([{ name: "write", cut: true, inputText }]);
    expect(found?.calls[0]).not.toHaveProperty("input");
    // The loop recognises them by that.
    expect(() => JSON.parse(`${inputText}`)).toThrow();
  });

  it("leaves the call before it whole", () => {
    const first = '<tool_call>{"name":"ls","arguments":{}}</tool_call>';
    const found = readTextCalls(`${first}<tool_call>{"name":"write","arguments":{"path":"a`, tools);
    expect(found?.calls).toEqual([
      { form: "hermes", name: "ls", input: {} },
      { form: "hermes", name: "write", inputText: '{"path":"a', cut: true },
    ]);
  });

  it.each([
    ["before its name", '<tool_call>{"na'],
    ["before its arguments, and nothing marks it", '{"name": "write", "argum'],
    ["an unknown tool's", '<tool_call>{"name": "nope", "arguments": {"a": "b'],
    ["when prose follows", '```json\n{"tool": "write", "args": {"path": "a\n```\nOh, I forgot.'],
  ])("is not a call %s", (_why, output) => {
    const found = readTextCalls(output, tools);
    expect(found?.calls.filter((call) => call.input) ?? []).toEqual([]);
  });
});
