import { call, calling, MemorySession, probeTool, type Script, saying } from "@harness/testkit";
import { expect, it } from "vitest";

const sample = probeTool("sample", async ({ text = "What?" }, { askModel, signal }) => {
  const question = { system: "For a server.", messages: [{ role: "user" as const, text: String(text) }] };
  const ask = () => askModel?.({ ...question, maxOutputTokens: 50, temperature: 0.5 }, signal);
  const answers = [await ask(), await ask()];
  return { status: "ok", text: JSON.stringify(answers), blocks: [] };
});
const results = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [JSON.parse(outcome.text)] : []));
const usage = { inputTokens: 100, outputTokens: 10 };
const script: Script = ({ system, messages }) => {
  if (system === "For a server.") return saying("an answer", { usage });
  return messages.at(-1)?.role === "tool" ? saying("ok") : calling(call("a", "sample", {}));
};

it("a model's answers for an extension are requested last, within its limits, and all their costs are counted", async () => {
  const memory = new MemorySession({ script, tools: [sample] });
  await memory.say("go");
  const [first] = results(memory);
  expect(first).toEqual(Array(2).fill({ text: "an answer", model: expect.any(String), isWhole: true }));
  expect(memory.provider.requests[1]).toMatchObject({
    system: "For a server.",
    messages: [{ role: "user", content: [{ type: "text", text: "What?" }] }],
    maxOutputTokens: 50,
    temperature: 0.5,
    tools: [],
    priority: "background",
  });
  const { live, folded, client } = memory.states;
  expect(live).toMatchObject({ requests: 4, usage: { inputTokens: 200, outputTokens: 20 } });
  expect(folded).toEqual(live);
  expect(client).toEqual(live);
});

it("what is too long for the context window is not sent, and a failure of the model is a sentence", async () => {
  const long = new MemorySession({
    script: ({ messages }) =>
      messages.at(-1)?.role === "tool" ? saying("ok") : calling(call("a", "sample", { text: "x".repeat(1_000_000) })),
    tools: [sample],
  });
  await long.say("go");
  expect(long.provider.requests.every(({ system }) => system !== "For a server.")).toBe(true);
  expect(results(long)[0][0].problem).toContain("It is too long");
  const broken = new MemorySession({
    script: (request, n) =>
      request.system === "For a server."
        ? [{ type: "failed", failure: { kind: "refused", message: "no" } }]
        : script(request, n),
    tools: [sample],
  });
  await broken.say("go");
  expect(results(broken)[0][0]).toEqual({ problem: "The model failed: no" });
});

it("a cancel ends it with the call", async () => {
  const memory = new MemorySession({
    script: (request, n) =>
      request.system === "For a server."
        ? [{ type: "until", promise: new Promise(() => undefined) }]
        : script(request, n),
    tools: [sample],
  });
  memory.prompt("go");
  await memory.untilRequests(2);
  memory.session.cancel();
  await memory.session.idle();
  expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "cancelled" });
});
