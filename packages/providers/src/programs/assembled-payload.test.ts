import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage } from "@harness/core";
import { endEvent, failedEvent, talk } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { realClock } from "../../test/clocks.ts";
import { createProvider } from "../../test/create-provider.ts";
import { VendorFiles } from "../vendor-files/vendor-files.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "harness payloads ")));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program that keeps what it reads, prints the reply, and says this of itself. */
function write(name: string, reply: object | string, { defaults = "model=m", env = "", more = "" } = {}): void {
  writeFileSync(join(folder, "reply.json"), typeof reply === "string" ? reply : JSON.stringify(reply, null, 2));
  const script = `#!/bin/sh
case "$1" in
--describe) echo "Program of ours" ;; --defaults) echo "${defaults}" ;; --env) echo "${env}" ;; --ready) ;;
*) echo "$*" > '${folder}/args.txt'; cat > '${folder}/read.json'; cat '${folder}/reply.json' ;;
esac
${more}
`;
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
}

async function connect(name: string) {
  const from = { folders: [folder], env: { PATH: process.env.PATH }, clock: realClock };
  const { all, problems } = await new VendorFiles().load(from);
  expect(problems).toEqual([]);
  const vendor = all.find((each) => each.program === join(folder, name));
  if (!vendor) throw new Error(`no ${name}`);
  return createProvider(vendor, { env: from.env, clock: realClock, random: () => 0 });
}

const read = () => JSON.parse(readFileSync(join(folder, "read.json"), "utf8"));
const args = () => readFileSync(join(folder, "args.txt"), "utf8").trim();

const ls = {
  name: "ls",
  description: "Lists.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};
const text = (words: string) => ({ type: "text" as const, text: words });
const conversation: ModelMessage[] = [
  { role: "user", content: [text("Look.")] },
  {
    role: "assistant",
    provider: "another",
    model: "m",
    parts: [text("Let me see."), { type: "tool_call", toolCallId: "c1", name: "ls", input: { path: "." } }],
  },
  { role: "tool", toolCallId: "c1", name: "ls", text: "a.txt", isError: false },
  { role: "user", content: [text("And?"), text("Now.")] },
];
const request = { model: "big", system: "Be brief.", messages: conversation, tools: [ls] };

const completion = (content: string) => ({ choices: [{ message: { content }, finish_reason: "stop" }] });
/** As programs put a streamed reply together again: without `type`. */
const message = (words: string) => ({
  model: "m",
  stop_reason: "end_turn",
  usage: { output_tokens: 1 },
  content: [text(words)],
});

const anthropic = [
  { role: "user", content: "Look." },
  {
    role: "assistant",
    content: [text("Let me see."), { type: "tool_use", id: "c1", name: "ls", input: { path: "." } }],
  },
  {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c1", content: "a.txt" }, text("And?"), text("Now.")],
  },
];
const call = { id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } };
const chat = [
  { role: "user", content: "Look." },
  { role: "assistant", content: "Let me see.", tool_calls: [call] },
  { role: "tool", tool_call_id: "c1", content: "a.txt" },
  { role: "user", content: "And?\n\nNow." },
];

describe("a provider program that names no protocol", () => {
  it("reads model, system text, messages and tools in Anthropic's form, and nothing else", async () => {
    write("mine", message("Hi."));
    expect(endEvent(await talk(await connect("mine"), request))).toMatchObject({ stop: "end", parts: [text("Hi.")] });
    expect(read()).toEqual({
      model: "big",
      system: "Be brief.",
      messages: anthropic,
      tools: [{ name: "ls", description: "Lists.", input_schema: ls.inputSchema }],
    });
  });

  it.each<[string, string, string, unknown]>([
    ["openai", "", "", chat],
    ["anthropic", "", "", anthropic],
    ["claude", "", "", anthropic],
    ["groq", "", "", chat],
    ["mine", "MINE_URL endpoint (https://llm.example/v1/chat/completions)", "", chat],
    ["mine", "MINE_URL endpoint (https://llm.example/v1/messages)", "", anthropic],
    ["mine", "", "# curl https://llm.example/v1/chat/completions", chat],
    ["mine.sh", "", "", anthropic],
  ])("gets the messages of the API that it calls: %s %s %s", async (name, env, more, expected) => {
    write(name, completion("Hi."), { env, more });
    await talk(await connect(name), request);
    expect(read().messages).toEqual(expected);
    expect(read().tools[0]).toHaveProperty("input_schema");
  });

  it("gets Responses' items, or Ollama's messages, where it calls those", async () => {
    write("chatgpt", { object: "response", status: "completed", output: [] });
    await talk(await connect("chatgpt"), request);
    expect(read().messages.map(({ type }: { type: string }) => type)).toEqual([
      ...["message", "message", "function_call", "function_call_output", "message"],
    ]);
    write("ollama", { message: { content: "Hi." }, done: true });
    await talk(await connect("ollama"), request);
    expect(read().messages[2]).toMatchObject({ role: "tool", tool_name: "ls", content: "a.txt" });
  });

  it("gets messages in the form of its own last reply", async () => {
    write("mine", completion("Hi."));
    const provider = await connect("mine");
    await talk(provider, request);
    expect(read().messages).toEqual(anthropic);
    await talk(provider, request);
    expect(read().messages).toEqual(chat);
  });

  it("is run with --stream when its text mentions that, or its defaults ask for it", async () => {
    write("mine", message("Hi."));
    await talk(await connect("mine"), request);
    expect(args()).toBe("");
    write("mine", message("Hi."), { more: "# takes --stream" });
    await talk(await connect("mine"), request);
    expect(args()).toBe("--stream");
    write("mine", message("Hi."), { defaults: "stream=always" });
    await talk(await connect("mine"), request);
    expect(args()).toBe("--stream");
    write("mine", message("Hi."), { defaults: "stream=no", more: "# takes --stream" });
    await talk(await connect("mine"), request);
    expect(args()).toBe("");
  });

  it("names the tools of the conversation even if none may be used now", async () => {
    write("mine", message("Hi."));
    await talk(await connect("mine"), { ...request, tools: [] });
    expect(read().tools).toEqual([{ name: "ls", input_schema: { type: "object" } }]);
    await talk(await connect("mine"), { ...request, tools: [], messages: conversation.slice(0, 1) });
    expect(read().tools).toEqual([]);
  });

  it.each<[string, string | object, string, string]>([
    ["in words", { error: "rate limit exceeded", error_type: "rate_limit" }, "rateLimit", "rate limit exceeded"],
    [
      "of the API",
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      "network",
      "Overloaded",
    ],
  ])("reports an error %s", async (_name, reply, kind, words) => {
    write("mine", reply);
    const { failure } = failedEvent(await talk(await connect("mine"), request));
    expect(failure).toMatchObject({ message: expect.stringContaining(words) });
    expect([kind, failure.kind]).toEqual([kind, kind]);
  });
});

describe("a provider program that names a protocol", () => {
  it("reads the request of that protocol", async () => {
    write("mine", completion("Hi."), { defaults: "protocol=openai" });
    await talk(await connect("mine"), request);
    expect(read()).toMatchObject({ model: "big", stream: true, tools: [{ type: "function" }] });
    expect(read().messages[0]).toEqual({ role: "system", content: "Be brief." });
    expect(args()).toBe("--stream");
  });

  it("names it in the .conf file beside it, too, which wins over its own words", async () => {
    write("mine", completion("Hi."), { defaults: "model=own" });
    writeFileSync(join(folder, "mine.conf"), "protocol=openai\ndescription=Ours\nauth_env=OUR_KEY\n");
    await talk(await connect("mine"), request);
    expect(read().tools).toMatchObject([{ type: "function" }]);
    const from = { folders: [folder], env: { PATH: process.env.PATH }, clock: realClock };
    const { of } = await new VendorFiles().load(from);
    expect(of("mine")).toMatchObject({ name: "Ours", defaultModel: "own", programEnv: ["OUR_KEY"], keyEnv: "OUR_KEY" });
  });
});
