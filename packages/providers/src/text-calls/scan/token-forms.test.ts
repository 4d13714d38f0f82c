import { describe, expect, it } from "vitest";
import { bash, callTable, read, tools, weather } from "../../../test/offered.ts";
import { readTextCalls } from "./read-text-calls.ts";

callTable("llama-python-tag", [
  ["JSON", '<|python_tag|>{"type": "function", "name": "read", "parameters": {"path": "a"}}', [read("a")]],
  [
    "JSON, two with a semicolon",
    '<|python_tag|>{"name":"read","parameters":{"path":"a"}}; {"name":"ls","parameters":{}}',
    [read("a"), ["ls", {}]],
  ],
  ["a built-in tool's call", '<|python_tag|>get_weather.call(city="Paris")', [weather("Paris")]],
  ["a call", '<|python_tag|>read(path="a")<|eom_id|>', [read("a")]],
  ["a list of calls", '<|python_tag|>[read(path="a"), ls()]', [read("a"), ["ls", {}]]],
]);

callTable("llama-pythonic", [
  ["Llama 4", '<|python_start|>[read(path="a"), bash(command="ls")]<|python_end|>', [read("a"), bash("ls")]],
  ["Llama 4 without the end", '<|python_start|>[get_weather(city="Paris")]', [weather("Paris")]],
  ["LFM2", '<|tool_call_start|>[read(path="a")]<|tool_call_end|>', [read("a")]],
  ["Olmo 3, a call a line", '<function_calls>\nread(path="a")\nls()\n</function_calls>', [read("a"), ["ls", {}]]],
  ["after words", "Yes.\n<|python_start|>[ls()]<|python_end|>", [["ls", {}]], "Yes."],
  [
    "True, False and None",
    "<|python_start|>[bash(command='x', background=True, timeout_ms=None)]",
    [["bash", { command: "x", background: true, timeout_ms: null }]],
  ],
  [
    "true and null as Llama mixes them",
    "<|python_start|>[bash(command='x', background=false)]",
    [["bash", { command: "x", background: false }]],
  ],
  [
    "numbers",
    "<|python_start|>[read(path='a', offset=-5, limit=1_000)]",
    [["read", { path: "a", offset: -5, limit: 1000 }]],
  ],
  [
    "a fraction and a power",
    "<|python_start|>[bash(command='x', timeout_ms=1.5e3)]",
    [["bash", { command: "x", timeout_ms: 1500 }]],
  ],
  ["escapes", String.raw`<|python_start|>[bash(command='it\'s\t\x41\u00e9\n\d')]`, [bash("it's\tAé\n\\d")]],
  ["a raw string", String.raw`<|python_start|>[bash(command=r"a\nb")]`, [bash("a\\nb")]],
  [
    "three quotes",
    '<|python_start|>[write(path="a", content="""one\n"two"\n""")]',
    [["write", { path: "a", content: 'one\n"two"\n' }]],
  ],
  [
    "lists and dicts",
    "<|python_start|>[edit(path='a', edits=[{'old': 'x', 'new': \"y\"}, {}])]",
    [["edit", { path: "a", edits: [{ old: "x", new: "y" }, {}] }]],
  ],
  [
    "a tuple",
    "<|python_start|>[edit(path='a', edits=({'old': 'x'},))]",
    [["edit", { path: "a", edits: [{ old: "x" }] }]],
  ],
  ["brackets in strings", '<|python_start|>[bash(command="f(x)], [")]', [bash("f(x)], [")]],
  ["over several lines with last commas", "<|python_start|>[\n  read(\n    path='a',\n  ),\n]", [read("a")]],
  ["a positional argument: the model is informed", "<|python_start|>[read('a')]", [["read", { inputText: "'a'" }]]],
  [
    "an expression: the model is informed",
    "<|python_start|>[bash(command=f'{x}')]",
    [["bash", { inputText: "command=f'{x}'" }]],
  ],
  ["JSON in the marks", '<|python_start|>[{"name":"read","arguments":{"path":"a"}}]<|python_end|>', [read("a")]],
]);

const call = '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a"}<|call|>';

callTable("harmony", [
  ["as documented", call, [read("a")]],
  ["after thoughts", `<|channel|>analysis<|message|>Need a.<|end|><|start|>assistant${call}`, [read("a")]],
  [
    "the recipient in the role",
    '<|start|>assistant to=functions.read<|channel|>commentary json<|message|>{"path":"a"}<|call|>',
    [read("a")],
  ],
  ["without <|constrain|>", '<|channel|>commentary to=functions.read json<|message|>{"path":"a"}', [read("a")]],
  [
    "in the channel of thoughts",
    '<|channel|>analysis to=functions.read code<|message|>{"path":"a"}<|call|>',
    [read("a")],
  ],
  [
    "a preamble before it",
    `<|channel|>commentary<|message|>I read it.<|end|><|start|>assistant${call}`,
    [read("a")],
    "I read it.",
  ],
  ["plain text before it", `Let me see.${call}`, [read("a")], "Let me see."],
  ["two calls", `${call}<|start|>assistant${call.replace('"a"', '"b"')}`, [read("a"), read("b")]],
  [
    "an end mark inside the arguments",
    '<|channel|>commentary to=functions.bash<|message|>{"command":"echo <|end|>"}<|call|>',
    [bash("echo <|end|>")],
  ],
  [
    "no JSON: the model is informed",
    "<|channel|>commentary to=functions.bash<|message|>{command: ls}<|call|>",
    [["bash", { inputText: "{command: ls}" }]],
  ],
  ["only an answer", "<|channel|>final<|message|>Hello.<|return|>", [], "Hello."],
  [
    "thoughts and an answer",
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello.",
    [],
    "Hello.",
  ],
  [
    "a call that is followed by an answer is none",
    `${call}<|start|>assistant<|channel|>final<|message|>Done.`,
    [],
    `${call}\n\nDone.`,
  ],
  [
    "what is sent to a tool without arguments stays text",
    "<|channel|>commentary to=functions.rm<|message|>all of it<|call|>",
    [],
    "<|channel|>commentary to=functions.rm<|message|>all of it<|call|>",
  ],
]);

describe("a harmony reply", () => {
  it("is split into thinking and text", () => {
    const found = readTextCalls(`<|channel|>analysis<|message|>Need a.<|end|><|start|>assistant${call}`, tools);
    expect(found?.thinking).toBe("Need a.");
  });
});

const begin = "<｜tool▁calls▁begin｜>";
const end = "<｜tool▁calls▁end｜>";
const v3 = (name: string, json: string) =>
  `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜>`;
const v31 = (name: string, json: string) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${json}<｜tool▁call▁end｜>`;

callTable("deepseek", [
  ["V3 as documented", `${begin}${v3("get_weather", '{"city":"Paris"}')}${end}`, [weather("Paris")]],
  [
    "V3, two calls",
    `${begin}${v3("read", '{"path":"a"}')}\n${v3("ls", "{}")}${end}<｜end▁of▁sentence｜>`,
    [read("a"), ["ls", {}]],
  ],
  ["V3.1 as documented", `${begin}${v31("read", '{"path":"a"}')}${end}`, [read("a")]],
  ["V3.1, two calls", `${begin}${v31("read", '{"path":"a"}')}${v31("ls", "{}")}${end}`, [read("a"), ["ls", {}]]],
  ["after words", `Let me see.\n${begin}${v31("read", '{"path":"a"}')}${end}`, [read("a")], "Let me see."],
  ["the end marks lost", `${begin}<｜tool▁call▁begin｜>read<｜tool▁sep｜>{"path":"a"}`, [read("a")]],
  [
    "V3 without its fence",
    `${begin}<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n{"path":"a"}<｜tool▁call▁end｜>${end}`,
    [read("a")],
  ],
  [
    "bars and separators of ASCII",
    `<|tool_calls_begin|><|tool_call_begin|>read<|tool_sep|>{"path":"a"}<|tool_call_end|><|tool_calls_end|>`,
    [read("a")],
  ],
  [
    "separators of ASCII",
    `<｜tool_calls_begin｜><｜tool_call_begin｜>read<｜tool_sep｜>{"path":"a"}<｜tool_call_end｜><｜tool_calls_end｜>`,
    [read("a")],
  ],
]);

const k2 = (id: string, json: string) => `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${json}<|tool_call_end|>`;
const section = (inner: string) => `<|tool_calls_section_begin|>${inner}<|tool_calls_section_end|>`;

callTable("kimi", [
  ["as documented", section(k2("functions.get_weather:0", '{"city": "Paris"}')), [weather("Paris")]],
  ["two calls", section(k2("functions.read:0", '{"path":"a"}') + k2("functions.ls:1", "{}")), [read("a"), ["ls", {}]]],
  ["a plain name as the id", section(k2("read", '{"path":"a"}')), [read("a")]],
  [
    "spaces between",
    section(` <|tool_call_begin|> functions.read:0 <|tool_call_argument_begin|> {"path":"a"} <|tool_call_end|> `),
    [read("a")],
  ],
  ["without the section", k2("functions.read:3", '{"path":"a"}'), [read("a")]],
  [
    "the end marks lost",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a"}',
    [read("a")],
  ],
  ["after words", `I look.${section(k2("functions.read:0", '{"path":"a"}'))}<|im_end|>`, [read("a")], "I look."],
]);
