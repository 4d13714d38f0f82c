// Requests of servers to the user's model, after the user was asked.
import type { ModelAnswer, PersonAnswer, PersonQuestion, SamplingRequest } from "@harness/core";
import { expect, it } from "vitest";
import { answeringModel } from "./answering-model.ts";

const never = new AbortController().signal;
const user = (text: string) => ({ role: "user", content: { type: "text", text } });
const YES: PersonAnswer = { optionId: "yes" };

/** Asks with a user and a model that give these answers. */
async function sampled(params: Record<string, unknown>, person: PersonAnswer | undefined = YES, model?: ModelAnswer) {
  const asked: PersonQuestion[] = [];
  const sent: SamplingRequest[] = [];
  const notes: string[] = [];
  const sample = answeringModel(
    {
      ask: async (question) => {
        asked.push(question);
        return person;
      },
      askModel: async (question) => {
        sent.push(question);
        return model ?? { text: "four STOP five", model: "m", isWhole: true };
      },
    },
    notes,
  );
  const answer = await sample({ server: "s\u001b[2J", params }, never);
  return { answer, asked, sent, notes };
}

it("the person sees who asks, for how much, and everything that would be sent", async () => {
  const { answer, asked, sent, notes } = await sampled({
    messages: [user("two and\ntwo?"), { role: "assistant", content: [{ type: "text", text: "3" }] }, user("really?")],
    systemPrompt: "You count.",
    maxTokens: 7,
    temperature: 0.1,
  });
  expect(asked[0]?.message).toBe(
    [
      "The MCP server s [2J asks your model for an answer of at most 7 tokens. It would send:",
      "  system: You count.",
      "  user: two and",
      "  two?",
      "  assistant: 3",
      "  user: really?",
    ].join("\n"),
  );
  expect(sent).toEqual([
    {
      system: "You count.",
      messages: [
        { role: "user", text: "two and\ntwo?" },
        { role: "assistant", text: "3" },
        { role: "user", text: "really?" },
      ],
      maxOutputTokens: 7,
      temperature: 0.1,
    },
  ]);
  expect(answer).toEqual({ text: "four STOP five", model: "m", stopReason: "endTurn" });
  expect(notes).toEqual(["(The server asked the model, as the person allowed, and got 14 characters of m.)"]);
});

it("an answer has no more tokens than harness gives, ends where the server wants it to, and says where it was cut", async () => {
  const ends = await sampled({ messages: [user("x")], maxTokens: 1e9, stopSequences: [" STOP"] });
  expect(ends.sent[0]?.maxOutputTokens).toBe(4_000);
  expect(ends.answer).toEqual({ text: "four", model: "m", stopReason: "stopSequence" });
  const cut = await sampled({ messages: [user("x")] }, YES, { text: "a", model: "m", isWhole: false });
  expect(cut.answer).toMatchObject({ stopReason: "maxTokens" });
});

it("what is long is shown in part, with how much more there is", async () => {
  const { asked } = await sampled({ messages: [user("x".repeat(10_000))] });
  expect(asked[0]?.message.length).toBeLessThan(4_500);
  expect(asked[0]?.message).toMatch(/\n\(6006 more characters\)$/);
});

it.each([
  ["that sends no message", { messages: [] }, "It sends no message"],
  [
    "that sends a picture",
    { messages: [{ role: "user", content: { type: "image", data: "" } }] },
    "something other than text",
  ],
  ["that wants tools to be used", { messages: [user("x")], tools: [{ name: "bash" }] }, "use tools"],
])("a request %s is refused without a question", async (_, params, words) => {
  const { answer, asked, sent, notes } = await sampled(params);
  expect([asked, sent]).toEqual([[], []]);
  expect(answer).toEqual({ refused: expect.stringContaining(words) });
  expect(notes[0]).toContain(words);
});

it.each<[string, PersonAnswer, string]>([
  ["does not allow it", { optionId: "no" }, "The person did not allow it"],
  ["cannot be asked", { unanswered: "no_client" }, "Nobody can be asked here"],
  ["does not answer in time", { unanswered: "expired" }, "Nobody answered in time"],
])("nothing is sent to the model where the person %s", async (_, person, words) => {
  const { answer, sent, notes } = await sampled({ messages: [user("x")] }, person);
  expect(sent).toEqual([]);
  expect(answer).toEqual({ refused: words });
  expect(notes).toEqual([`(The server asked the model for an answer. ${words}, so it got none.)`]);
});

it("a model that fails is a refusal with its words", async () => {
  const { answer } = await sampled({ messages: [user("x")] }, YES, { problem: "The model failed: no" });
  expect(answer).toEqual({ refused: "The model failed: no" });
});
