import { bash, callTable, read, weather } from "../../../test/offered.ts";

const paris = '{"name": "get_weather", "arguments": {"city": "Paris"}}';
const a = '{"name": "read", "arguments": {"path": "a.ts"}}';
const b = '{"name": "read", "arguments": {"path": "b.ts"}}';

callTable("hermes", [
  ["as documented", `<tool_call>\n${paris}\n</tool_call>`, [weather("Paris")]],
  ["on one line", `<tool_call>${paris}</tool_call>`, [weather("Paris")]],
  ["after words", `I look at it.\n\n<tool_call>\n${a}\n</tool_call>`, [read("a.ts")], "I look at it."],
  ["after words on the same line", `I look: <tool_call>${a}</tool_call>`, [read("a.ts")], "I look:"],
  ["two blocks", `<tool_call>\n${a}\n</tool_call>\n<tool_call>\n${b}\n</tool_call>`, [read("a.ts"), read("b.ts")]],
  [
    "two blocks without a line end",
    `<tool_call>${a}</tool_call><tool_call>${b}</tool_call>`,
    [read("a.ts"), read("b.ts")],
  ],
  ["two objects in one block", `<tool_call>\n${a}\n${b}\n</tool_call>`, [read("a.ts"), read("b.ts")]],
  ["a list in one block (Granite 3.1)", `<tool_call>[${a}, ${b}]</tool_call>`, [read("a.ts"), read("b.ts")]],
  ["a list of one", `<tool_call>[${a}]</tool_call>`, [read("a.ts")]],
  ["the closing mark swallowed as a stop word", `<tool_call>\n${a}`, [read("a.ts")]],
  ["the closing mark cut", `<tool_call>\n${a}\n</tool_c`, [read("a.ts")]],
  ["the first closing mark lost", `<tool_call>\n${a}\n<tool_call>\n${b}\n</tool_call>`, [read("a.ts"), read("b.ts")]],
  ["a stop word after it", `<tool_call>\n${a}\n</tool_call><|im_end|>`, [read("a.ts")]],
  ["two stop words after it", `<tool_call>${a}</tool_call><|im_end|>\n<|endoftext|>`, [read("a.ts")]],
  ["white space after it", `<tool_call>${a}</tool_call> \n\n\t`, [read("a.ts")]],
  ["parameters in place of arguments", '<tool_call>{"name":"read","parameters":{"path":"a"}}</tool_call>', [read("a")]],
  ["arguments first", '<tool_call>{"arguments": {"path": "a"}, "name": "read"}</tool_call>', [read("a")]],
  ["an id beside it", '<tool_call>{"id":"x","name":"read","arguments":{"path":"a"}}</tool_call>', [read("a")]],
  [
    "OpenAI's nesting",
    '<tool_call>{"type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}</tool_call>',
    [read("a")],
  ],
  ["double encoded", '<tool_call>{"name":"read","arguments":"{\\"path\\": \\"a\\"}"}</tool_call>', [read("a")]],
  ["arguments in a list of one", '<tool_call>{"name":"read","arguments":[{"path":"a"}]}</tool_call>', [read("a")]],
  ["no arguments", '<tool_call>{"name": "ls"}</tool_call>', [["ls", {}]]],
  ["null for no arguments", '<tool_call>{"name": "ls", "arguments": null}</tool_call>', [["ls", {}]]],
  ["empty text for no arguments", '<tool_call>{"name": "ls", "arguments": ""}</tool_call>', [["ls", {}]]],
  ["a trailing comma", '<tool_call>{"name":"read","arguments":{"path":"a",},}</tool_call>', [read("a")]],
  [
    "a raw line end in a string",
    '<tool_call>{"name":"bash","arguments":{"command":"a\nb"}}</tool_call>',
    [bash("a\nb")],
  ],
  ["a raw tab in a string", '<tool_call>{"name":"bash","arguments":{"command":"a\tb"}}</tool_call>', [bash("a\tb")]],
  [
    "a comma before a bracket in a string",
    '<tool_call>{"name":"bash","arguments":{"command":"x[1,]",}}</tool_call>',
    [bash("x[1,]")],
  ],
  ["a byte order mark", `<tool_call>\uFEFF${a}</tool_call>`, [read("a.ts")]],
  ["no-break spaces", '<tool_call>{\u00A0"name":"read","arguments":{"path":"a"}}</tool_call>', [read("a")]],
  ["a fence inside", `<tool_call>\n\`\`\`json\n${a}\n\`\`\`\n</tool_call>`, [read("a.ts")]],
  [
    "the closing mark inside a string",
    '<tool_call>{"name":"bash","arguments":{"command":"echo </tool_call>"}}</tool_call>',
    [bash("echo </tool_call>")],
  ],
  ["brackets inside a string", '<tool_call>{"name":"bash","arguments":{"command":"a}]{"}}</tool_call>', [bash("a}]{")]],
  [
    "another spelling of the name",
    '<tool_call>{"name":"Get-Weather","arguments":{"city":"P"}}</tool_call>',
    [["Get-Weather", { city: "P" }]],
  ],
  [
    "a prefix of the name",
    '<tool_call>{"name":"functions.read","arguments":{"path":"a"}}</tool_call>',
    [["functions.read", { path: "a" }]],
  ],
  ["CRLF", `Yes.\r\n<tool_call>\r\n${a}\r\n</tool_call>\r\n`, [read("a.ts")], "Yes."],
  [
    "after a fence that was closed",
    `\`\`\`ts\nx\n\`\`\`\n<tool_call>${a}</tool_call>`,
    [read("a.ts")],
    "```ts\nx\n```",
  ],
  ["after code within a line", `Use \`x\` <tool_call>${a}</tool_call>`, [read("a.ts")], "Use `x`"],
  [
    "after a mention of the mark",
    `The \`<tool_call>\` mark.\n<tool_call>${a}</tool_call>`,
    [read("a.ts")],
    "The `<tool_call>` mark.",
  ],
  ["indented by three", `   <tool_call>${a}</tool_call>`, [read("a.ts")]],
  [
    "unescaped quotes: the model is informed",
    '<tool_call>{"name":"bash","arguments":{"command":"echo "hi""}}</tool_call>',
    [["bash", { inputText: '{"command":"echo "hi""}' }]],
  ],
  ["the last bracket lost", '<tool_call>{"name":"bash","arguments":{"command":"ls"}</tool_call>', [bash("ls")]],
  [
    "the last bracket lost, and more follows",
    `<tool_call>\n{"name":"bash","arguments":{"command":"ls"}\n</tool_call>\n<tool_call>\n${a}\n</tool_call>`,
    [bash("ls"), read("a.ts")],
  ],
  ["a bracket too many", '<tool_call>{"name":"bash","arguments":{"command":"ls"}}}\n</tool_call>', [bash("ls")]],
  [
    "a bracket lost within the arguments: the model is informed",
    '<tool_call>{"name":"bash","arguments":{"command":{"a":"ls"}</tool_call>',
    [["bash", { inputText: '{"command":{"a":"ls"' }]],
  ],
  [
    "single quotes: the model is informed",
    `<tool_call>{"name":"bash","arguments":{'command':'ls'}}</tool_call>`,
    [["bash", { inputText: "{'command':'ls'}" }]],
  ],
  [
    "arguments that are a number",
    '<tool_call>{"name":"bash","arguments":5}</tool_call>',
    [["bash", { inputText: "5" }]],
  ],
]);

callTable("granite", [
  ["as documented", `<|tool_call|>[${paris}]`, [weather("Paris")]],
  ["several", `<|tool_call|>[${a}, ${b}]`, [read("a.ts"), read("b.ts")]],
  ["Phi-4-mini", `<|tool_call|>[${paris}]<|/tool_call|>`, [weather("Paris")]],
  ["Phi-4-mini with the slash elsewhere", `<|tool_call|>[${paris}]</|tool_call|><|end|>`, [weather("Paris")]],
  ["an object without the list", `<|tool_call|>${paris}`, [weather("Paris")]],
  ["after words", `Sure.<|tool_call|>[${a}]`, [read("a.ts")], "Sure."],
  ["Granite 20B", `<function_call> ${a}`, [read("a.ts")]],
  ["Granite 20B, two", `<function_call> ${a} <function_call> ${b}`, [read("a.ts"), read("b.ts")]],
  ["a list that was not closed", `<|tool_call|>[${a}`, [read("a.ts")]],
]);

callTable("phi", [
  ["as documented", `functools[${paris}]`, [weather("Paris")]],
  ["several", `functools[${a},${b}]<|end|>`, [read("a.ts"), read("b.ts")]],
]);

callTable("nemotron", [["as documented", `<TOOLCALL>[${a}]</TOOLCALL>`, [read("a.ts")]]]);

callTable("minimax-json", [
  ["as documented: an object a line", `<tool_calls>\n${a}\n${b}\n</tool_calls>`, [read("a.ts"), read("b.ts")]],
  ["Hunyuan and Jamba: a list", `<tool_calls>[${a}]</tool_calls>`, [read("a.ts")]],
]);

callTable("mistral", [
  ["a list (v3 to v7)", `[TOOL_CALLS][${paris}]`, [weather("Paris")]],
  ["a list with a space", `[TOOL_CALLS] [${a}, ${b}]`, [read("a.ts"), read("b.ts")]],
  ["ids in the list", '[TOOL_CALLS][{"name":"ls","arguments":{},"id":"VvvODy9mT"}]</s>', [["ls", {}]]],
  ["an object without the list", `[TOOL_CALLS]${a}`, [read("a.ts")]],
  ["name and arguments (v11)", '[TOOL_CALLS]read[ARGS]{"path": "a"}', [read("a")]],
  ["two of them", '[TOOL_CALLS]read[ARGS]{"path":"a"}[TOOL_CALLS]bash[ARGS]{"command":"ls"}', [read("a"), bash("ls")]],
  ["with an id between", '[TOOL_CALLS]read[CALL_ID]9cvVZtB6n[ARGS]{"path":"a"}', [read("a")]],
  ["without [ARGS]", '[TOOL_CALLS]read{"path": "a"}', [read("a")]],
  ["after words", 'I read.[TOOL_CALLS]read[ARGS]{"path":"a"}', [read("a")], "I read."],
  ["empty arguments", "[TOOL_CALLS]ls[ARGS]{}", [["ls", {}]]],
]);

callTable("command-r", [
  [
    "as documented",
    'Action: ```json\n[\n    {\n        "tool_name": "get_weather",\n        "parameters": {\n            "city": "Paris"\n        }\n    }\n]\n```',
    [weather("Paris")],
  ],
  [
    "after a plan",
    'Plan: I will look.\nAction: ```json\n[{"tool_name":"read","parameters":{"path":"a"}}]\n```',
    [read("a")],
    "Plan: I will look.",
  ],
  [
    "the fence on the next line",
    'Action:\n```json\n[{"tool_name":"read","parameters":{"path":"a"}}]\n```\n',
    [read("a")],
  ],
]);

callTable("command-action", [
  [
    "as documented",
    '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read", "parameters": {"path": "a"}}\n]<|END_ACTION|>',
    [read("a")],
  ],
]);
