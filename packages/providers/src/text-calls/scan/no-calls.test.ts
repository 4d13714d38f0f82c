import { describe, expect, it } from "vitest";
import { tools } from "../../../test/offered.ts";
import { readTextCalls } from "./read-text-calls.ts";

const json = '{"name": "bash", "arguments": {"command": "rm -rf x"}}';
const tagged = `<tool_call>\n${json}\n</tool_call>`;
const line = `<tool_call>${json}</tool_call>`;
const fence = (inner: string, language = "json") => `\`\`\`${language}\n${inner}\n\`\`\``;

/** The reason it is not a call, and the model's text. */
const rows: readonly (readonly [string, string])[] = [
  ["prose", "I would call a tool, but there is no need."],
  ["nothing", ""],
  ["white space", "  \n\n"],
  ["a block that prose follows", `${tagged}\nThat was it.`],
  ["a block in the middle", `For example:\n${tagged}\nis what models write.`],
  ["a block that an invented result follows", `${tagged}\n<tool_response>\nok\n</tool_response>`],
  ["a block before a fence", `${tagged}\n${fence("x", "sh")}`],
  ["a block within a fence", fence(tagged, "xml")],
  ["a block within a fence without language", fence(tagged, "")],
  ["a block within a fence of tildes", `~~~\n${tagged}\n~~~`],
  ["a block within a fence that was not closed", `\`\`\`\n${tagged}`],
  ["a fence within a larger fence", `\`\`\`\`md\n${fence(json)}\n\`\`\`\``],
  ["a larger fence that was not closed", `\`\`\`\`md\n${fence(json)}`],
  ["a block in a fence of three within one of four", `\`\`\`\`\n\`\`\`\n${tagged}\n\`\`\`\n\`\`\`\``],
  ["a shorter fence does not close a longer one", `\`\`\`\`\n\`\`\`\n${tagged}`],
  ["a fence with a language does not close one", `\`\`\`\nx\n\`\`\`json\n${json}\n\`\`\``],
  ["quoted lines", `> <tool_call>\n> ${json}\n> </tool_call>`],
  ["one quoted line", `> ${line}`],
  ["quoted lines within a quotation", `> > ${line}`],
  ["a quoted fence", `> \`\`\`json\n> ${json}\n> \`\`\``],
  ["indented lines", `Like so:\n\n    <tool_call>\n    ${json}\n    </tool_call>`],
  ["a line indented by a tab", `\t${line}`],
  ["an indented fence", `    \`\`\`json\n    ${json}\n    \`\`\``],
  ["code within a line", `Write \`${line}\``],
  ["code within a line with two marks", `Write \`\`${line}\`\``],
  ["quotation marks", `Write "${line}"`],
  ["quotation marks that open only", `Write "${line}`],
  ["curly quotation marks", `Write “${line}”`],
  ["a mention of the mark", "Models write <tool_call> before their calls."],
  ["a mention of the mark at the end", "Models begin with <tool_call>"],
  ["an empty block", "<tool_call></tool_call>"],
  ["a name that no tool could have", '<tool_call>{"name": "format the disk", "arguments": {}}</tool_call>'],
  ["such a name beside a tool's", `${line}<tool_call>{"name":"no pe","arguments":{}}</tool_call>`],
  ["no name", '<tool_call>{"arguments": {"command": "ls"}}</tool_call>'],
  ["a name that is not text", '<tool_call>{"name": 5, "arguments": {}}</tool_call>'],
  ["arguments beside the name", '<tool_call>{"name": "bash", "command": "ls"}</tool_call>'],
  ["text in the block", "<tool_call>please run bash</tool_call>"],
  ["a list with something else in it", `<tool_call>[${json}, 5]</tool_call>`],
  ["the tool's name alone is not a call", "<tool_call>bash"],
  ["JSON in prose", `The call is ${json}`],
  ["JSON after prose on its own line", `The call is\n${json}`],
  ["JSON before prose", `${json}\nis the call.`],
  ["bare JSON of an unknown tool", '{"name": "format_disk", "arguments": {}}'],
  ["bare JSON with another spelling of the name", '{"name": "Bash", "arguments": {"command": "ls"}}'],
  ["bare JSON with a prefix before the name", '{"name": "functions.bash", "arguments": {"command": "ls"}}'],
  ["bare JSON with one key more", '{"name": "bash", "arguments": {"command": "ls"}, "version": "1"}'],
  ["bare JSON with one key less", '{"name": "bash"}'],
  ["bare JSON with two names", '{"name": "bash", "tool": "bash"}'],
  ["bare JSON whose arguments are text", '{"name": "bash", "arguments": "ls"}'],
  ["bare JSON with another type", '{"type": "object", "name": "bash", "arguments": {"command": "ls"}}'],
  ["a list with something else in it, bare", `[${json}, {"x": 1}]`],
  ["an empty list", "[]"],
  ["a package.json", fence('{"name": "bash", "version": "1.0.0"}')],
  ["fenced JSON before prose", `${fence(json)}\nThis is how a call looks.`],
  ["fenced JSON with one key more", fence('{"name": "bash", "arguments": {"command": "ls"}, "id": 1}')],
  ["fenced JSON in another language", fence(json, "jsonc")],
  ["fenced JSON as code", fence(json, "ts")],
  ["fenced JSON with more in the fence", fence(`${json}\n// and so on`)],
  ["two fences, one of them an answer", `${fence('{"a": 1}')}\n${fence('{"b": 2}')}`],
  ["a fence of an unknown tool with a name", '```tool_call name=nope\n{"a": 1}\n```'],
  ["a Python list of other things", '["bash", "ls"]'],
  ["a pythonic list of an unknown tool", "[nope(a=1)]"],
  ["a pythonic list with another spelling", "[Ls()]"],
  ["a pythonic list after prose", 'I call [ls(path="x")]'],
  ["a pythonic list before prose", '[ls(path="x")] lists.'],
  ["a markdown link", "[ls](https://example.org)"],
  ["a task list", "[x] ls()"],
  ["Python that does not call a tool", '<|python_tag|>print("hello")'],
  ["Python in a fence", fence('ls(path="x")', "python")],
  ["a function tag before prose", "<function=ls>{}</function> is how Llama calls."],
  ["a TypeScript type", "It returns Promise<function=ls> of sorts."],
  ["Mistral's mark within code", 'The mark is `[TOOL_CALLS][{"name":"ls","arguments":{}}]`'],
  ["Mistral's mark before prose", '[TOOL_CALLS][{"name":"ls","arguments":{}}] lists.'],
  ["fenced JSON of an unknown tool", fence('{"tool": "nope", "args": {}}')],
  ["fenced JSON with the name alone", fence('{"name": "ls"}')],
  ["fenced JSON in capitals", fence(json, "JSON")],
  ["OpenAI's list of calls", fence(`{"tool_calls": [${json}]}`)],
  ["Llama's interpreter and an unknown function", "<|python_tag|>plot(x)"],
  ["a parameter without its function", "<tool_call><parameter=command>ls</parameter></tool_call>"],
  ["Command R's word in prose", `The Action: ${fence(json)} comes later.`],
  ["Command R's answer without a tool", 'Action: ```json\n[{"tool_name": "directly_answer", "parameters": {}}]\n```'],
  ["functools in prose", "functools.partial binds arguments"],
  ["a channel in prose", "The <|channel|> token names a channel."],
  ["nested deeper than a call", `<tool_call>${"[".repeat(5000)}</tool_call>`],
];

describe("text without calls", () => {
  it.each(rows)("%s", (_why, output) => {
    expect(readTextCalls(output, tools)).toBeUndefined();
  });

  it("has no calls where no tool is offered", () => {
    expect(readTextCalls(tagged, [])).toBeUndefined();
  });
});
