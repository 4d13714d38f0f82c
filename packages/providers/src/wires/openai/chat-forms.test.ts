import type { ModelMessage, ModelRequest } from "@harness/core";
import { endEvent, failedEvent, joinDeltas, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/clocks.ts";
import { providerAt } from "../../../test/create-provider.ts";
import { type Answer, type StrictServer, says, strictServer } from "../../../test/strict-server.ts";
import { vendorOf } from "../../../test/vendor-of.ts";
import { endpointProvider } from "../../choice/endpoint-provider.ts";
import { asList, asRecord, type JsonRecord } from "../../json/lenient-json.ts";
import { locate } from "../../vendors/locate.ts";
import { LearnedRefusals } from "../request/learned-refusals.ts";

let server: StrictServer | undefined;
afterEach(() => server?.close());

const messagesOf = (body: JsonRecord) => asList(body.messages).map(asRecord);
const isUser = ({ role }: JsonRecord) => role === "user";
const calls = ({ tool_calls }: JsonRecord) => asList(tool_calls).map(asRecord);
const refused = (message: string, status = 400): Answer => ({ status, body: { error: { message } } });

const asked = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const history: ModelMessage[] = [
  asked("a"),
  asked("b"),
  {
    role: "assistant",
    provider: "openai",
    model: "m",
    parts: [
      { type: "thinking", text: "hm", vendorData: { field: "reasoning_content" } },
      { type: "tool_call", toolCallId: "call_1", name: "ls", input: { path: "x" } },
    ],
  },
  { role: "tool", toolCallId: "call_1", name: "ls", text: "", isError: false },
  {
    role: "assistant",
    provider: "another",
    model: "other",
    parts: [{ type: "tool_call", toolCallId: "call_2", name: "ls", input: {} }],
  },
  { role: "tool", toolCallId: "call_2", name: "ls", text: "x", isError: false },
  asked("c"),
];

/** A server that refuses what one of its rules forbids, with its own message. */
type Rule = [name: string, forbids: (messages: JsonRecord[]) => boolean, answer: Answer];
const JINJA =
  "Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.";
const neighbours = (messages: JsonRecord[]) => {
  const counted = messages.filter((each) => each.role !== "system" && each.role !== "tool" && calls(each).length === 0);
  return counted.some(({ role }, index) => role !== (index % 2 === 0 ? "user" : "assistant"));
};
const isNull = ({ role, content }: JsonRecord) => role === "assistant" && content === null;
const rules: Rule[] = [
  ["two messages of one role (llama.cpp)", neighbours, refused(JINJA, 500)],
  [
    "two messages of one role (LM Studio)",
    neighbours,
    refused(`Error rendering prompt with jinja template: "${JINJA}"`),
  ],
  [
    "a message of the person after a result (Mistral)",
    (messages) => messages.some((each, at) => isUser(each) && messages[at - 1]?.role === "tool"),
    refused("Unexpected role 'user' after role 'tool'"),
  ],
  [
    "no text in a call (OpenAI's words)",
    (all) => all.some(isNull),
    refused("Invalid value for 'content': expected a string, got null."),
  ],
  [
    "no text in a call (serde)",
    (all) => all.some(isNull),
    refused("messages[2].content: invalid type: null, expected a string", 422),
  ],
  [
    "no text in a call (FastAPI)",
    (all) => all.some(isNull),
    {
      status: 422,
      body: {
        detail: [{ loc: ["body", "messages", 2, "assistant", "content"], msg: "Input should be a valid string" }],
      },
    },
  ],
  [
    "no text in a call (a template)",
    (all) => all.some(isNull),
    refused('can only concatenate str (not "NoneType") to str', 500),
  ],
  [
    "an empty result (Bedrock)",
    (all) => all.some(({ content }) => content === "" || content === null),
    refused("The content field in the Message object at messages.3 is empty. Add content."),
  ],
  [
    "calls without thoughts (DeepSeek)",
    (all) => all.some((each) => calls(each).length > 0 && typeof each.reasoning_content !== "string"),
    refused("The `reasoning_content` in the thinking mode must be passed back to the API."),
  ],
  [
    "thoughts (Groq)",
    (all) => all.some(({ reasoning_content }) => reasoning_content !== undefined),
    refused(
      "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
    ),
  ],
  [
    "thoughts (FastAPI)",
    (all) => all.some(({ reasoning_content }) => reasoning_content !== undefined),
    {
      status: 422,
      body: {
        detail: [
          { loc: ["body", "messages", 2, "assistant", "reasoning_content"], msg: "Extra inputs are not permitted" },
        ],
      },
    },
  ],
  [
    "instructions (Gemma)",
    ([first]) => first?.role === "system",
    refused("Jinja Exception: System role not supported", 500),
  ],
  [
    "long ids (Mistral's template)",
    (all) => all.some((each) => calls(each).some(({ id }) => String(id).length !== 9)),
    refused("Tool call IDs should be alphanumeric strings with length 9!"),
  ],
  [
    "arguments as text (a template)",
    (all) => all.some((each) => calls(each).some((call) => typeof asRecord(call.function).arguments === "string")),
    refused("Can only get item pairs from a mapping.", 500),
  ],
];

function providerOf(url: string, learned = new LearnedRefusals()) {
  const vendor = vendorOf("openai");
  const located = vendor && locate(vendor, { baseUrl: url, key: "k" });
  if (!located?.ok) throw new Error("no address");
  const ports = { clock: new ManualClock(), random: () => 0 };
  const inner = endpointProvider(located.endpoint, { ...ports, learned }, {});
  return { inner, retried: providerAt(located.endpoint, ports) };
}

const request: Partial<ModelRequest> = { model: "m", system: "s", messages: history };

describe("what a server does not take in a conversation", () => {
  it.each(rules)("is written otherwise, and remembered: %s", async (_name, forbids, answer) => {
    server = await strictServer((body) => (forbids(messagesOf(body)) ? answer : says("ok")));
    const learned = new LearnedRefusals();
    expect(joinDeltas(await talk(providerOf(server.url, learned).inner, request), "text")).toBe("ok");
    expect(server.bodies).toHaveLength(2);
    // Another session of the same server.
    expect(endEvent(await talk(providerOf(server.url, learned).inner, request)).stop).toBe("end");
    expect(server.bodies).toHaveLength(3);
    expect(server.bodies[2]).toEqual(server.bodies[1]);
  });

  it("is learned one after another where a server is strict about everything", async () => {
    const all = rules.filter(([name]) => !name.startsWith("calls without"));
    server = await strictServer((body) => all.find(([, forbids]) => forbids(messagesOf(body)))?.[2] ?? says("ok"));
    expect(joinDeltas(await talk(providerOf(server.url).inner, request), "text")).toBe("ok");
  });

  it("is not sent again in the same form: a template that refuses everything is asked as often as there are forms", async () => {
    server = await strictServer(() => refused(JINJA, 500));
    const { failure } = failedEvent(await talk(providerOf(server.url).retried, request));
    expect(failure.kind).toBe("badRequest");
    expect(failure.message).toContain("does not take this conversation");
    expect(server.bodies).toHaveLength(2);
  });

  it("is sent as usual to a server that takes it", async () => {
    server = await strictServer(() => says("ok"));
    await talk(providerOf(server.url).inner, request);
    const roles = messagesOf(server.bodies[0] ?? {}).map(({ role }) => role);
    expect(roles).toEqual(["system", "user", "user", "assistant", "tool", "assistant", "tool", "user"]);
  });
});
