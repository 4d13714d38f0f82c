import { describe, expect, it } from "vitest";
import { callArguments } from "../../loop/calls/call-arguments.ts";
import type { Input } from "../argument-names.ts";
import { questionTool } from "../question.ts";
import { questionForms } from "./question-forms.ts";

const tool = questionTool(async () => ({ status: "ok", text: "x", blocks: [] }));
const taken = (name: string, input: Input) => {
  const alias = questionForms.find((each) => each.name === name);
  return callArguments({ input }, tool, alias);
};

describe("questions as other agents ask them", () => {
  it.each<[program: string, name: string, input: Input, args: Input]>([
    ["ours", "question", { question: "Which?", answers: ["a", "b"] }, { question: "Which?", answers: ["a", "b"] }],
    [
      "ours, with descriptions",
      "question",
      { question: "Which?", answers: [{ label: "a", description: "first" }, "b"], several: true },
      { question: "Which?", answers: [{ name: "a", description: "first" }, "b"], several: true },
    ],
    [
      "ours, as a weak model calls it",
      "question",
      { question: "Which?", options: ["a"] },
      { question: "Which?", answers: ["a"] },
    ],
    [
      "Claude Code",
      "AskUserQuestion",
      {
        questions: [
          {
            question: "Which database?",
            header: "Database",
            options: [
              { label: "Postgres", description: "A server", preview: "x" },
              { label: "SQLite", description: "" },
            ],
            multiSelect: false,
          },
          { question: "Which parts?", header: "Parts", options: [{ label: "a" }, { label: "b" }], multiSelect: true },
        ],
      },
      {
        question: "Which database?",
        header: "Database",
        answers: [{ name: "Postgres", description: "A server" }, "SQLite"],
        several: false,
        more: [{ question: "Which parts?", header: "Parts", answers: ["a", "b"], several: true }],
      },
    ],
    [
      "Codex",
      "request_user_input",
      {
        questions: [
          { id: "db", header: "Database", question: "Which?", options: [{ label: "a", description: "first" }] },
          { id: "why", header: "Why", question: "Why?", options: null, isOther: true, isSecret: false },
        ],
      },
      {
        question: "Which?",
        header: "Database",
        answers: [{ name: "a", description: "first" }],
        more: [{ question: "Why?", header: "Why" }],
      },
    ],
    [
      "Gemini",
      "ask_user",
      {
        questions: [
          { question: "Sure?", header: "Sure", type: "yesno" },
          { question: "Name?", header: "Name", type: "text", placeholder: "a name" },
        ],
      },
      { question: "Sure?", header: "Sure", answers: ["Yes", "No"], more: [{ question: "Name?", header: "Name" }] },
    ],
    [
      "opencode",
      "question",
      { questions: [{ question: "Which?", header: "H", options: [{ label: "a", description: "d" }], multiple: true }] },
      { question: "Which?", header: "H", answers: [{ name: "a", description: "d" }], several: true },
    ],
    [
      "pi",
      "questionnaire",
      {
        questions: [
          {
            id: "q",
            label: "Scope",
            prompt: "How far?",
            options: [{ value: "all", label: "All of it" }],
            allowOther: true,
          },
        ],
      },
      { question: "How far?", header: "Scope", answers: ["All of it"] },
    ],
    [
      "a list in a string",
      "AskUserQuestion",
      { questions: '[{"question":"Which?","options":"[\\"a\\"]"}]' },
      { question: "Which?", answers: ["a"] },
    ],
    [
      "Cline",
      "ask_followup_question",
      { question: "Which?", follow_up: [{ text: "a" }] },
      { question: "Which?", answers: ["a"] },
    ],
  ])("questions as other agents ask them: %s", (_program, name, input, args) => {
    expect(taken(name, input)).toMatchObject({ args, notes: [] });
  });

  it("a secret is not asked for", () => {
    expect(taken("request_user_input", { questions: [{ question: "Token?", isSecret: true }] })).toMatchObject({
      shown: "no argument isSecret",
    });
  });

  it("what is missing is named", () => {
    expect(taken("AskUserQuestion", { questions: [] })).toMatchObject({ shown: "missing question" });
    expect(taken("AskUserQuestion", { questions: [{ header: "H" }] })).toMatchObject({ shown: "missing question" });
  });
});
