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
  const told: string[] = [];
  const end = Promise.withResolvers<void>();
  const questions = new LineQuestions(({ elicitationId }) => told.push(elicitationId), end.promise);
  return { told, end, questions };
}

describe("questions over lines", () => {
  it.each([
    ["two", { action: "accept", text: "two" }],
    [undefined, { action: "decline" }],
  ])("questions are printed, and answered once: %j", async (answer, wanted) => {
    const { questions, told } = open();
    const asked = questions.ask(question, never);
    expect(told).toEqual(["q"]);
    expect(questions.reply("other", "x")).toBe(false);
    expect(questions.reply("q", answer)).toBe(true);
    expect(questions.reply("q", answer)).toBe(false);
    expect(await asked).toEqual(wanted);
  });

  it("are given up when they are withdrawn, or when no line can come any more", async () => {
    const { questions, end, told } = open();
    const stop = new AbortController();
    const withdrawn = questions.ask(question, stop.signal);
    stop.abort();
    expect(await withdrawn).toEqual({ action: "cancel" });
    expect(await questions.ask(question, stop.signal)).toEqual({ action: "cancel" });
    expect(told).toHaveLength(1);
    const unheard = questions.ask(question, never);
    end.resolve();
    expect(await unheard).toEqual({ action: "cancel" });
    expect(questions.reply("q", "x")).toBe(false);
  });
});
