import { type ChatResponse, Ollama } from "ollama";
import { afterEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../../server.ts";
import type { ScenarioInput } from "../../story/scenario.ts";
import { turns } from "../../story/turns.ts";

let server: ModelServer;
afterEach(() => server.close());

async function open(scenario: ScenarioInput): Promise<Ollama> {
  server = await startModelServer({ scenario, flavour: "ollama" });
  return new Ollama({ host: server.url });
}

const messages = [{ role: "user", content: "Hello?" }];

async function stream(client: Ollama, extras: { think?: boolean; options?: { num_ctx: number } } = {}) {
  const lines: ChatResponse[] = [];
  for await (const line of await client.chat({ model: "qwen3:8b", messages, stream: true, ...extras }))
    lines.push(line);
  return lines;
}

describe("the ollama client", () => {
  it("streams thinking, text and calls with object arguments, then the counts", async () => {
    const client = await open({
      turns: [
        {
          thinking: "Which file was it, I wonder?",
          text: "Ich lese die Datei für dich.",
          toolCalls: [{ name: "read", arguments: { file_path: "/a.ts", limit: 5 } }],
          usage: { inputTokens: 812, outputTokens: 44 },
        },
      ],
    });
    const lines = await stream(client);
    expect(lines.map((line) => line.message.thinking ?? "").join("")).toBe("Which file was it, I wonder?");
    expect(lines.map((line) => line.message.content).join("")).toBe("Ich lese die Datei für dich.");
    expect(lines.flatMap((line) => line.message.tool_calls ?? [])).toMatchObject([
      { function: { name: "read", arguments: { file_path: "/a.ts", limit: 5 } } },
    ]);
    expect(lines.slice(0, -1).every((line) => !line.done)).toBe(true);
    expect(lines.at(-1)).toMatchObject({ done: true, done_reason: "stop", prompt_eval_count: 812, eval_count: 44 });
  });

  it("answers in one piece, and hides thinking when asked to", async () => {
    const client = await open({ turns: [turns.say("Yes.", { thinking: "Hm.", repeat: 2 })] });
    const open1 = await client.chat({ model: "m", messages });
    expect(open1.message).toEqual({ role: "assistant", content: "Yes.", thinking: "Hm." });
    const hidden = await client.chat({ model: "m", messages, think: false });
    expect(hidden.message).toEqual({ role: "assistant", content: "Yes." });
  });

  it("cuts a long prompt without a word, at the window it was loaded with", async () => {
    const client = await open({ turns: [turns.say("ok", { usage: { inputTokens: 20_000 }, repeat: 2 })] });
    expect((await stream(client)).at(-1)?.prompt_eval_count).toBe(4096);
    expect((await stream(client, { options: { num_ctx: 32_768 } })).at(-1)?.prompt_eval_count).toBe(20_000);
  });

  it("shows what is loaded with which window, and what the model could take", async () => {
    const client = await open({
      models: [
        { id: "qwen3:8b", trainedTokens: 40_960, capabilities: ["completion", "tools"], parameters: "num_ctx 8192" },
      ],
      turns: [turns.say("ok", { repeat: "always" })],
    });
    expect((await client.ps()).models).toEqual([]);
    await stream(client);
    expect((await client.ps()).models).toMatchObject([{ name: "qwen3:8b", context_length: 8192 }]);
    await stream(client, { options: { num_ctx: 16_384 } });
    expect((await client.ps()).models).toMatchObject([{ name: "qwen3:8b", context_length: 16_384 }]);
    const shown = await client.show({ model: "qwen3:8b" });
    expect(shown).toMatchObject({
      capabilities: ["completion", "tools"],
      parameters: "num_ctx 8192",
      model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
    });
    expect((await client.list()).models.map((model) => model.name)).toEqual(["qwen3:8b"]);
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("loads a model for a chat without messages, and spends no turn", async () => {
    const client = await open({ turns: [turns.say("first")] });
    const loaded = await client.chat({ model: "m", messages: [], options: { num_ctx: 1024 } });
    expect(loaded.done_reason).toBe("load");
    expect((await client.chat({ model: "m", messages })).message.content).toBe("first");
  });

  it("is refused as the real server refuses", async () => {
    const client = await open({ models: [{ id: "plain", capabilities: ["completion"] }], turns: [] });
    await expect(client.chat({ model: "other", messages })).rejects.toThrow("model 'other' not found");
    await expect(client.chat({ model: "plain", messages, think: true })).rejects.toThrow("does not support thinking");
    const tools = [{ type: "function", function: { name: "ls", description: "", parameters: {} } }];
    await expect(client.chat({ model: "plain", messages, tools })).rejects.toThrow("does not support tools");
    const broken = { role: "assistant", content: "", tool_calls: [{ function: { name: "ls", arguments: "{}" } }] };
    const request = { model: "plain", messages: [...messages, broken], stream: false };
    const answer = await fetch(`${server.url}/api/chat`, { method: "POST", body: JSON.stringify(request) });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: expect.stringContaining("cannot unmarshal string") });
  });

  it("throws the error line of a broken stream and the words of a status", async () => {
    const client = await open({
      turns: [
        turns.say("Some words", { fault: { kind: "streamError", message: "CUDA error" } }),
        turns.fail({ kind: "status", status: 503, message: "server busy" }),
      ],
    });
    await expect(stream(client)).rejects.toThrow("CUDA error");
    expect((await stream(client)).at(-1)?.done).toBe(true);
    await expect(stream(client)).rejects.toMatchObject({ status_code: 503, error: "server busy" });
  });

  it("never sees a call that was cut: the answer ends for its length", async () => {
    const client = await open({
      turns: [turns.call("write", { content: "long" }, { fault: { kind: "cutArguments" } })],
    });
    const lines = await stream(client);
    expect(lines.flatMap((line) => line.message.tool_calls ?? [])).toEqual([]);
    expect(lines.at(-1)?.done_reason).toBe("length");
  });
});
