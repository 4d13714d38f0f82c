import { describe, expect, it } from "vitest";
import { LineQuestions } from "./line-questions.ts";

const question = {
  sessionId: "s",
  elicitationId: "q",
  agentId: "main",
  message: "Which?",
  options: [],
  freeText: true,
};
const never = new AbortController().signal;

function open() {
  const announced: string[] = [];
  const end = Promise.withResolvers<void>();
  const questions = new LineQuestions(({ elicitationId }) => announced.push(elicitationId), end.promise);
  return { announced, end, questions };
}

describe("a question over JSON lines", () => {
  it.each([
    ["two", { action: "accept", text: "two" }],
    [undefined, { action: "decline" }],
  ])("is announced, and answered once: %j", async (answer, wanted) => {
    const { questions, announced } = open();
    const asked = questions.ask(question, never);
    expect(announced).toEqual(["q"]);
    expect(questions.reply("other", "x")).toBe(false);
    expect(questions.reply("q", answer)).toBe(true);
    expect(questions.reply("q", answer)).toBe(false);
    expect(await asked).toEqual(wanted);
  });

  it("ends when it is withdrawn, or when no more lines can come", async () => {
    const { questions, end, announced } = open();
    const stop = new AbortController();
    const withdrawn = questions.ask(question, stop.signal);
    stop.abort();
    expect(await withdrawn).toEqual({ action: "cancel" });
    expect(await questions.ask(question, stop.signal)).toEqual({ action: "cancel" });
    expect(announced).toHaveLength(1);
    const unheard = questions.ask(question, never);
    end.resolve();
    expect(await unheard).toEqual({ action: "cancel" });
    expect(questions.reply("q", "x")).toBe(false);
  });
});
