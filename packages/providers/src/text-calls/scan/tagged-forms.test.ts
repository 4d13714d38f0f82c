import { bash, callTable, read, weather } from "../../../test/offered.ts";

const qwen = (name: string, ...parameters: [string, string][]) =>
  `<function=${name}>\n${parameters.map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`).join("")}</function>`;
const wrapped = (inner: string) => `<tool_call>\n${inner}\n</tool_call>`;

callTable("qwen-coder", [
  ["as documented", wrapped(qwen("get_weather", ["city", "Paris"])), [weather("Paris")]],
  ["after words", `I read.\n${wrapped(qwen("read", ["path", "a"]))}`, [read("a")], "I read."],
  [
    "two blocks",
    `${wrapped(qwen("read", ["path", "a"]))}\n${wrapped(qwen("bash", ["command", "ls"]))}`,
    [read("a"), bash("ls")],
  ],
  [
    "types by the schema",
    wrapped(qwen("read", ["path", "a"], ["offset", "5"], ["limit", " 10 "])),
    [["read", { path: "a", offset: 5, limit: 10 }]],
  ],
  ["a number where text is wanted", wrapped(qwen("read", ["path", "42"])), [read("42")]],
  ["true where text is wanted", wrapped(qwen("bash", ["command", "true"])), [bash("true")]],
  [
    "a boolean",
    wrapped(qwen("bash", ["command", "x"], ["background", "true"])),
    [["bash", { command: "x", background: true }]],
  ],
  [
    "Python's boolean is left to the loop",
    wrapped(qwen("bash", ["command", "x"], ["background", "True"])),
    [["bash", { command: "x", background: "True" }]],
  ],
  [
    "a list as JSON",
    wrapped(qwen("edit", ["path", "a"], ["edits", '[{"old": "x", "new": "y"}]'])),
    [["edit", { path: "a", edits: [{ old: "x", new: "y" }] }]],
  ],
  [
    "an enum",
    wrapped(qwen("get_weather", ["city", "P"], ["unit", "celsius"])),
    [["get_weather", { city: "P", unit: "celsius" }]],
  ],
  [
    "several lines",
    wrapped(qwen("write", ["path", "a"], ["content", "one\n\n  two"])),
    [["write", { path: "a", content: "one\n\n  two" }]],
  ],
  [
    "a last line end of its own",
    wrapped(qwen("write", ["path", "a"], ["content", "one\n"])),
    [["write", { path: "a", content: "one\n" }]],
  ],
  [
    "markup as a value",
    wrapped(qwen("write", ["path", "a"], ["content", "<b>&amp;</b>"])),
    [["write", { path: "a", content: "<b>&amp;</b>" }]],
  ],
  [
    "the closing tag within a value",
    wrapped(qwen("write", ["path", "a"], ["content", "x </parameter> y"])),
    [["write", { path: "a", content: "x </parameter> y" }]],
  ],
  [
    "a fence as a value",
    wrapped(qwen("write", ["path", "a"], ["content", "```js\n1\n```"])),
    [["write", { path: "a", content: "```js\n1\n```" }]],
  ],
  ["an empty value", wrapped(qwen("write", ["path", "a"], ["content", ""])), [["write", { path: "a", content: "" }]]],
  ["on one line", "<tool_call><function=read><parameter=path>a</parameter></function></tool_call>", [read("a")]],
  ["no arguments", wrapped("<function=ls>\n</function>"), [["ls", {}]]],
  ["an argument the schema does not know", wrapped(qwen("ls", ["depth", "2"])), [["ls", { depth: "2" }]]],
  [
    "the function's closing tag lost",
    "<tool_call>\n<function=read>\n<parameter=path>\na\n</parameter>\n</tool_call>",
    [read("a")],
  ],
  ["the wrapper's closing tag lost", `<tool_call>\n${qwen("read", ["path", "a"])}`, [read("a")]],
  ["Seed-OSS", `<seed:tool_call>\n${qwen("read", ["path", "a"])}\n</seed:tool_call>`, [read("a")]],
  [
    "CRLF",
    "<tool_call>\r\n<function=read>\r\n<parameter=path>\r\na\r\n</parameter>\r\n</function>\r\n</tool_call>",
    [read("a")],
  ],
  [
    "names in quotation marks",
    '<tool_call>\n<function="bash">\n<parameter="command">\nls\n</parameter>\n</function>\n</tool_call>',
    [bash("ls")],
  ],
  ["JSON inside", '<tool_call><function=read>{"path":"a"}</function></tool_call>', [read("a")]],
]);

callTable("function-tag", [
  ["Llama 3.1", '<function=get_weather>{"city": "Paris"}</function>', [weather("Paris")]],
  ["Llama 3.1 with its stop word", '<function=read>{"path": "a"}</function><|eom_id|>', [read("a")]],
  ["two of them", '<function=read>{"path":"a"}</function>\n<function=ls>{}</function>', [read("a"), ["ls", {}]]],
  ["the closing tag lost", '<function=read>{"path": "a"}', [read("a")]],
  ["the bracket lost", '<function=read{"path": "a"}</function>', [read("a")]],
  ["after words", 'Well. <function=read>{"path":"a"}</function>', [read("a")], "Well."],
  ["Qwen3-Coder without the wrapper", `${qwen("read", ["path", "a"])}\n</tool_call>`, [read("a")]],
  ["Qwen3-Coder without both", qwen("read", ["path", "a"]), [read("a")]],
  ["a trailing comma", '<function=read>{"path": "a",}</function>', [read("a")]],
  ["no arguments", "<function=ls></function>", [["ls", {}]]],
  ["no JSON: the model is informed", "<function=read>{path: a}</function>", [["read", { inputText: "{path: a}" }]]],
]);

const glm = (name: string, ...pairs: [string, string][]) =>
  `<tool_call>${name}\n${pairs.map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`).join("")}</tool_call>`;

callTable("glm", [
  ["as documented", glm("get_weather", ["city", "Paris"]), [weather("Paris")]],
  ["two calls", `${glm("read", ["path", "a"])}\n${glm("ls")}`, [read("a"), ["ls", {}]]],
  ["types by the schema", glm("read", ["path", "1"], ["limit", "20"]), [["read", { path: "1", limit: 20 }]]],
  ["after words on the same line", `I read: ${glm("read", ["path", "a"])}`, [read("a")], "I read:"],
  [
    "spaces in place of line ends (issue reports)",
    "<tool_call>ls <arg_key>path</arg_key> <arg_value>backend</arg_value> </tool_call>",
    [["ls", { path: "backend" }]],
  ],
  [
    "nothing between (GLM-4.7)",
    "<tool_call>read<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>",
    [read("a")],
  ],
  ["a stop word after it", `${glm("ls")}<|observation|>`, [["ls", {}]]],
  [
    "the closing mark after a tag in the value",
    glm("bash", ["command", "echo </arg_value>!"]),
    [bash("echo </arg_value>!")],
  ],
]);

const invoke = (name: string, ...pairs: [string, string][]) =>
  `<invoke name="${name}">\n${pairs.map(([key, value]) => `<parameter name="${key}">${value}</parameter>\n`).join("")}</invoke>`;

callTable("minimax-invoke", [
  [
    "as documented",
    `<minimax:tool_call>\n${invoke("get_weather", ["city", "Paris"])}\n</minimax:tool_call>`,
    [weather("Paris")],
  ],
  [
    "two calls in one block",
    `<minimax:tool_call>\n${invoke("read", ["path", "a"])}\n${invoke("ls")}\n</minimax:tool_call>`,
    [read("a"), ["ls", {}]],
  ],
  [
    "types by the schema",
    `<minimax:tool_call>${invoke("read", ["path", "1"], ["limit", "2"])}</minimax:tool_call>`,
    [["read", { path: "1", limit: 2 }]],
  ],
  [
    "a value on lines of its own",
    `<minimax:tool_call>${invoke("bash", ["command", "\nls\n"])}</minimax:tool_call>`,
    [bash("ls")],
  ],
  ["the closing mark lost", `<minimax:tool_call>\n${invoke("read", ["path", "a"])}`, [read("a")]],
  ["older prompts of Claude", `<function_calls>\n${invoke("read", ["path", "a"])}\n</function_calls>`, [read("a")]],
]);

const dsml =
  '<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="path" string="true">1</｜DSML｜parameter>\n<｜DSML｜parameter name="limit" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>';

callTable("deepseek-dsml", [
  [
    "as documented (V3.2)",
    `<｜DSML｜function_calls>\n${dsml}\n</｜DSML｜function_calls>`,
    [["read", { path: "1", limit: 2 }]],
  ],
  [
    "a stop word after it",
    `Go.\n<｜DSML｜function_calls>${dsml}</｜DSML｜function_calls><｜end▁of▁sentence｜>`,
    [["read", { path: "1", limit: 2 }]],
    "Go.",
  ],
]);
