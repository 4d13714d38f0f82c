import { bash, callTable, read, weather } from "../../../test/offered.ts";

const fence = (inner: string, language = "json") => `\`\`\`${language}\n${inner}\n\`\`\``;
const a = '{"tool": "read", "args": {"path": "a"}}';

callTable("fenced", [
  ["prompted mode", fence(a), [read("a")]],
  ["after words", `I read it.\n\n${fence(a)}`, [read("a")], "I read it."],
  ["a tool_call fence", fence(a, "tool_call"), [read("a")]],
  ["a fence without language", fence(a, ""), [read("a")]],
  ["tildes", `~~~json\n${a}\n~~~`, [read("a")]],
  ["name and arguments", fence('{"name": "read", "arguments": {"path": "a"}}'), [read("a")]],
  ["function and parameters", fence('{"function": "read", "parameters": {"path": "a"}}'), [read("a")]],
  ["tool and input", fence('{"tool": "read", "input": {"path": "a"}}'), [read("a")]],
  ["two fences", `${fence(a)}\n\n${fence('{"tool":"ls","args":{}}')}`, [read("a"), ["ls", {}]]],
  ["a list of two", fence(`[${a}, {"tool":"ls","args":{}}]`), [read("a"), ["ls", {}]]],
  ["two in one fence", fence(`${a}\n{"tool":"ls","args":{}}`), [read("a"), ["ls", {}]]],
  ["two in one fence with a comma", fence(`${a},\n{"tool":"ls","args":{}}`), [read("a"), ["ls", {}]]],
  ["two in one tool_calls fence", fence(`${a},\n{"name":"ls","arguments":{}}`, "tool_calls"), [read("a"), ["ls", {}]]],
  ["Gemma's tool_code with a call a line", fence('read(path="a")\nls()', "tool_code"), [read("a"), ["ls", {}]]],
  ["two fences of tildes", `~~~json\n${a}\n~~~\n~~~json\n{"tool":"ls","args":{}}\n~~~`, [read("a"), ["ls", {}]]],
  ["the fence not closed", `\`\`\`json\n${a}`, [read("a")]],
  ["a trailing comma", fence('{"tool": "read", "args": {"path": "a",},}'), [read("a")]],
  ["double encoded", fence('{"tool": "read", "args": "{\\"path\\":\\"a\\"}"}'), [read("a")]],
  [
    "a fence within a string",
    fence('{"tool":"write","args":{"path":"a","content":"```\\nx\\n```"}}'),
    [["write", { path: "a", content: "```\nx\n```" }]],
  ],
  ["raw line ends within a string", fence('{"tool":"bash","args":{"command":"a\n```\nb"}}'), [bash("a\n```\nb")]],
  ["white space after it", `${fence(a)}\n\n `, [read("a")]],
  ["a stop word after it", `${fence(a)}<|eot_id|>`, [read("a")]],
  ["CRLF", `Yes.\r\n\`\`\`json\r\n${a}\r\n\`\`\`\r\n`, [read("a")], "Yes."],
  ["a fence with a name and an id", '```tool_call id=c1 name=read\n{"path": "a"}\n```', [read("a")]],
  ["Gemma's tool_code", fence('get_weather(city="Paris")', "tool_code"), [weather("Paris")]],
  ["Gemma's tool_code with a list", fence('[read(path="a"), ls()]', "tool_code"), [read("a"), ["ls", {}]]],
  ["after another fence", `${fence("ls -la", "sh")}\nNow:\n${fence(a)}`, [read("a")], `${fence("ls -la", "sh")}\nNow:`],
]);

callTable("bare", [
  ["the whole message", a, [read("a")]],
  ["Llama 3.1", '{"name": "get_weather", "parameters": {"city": "Paris"}}', [weather("Paris")]],
  ["Llama 3.1 with its type", '{"type": "function", "name": "read", "parameters": {"path": "a"}}', [read("a")]],
  [
    "two with a semicolon",
    '{"name":"read","parameters":{"path":"a"}}; {"name":"ls","parameters":{}}',
    [read("a"), ["ls", {}]],
  ],
  ["a list", '[{"name":"read","arguments":{"path":"a"}}]', [read("a")]],
  ["OpenAI's form", '{"type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}', [read("a")]],
  ["white space around it", `\n\n  ${a}\n`, [read("a")]],
  ["a stop word after it", `${a}<|eot_id|>`, [read("a")]],
  ["a closing mark whose opening one was lost", `${a}\n</tool_call>`, [read("a")]],
  ["a pythonic list (Llama 3.2)", '[get_weather(city="Paris"), read(path="a")]', [weather("Paris"), read("a")]],
  ["a pythonic list of one without arguments", "[ls()]<|eot_id|>", [["ls", {}]]],
  ["pretty printed", '{\n  "name": "read",\n  "arguments": {\n    "path": "a"\n  }\n}', [read("a")]],
]);
