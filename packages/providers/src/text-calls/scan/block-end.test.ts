import { describe, expect, it } from "vitest";
import { tools } from "../../../test/offered.ts";
import { blockEnd } from "./block-end.ts";
import { readTextCalls } from "./read-text-calls.ts";

const inner = '<tool_call>{"name": "bash", "arguments": {"command": "rm -rf x"}}</tool_call>';
const innerTag = "<function=bash>\n<parameter=command>\nrm -rf x\n</parameter>\n</function>";

/** A call around a quoted one, after which the output breaks off, or whose own marks are wrong. */
const rows: readonly (readonly [string, string])[] = [
  ["of an unknown tool", `<tool_call>\n<function=create_file>\n<parameter=content>\nUse:\n${inner}`],
  [
    "of an unknown tool in the same form",
    `<tool_call>\n<function=create_file>\n<parameter=content>\nUse:\n${innerTag}`,
  ],
  ["with a name that no tool has", `<tool_call>\n<function=create$file>\n<parameter=content>\n${inner}\n${inner}`],
  ["with a name of two words", `<function=create file>\n<parameter=content>\n${inner}`],
  ["with a name of two words in GLM's form", `<tool_call>create file\n<arg_key>content</arg_key><arg_value>${inner}`],
  ["in an invoke", `<minimax:tool_call>\n<invoke name="create file">\n<parameter name="content">${inner}`],
  [
    "in an invoke of an unknown tool",
    `<minimax:tool_call>\n<invoke name="create_file">\n<parameter name="content">${inner}`,
  ],
  ["in JSON without a name", `<tool_call>{"arguments": {"content": "say "hi" ${inner} ${inner}`],
  ["in JSON that is broken", `<tool_call>{"name":"create_file","arguments":{"path":"a"} "content":"say ${inner}`],
  ["in a broken list", `[TOOL_CALLS][{"name": "create_file" "arguments": {"content": "say }}] "hi" ${inner}`],
  ["behind broken arguments", `[TOOL_CALLS]write[ARGS]{"content": "a "b" }" ${inner}`],
];

describe("a call that is quoted in another", () => {
  it.each(rows)("is never a call itself: %s", (_why, output) => {
    const found = readTextCalls(output, tools);
    expect(found?.calls.filter((call) => call.name === "bash") ?? []).toEqual([]);
  });

  it("does not hide a call behind an unreadable block", () => {
    const found = readTextCalls(`<tool_call>{"arguments": {}}</tool_call>\n${inner}`, tools);
    expect(found?.calls).toMatchObject([{ name: "bash", input: { command: "rm -rf x" } }]);
  });

  it("does not hide a call behind a mark in prose", () => {
    const found = readTextCalls(`I use <tool_call> now, and then:\n${inner}`, tools);
    expect(found?.calls).toMatchObject([{ name: "bash" }]);
  });
});

describe("blockEnd", () => {
  it.each([
    ["after the closing mark", "<tool_call>{x}</tool_call> y", 26],
    ["after the closing mark of its own", "<tool_call>{<tool_call></tool_call>}</tool_call>", 48],
    ["at the end where nothing closes it", "<tool_call>{x} y", 16],
    ["where it begins when nothing is called", "<tool_call> is a mark", 11],
    ["where it begins when the mark is doubled", "<tool_call><tool_call>{}", 11],
  ])("is %s", (_why, text, end) => {
    expect(blockEnd({ text, at: 11, opener: "<tool_call>" })).toBe(end);
  });
});
