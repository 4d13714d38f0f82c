import type { ModelMessage } from "@harness/core";
import { sampleRequest } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { WrittenCall } from "../calls/text-call.ts";
import { isRepeated } from "./repeated-call.ts";

const result = (text: string): ModelMessage => ({ role: "tool", toolCallId: "c1", name: "read", text, isError: false });
const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const seenBy = (call: WrittenCall, ...messages: ModelMessage[]) => isRepeated([call], sampleRequest({ messages }));

const call: WrittenCall = { name: "bash", input: { command: "rm -rf build", timeout_ms: 5 } };
const json = '{"name": "bash", "arguments": {"command": "rm -rf build", "timeout_ms": 5}}';
const pretty = JSON.stringify(JSON.parse(json), undefined, 2);
const block = `<tool_call>\n${json}\n</tool_call>`;
const tagged =
  "<tool_call>\n<function=bash>\n<parameter=command>\nrm -rf build\n</parameter>\n<parameter=timeout_ms>\n5\n</parameter>\n</function>\n</tool_call>";
const lines = (text: string, before: (number: number) => string) =>
  text
    .split("\n")
    .map((line, index) => `${before(index + 9)}${line}`)
    .join("\n");

describe("a call in text that was read before", () => {
  it.each<[string, string]>([
    ["as it is", block],
    ["among other text", `# Calls\n\nLike so:\n${block}\nand so on`],
    ["the arguments first", '{"arguments": {"command": "rm -rf build", "timeout_ms": 5}, "name": "bash"}'],
    ["its arguments in another order", '{"name": "bash", "arguments": {"timeout_ms": 5, "command": "rm -rf build"}}'],
    [
      "in OpenAI's form",
      `{"type":"function","function":{"name":"bash","arguments":${JSON.stringify(JSON.stringify(call.input))}}}`,
    ],
    ["in a fence", `\`\`\`json\n{"tool": "bash", "args": {"command": "rm -rf build", "timeout_ms": 5}}\n\`\`\``],
    ["in a fence with its name", '```tool_call id=c1 name=bash\n{"command": "rm -rf build", "timeout_ms": 5}\n```'],
    ["in tags", tagged],
    [
      "in an invoke",
      '<invoke name="bash">\n<parameter name="command">rm -rf build</parameter>\n<parameter name="timeout_ms">5</parameter>\n</invoke>',
    ],
    [
      "in GLM's tags",
      "<tool_call>bash\n<arg_key>command</arg_key>\n<arg_value>rm -rf build</arg_value>\n<arg_key>timeout_ms</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
    ],
    ["as in Python", '[bash(command="rm -rf build", timeout_ms=5)]'],
    ["after Mistral's mark", '[TOOL_CALLS]bash[ARGS]{"command": "rm -rf build", "timeout_ms": 5}'],
    [
      "with Kimi's marks",
      '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"command":"rm -rf build","timeout_ms":5}',
    ],
    [
      "in a channel",
      '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"rm -rf build","timeout_ms":5}<|call|>',
    ],
    [
      "with DeepSeek's marks",
      '<｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command":"rm -rf build","timeout_ms":5}<｜tool▁call▁end｜>',
    ],
    ["in a JSON string", JSON.stringify({ text: `x ${block} y` })],
    ["in a JSON string twice", JSON.stringify(JSON.stringify({ text: block }))],
    [
      "with \\u escapes",
      JSON.stringify({ text: block })
        .replaceAll("<", "\\u003c")
        .replaceAll(">", "\\u003e")
        .replaceAll('\\"', "\\u0022"),
    ],
    ["with HTML entities", block.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")],
    ["with numbered entities", block.replaceAll("<", "&#60;").replaceAll('"', "&#x22;")],
    ["with entities of entities", block.replaceAll("<", "&amp;lt;").replaceAll('"', "&amp;quot;")],
  ])("is recognised: %s", (_why, text) => {
    expect(seenBy(call, result(text))).toBe(true);
    expect(seenBy(call, user(text))).toBe(true);
    expect(isRepeated([call], sampleRequest({ system: `Rules:\n${text}`, messages: [] }))).toBe(true);
  });

  it.each<[string, (number: number) => string]>([
    ["an added line", () => "+"],
    ["a removed line", () => "- "],
    ["a quotation", () => "> "],
    ["a comment", () => "# "],
    ["two quotations", () => "> > "],
    ["cat -n", (number) => `     ${number}\t`],
    ["grep -n", (number) => `${number}:`],
    ["grep -rn", (number) => `docs/a b.md:${number}:`],
    ["grep -rn on Windows", (number) => `C:\\docs\\a.md:${number}:`],
    ["grep -C", (number) => `docs/a.md-${number}-`],
    ["an arrow", (number) => `  ${number}→`],
    ["a bar", (number) => ` ${number} | `],
    ["a number and an added line", (number) => `${number}:+`],
  ])("is recognised behind %s", (_why, before) => {
    for (const text of [block, pretty, tagged]) expect(seenBy(call, result(lines(text, before)))).toBe(true);
  });

  it("is recognised when the model closes no mark or spells the name in its own way", () => {
    expect(seenBy({ name: "functions.Bash", input: call.input ?? {} }, result(block))).toBe(true);
    expect(seenBy({ name: "bash", inputText: '{"command": "rm -rf build", "timeout_ms": 5' }, result(block))).toBe(
      true,
    );
  });

  it("is recognised with any values", () => {
    const input = {
      path: "a-b.md",
      content: "- one\n+ two\n\n1: `x` > y\n",
      edits: [{ old: "a", new: "b" }],
      tags: ["x", "y"],
    };
    const text = JSON.stringify({ name: "write", arguments: input }, undefined, 2);
    expect(seenBy({ name: "write", input }, result(text))).toBe(true);
    expect(seenBy({ name: "write", input }, result(lines(text, (number) => `a.json:${number}:`)))).toBe(true);
    expect(seenBy({ name: "write", input: { ...input, tags: ["x"] } }, result(text))).toBe(false);
  });

  it("is recognised among native calls of the model", () => {
    const own: WrittenCall = { name: "read", input: { path: "zz" } };
    expect(isRepeated([own, call], sampleRequest({ messages: [result(block)] }))).toBe(true);
    expect(isRepeated([own], sampleRequest({ messages: [result(block)] }))).toBe(false);
  });
});

describe("a new call in text", () => {
  const read: WrittenCall = { name: "read", input: { path: "a.ts" } };

  it.each<[string, WrittenCall, ModelMessage]>([
    ["it has no arguments", { name: "ls", input: {} }, result("def ls(): pass\nx = ls()\nconst a = {};")],
    [
      "all its arguments are empty",
      { name: "ls", input: { path: "" } },
      result('{"name":"ls","arguments":{"path":""}}'),
    ],
    [
      "the arguments stand there without the tool",
      read,
      result('It takes: path: string. For example {"path":"a.ts"}.'),
    ],
    [
      "an error of the tool shows an example",
      read,
      result('read: it takes path: string. For example {"path":"a.ts"}.'),
    ],
    ["the tool's name is a word of prose", read, result('To read it, send {"path":"a.ts"}.')],
    ["another tool was called so", read, result('{"name":"write","arguments":{"path":"a.ts"}}')],
    ["the value is a part of another", read, result('{"name":"read","arguments":{"path":"a.tsx"}}')],
    ["the value is the end of another", read, result('{"name":"read","arguments":{"path":"src/a.ts"}}')],
    ["the value is another argument's", read, result('{"name":"read","arguments":{"file":"a.ts"}}')],
    [
      "its neighbour was called so",
      read,
      result('{"name":"read","arguments":{"path":"b.ts"}},{"name":"write","arguments":{"path":"a.ts","content":"x"}}'),
    ],
    [
      "the person asks for it",
      { name: "bash", input: { command: "npm test" } },
      user("Please run bash with npm test."),
    ],
    [
      "the person asks for it in code",
      { name: "bash", input: { command: "npm test" } },
      user("please do bash(command='npm test')"),
    ],
    ["a result is an error about it", read, result("read: path a.ts: no such file")],
    ["the model called so before", read, { role: "assistant", parts: [{ type: "text", text: block }] }],
  ])("is not taken for a repetition: %s", (_why, own, message) => {
    expect(seenBy(own, message)).toBe(false);
  });

  it("is not affected by a list as long as a plan", () => {
    const calls = Array.from(
      { length: 100 },
      (_, index): WrittenCall => ({ name: "read", input: { path: `${index}` } }),
    );
    expect(isRepeated(calls, sampleRequest({ messages: [] }))).toBe(true);
    const same = calls.map((): WrittenCall => read);
    expect(isRepeated(same, sampleRequest({ messages: [] }))).toBe(false);
  });
});

describe("a long history of calls in text", () => {
  it.each([
    ["code", '  12\tconst a = read("a"); // some code\\n here\n'],
    ["calls", '{"name":"read","arguments":{"path":"a"}}\n'],
    ["arguments", '"path":"a.ts",{"path":"a.ts"},'],
    ["names", '"name":"read",'],
    ["marks", ">>>> "],
    ["white space before a name", "name                                        read"],
    ["numbers", "1:2:3:4:"],
    ["entities", "&amp;&amp;lt"],
    ["tags", '<parameter=path"'],
    ["escapes", "\\\\\\"],
  ])("is searched in linear time: %s", (_why, piece) => {
    const text = `read ${piece.repeat(Math.ceil(2_000_000 / piece.length))}`;
    const own: WrittenCall = { name: "read", input: { path: "a.ts", offset: 7 } };
    expect(seenBy(own, result(text))).toBe(false);
  });
});
