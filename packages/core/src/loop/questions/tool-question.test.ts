// A tool that asks the user something while it works.
import { call, calling, MemorySession, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { PersonAnswer } from "../../ports/tool.ts";

const question = { message: "Which one?", options: [{ optionId: "a", name: "The first" }], freeText: true };

/** A session whose tool asks, and the answer that the tool got. */
async function asked(answer?: (memory: MemorySession) => void) {
  const answers: PersonAnswer[] = [];
  const tool = probeTool("probe", async (_args, context) => {
    const answer = await context.ask?.(question, context.signal);
    if (answer) answers.push(answer);
    return { status: "ok", text: "done", blocks: [] };
  });
  const memory = new MemorySession({ script: [calling(call("a", "probe", {})), saying("ok")], tools: [tool] });
  answer?.(memory);
  await memory.say("go");
  return { answers, memory };
}

describe("a tool that asks the person", () => {
  it("gets the option that was chosen, while its agent is shown as waiting", async () => {
    const { answers, memory } = await asked((session) => {
      session.ports.asker.onQuestion = () => "the first";
    });
    expect(answers).toEqual([{ optionId: "a" }]);
    expect(memory.ports.asker.questions).toMatchObject([{ ...question, agentId: "main" }]);
    expect(memory.facts("state_update").map(({ state }) => state)).toContain("requires_action");
  });

  it("gets another text where one was typed", async () => {
    const { answers } = await asked((session) => {
      session.ports.asker.onQuestion = () => "neither";
    });
    expect(answers).toEqual([{ text: "neither" }]);
  });

  it("learns that nobody can be asked", async () => {
    const { answers } = await asked((session) => {
      session.ports.asker.canAskQuestion = () => false;
    });
    expect(answers).toEqual([{ unanswered: "no_client" }]);
  });
});
