import { describe, expect, it } from "vitest";
import { tools } from "../../../test/offered.ts";
import { readTextCalls } from "../scan/read-text-calls.ts";

/** A call of a tool that was not offered, in the wrapper of each model. */
const rows: readonly (readonly [string, string])[] = [
  ["hermes", '<tool_call>{"name": "run_command", "arguments": {"command": "ls"}}</tool_call>'],
  [
    "qwen-coder",
    "<tool_call>\n<function=run_command>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>",
  ],
  ["function-tag", '<function=run_command>{"command": "ls"}</function>'],
  ["glm", "<tool_call>run_command\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>"],
  ["llama-python-tag", '<|python_tag|>{"name": "run_command", "parameters": {"command": "ls"}}'],
  ["llama-pythonic", '<|python_start|>[run_command(command="ls")]<|python_end|>'],
  ["mistral", '[TOOL_CALLS]run_command[ARGS]{"command": "ls"}'],
  ["harmony", '<|channel|>commentary to=functions.run_command<|message|>{"command": "ls"}<|call|>'],
  [
    "deepseek",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>run_command<｜tool▁sep｜>{"command": "ls"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  ["kimi", '<|tool_call_begin|>functions.run_command:0<|tool_call_argument_begin|>{"command": "ls"}<|tool_call_end|>'],
  ["granite", '<|tool_call|>[{"name": "run_command", "arguments": {"command": "ls"}}]'],
  [
    "minimax-invoke",
    '<minimax:tool_call><invoke name="run_command"><parameter name="command">ls</parameter></invoke></minimax:tool_call>',
  ],
  ["command-action", '<|START_ACTION|>[{"tool_name": "run_command", "parameters": {"command": "ls"}}]<|END_ACTION|>'],
];

describe("the name of a call in text", () => {
  it.each(rows)("is left to the loop to judge when the model's own marks announce it: %s", (form, output) => {
    expect(readTextCalls(output, tools)?.calls).toEqual([{ form, name: "run_command", input: { command: "ls" } }]);
  });

  it("may be an unknown one beside a known one", () => {
    const [first, second] = rows;
    const found = readTextCalls(
      `<tool_call>{"name":"ls","arguments":{}}</tool_call>\n${first?.[1]}${second?.[1]}`,
      tools,
    );
    expect(found?.calls.map((call) => call.name)).toEqual(["ls", "run_command", "run_command"]);
  });

  it("makes no call where no tool is offered", () => {
    for (const [, output] of rows) expect(readTextCalls(output, [])?.calls ?? []).toEqual([]);
  });
});
