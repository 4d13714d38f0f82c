import { describe, expect, it } from "vitest";
import { OpenQuestions, type QuestionAnswer } from "./open-questions.ts";

const question = {
  sessionId: "s",
  elicitationId: "q",
  agentId: "main",
  message: "Which?",
  options: [],
  freeText: true,
};
const never = new AbortController().signal;

describe("an open question", () => {
  it.each<QuestionAnswer>([{ action: "accept", text: "two" }, { action: "decline" }])(
    "is answered once: %j",
    async (answer) => {
      const questions = new OpenQuestions();
      const asked = questions.ask(question, never);
      expect(questions.answer("other", answer)).toBe(false);
      expect(questions.answer("q", answer)).toBe(true);
      expect(questions.answer("q", answer)).toBe(false);
      expect(await asked).toEqual(answer);
    },
  );

  it("ends when it is withdrawn, or when no more answers can come", async () => {
    const questions = new OpenQuestions();
    const stop = new AbortController();
    const withdrawn = questions.ask(question, stop.signal);
    stop.abort();
    expect(await withdrawn).toEqual({ action: "cancel" });
    expect(await questions.ask(question, stop.signal)).toEqual({ action: "cancel" });
    const unheard = questions.ask(question, never);
    questions.end();
    expect(await unheard).toEqual({ action: "cancel" });
    expect(questions.answer("q", { action: "decline" })).toBe(false);
    expect(await questions.ask(question, never)).toEqual({ action: "cancel" });
  });
});
