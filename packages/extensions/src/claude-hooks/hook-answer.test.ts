import { describe, expect, it } from "vitest";
import { answerOf, type EventAnswer, type HookCommandEnd, mergeAnswers } from "./hook-answer.ts";
import type { HookEvent } from "./hook-event.ts";

const end = (more: Partial<HookCommandEnd> = {}): HookCommandEnd => ({ code: 0, stdout: "", stderr: "", ...more });
const says = (value: unknown) => end({ stdout: JSON.stringify(value) });
const specific = (hookEventName: string, more: object) => says({ hookSpecificOutput: { hookEventName, ...more } });
const nothing = { context: [], warnings: [] };

describe("the answer of a hook in Claude's form", () => {
  it.each<[string, HookEvent, HookCommandEnd, EventAnswer]>([
    ["nothing", "PreToolUse", end(), nothing],
    ["plain words, which nobody asked for", "PreToolUse", end({ stdout: "checked" }), nothing],
    [
      "exit 2 with stderr",
      "PreToolUse",
      end({ code: 2, stderr: "no edits here\n" }),
      { ...nothing, block: "no edits here" },
    ],
    [
      "exit 2 of what has happened already",
      "SessionEnd",
      end({ code: 2, stderr: "late" }),
      { ...nothing, warnings: ["late"] },
    ],
    [
      "another exit code",
      "PreToolUse",
      end({ code: 1, stderr: "trace\nmore" }),
      { ...nothing, warnings: ['The PreToolUse hook "c" in /hooks.json failed with exit code 1: trace'] },
    ],
    [
      "a program that is not executable",
      "PreToolUse",
      end({ code: 126, stderr: "sh: 1: ./guard.sh: Permission denied\n" }),
      {
        ...nothing,
        block:
          'the PreToolUse hook "c" in /hooks.json could not be run: it is not executable: sh: 1: ./guard.sh: Permission denied',
      },
    ],
    [
      "a program that is missing",
      "PreToolUse",
      end({ code: 127, stderr: "sh: 1: guard: not found" }),
      {
        ...nothing,
        block:
          'the PreToolUse hook "c" in /hooks.json could not be run: there is no such command: sh: 1: guard: not found',
      },
    ],
    [
      "the signal of a program that the shell ran",
      "PreToolUse",
      end({ code: 137 }),
      {
        ...nothing,
        block:
          'the PreToolUse hook "c" in /hooks.json was killed by SIGKILL (it was stopped by force, often because memory ran out)',
      },
    ],
    [
      "a code that is not a signal",
      "PreToolUse",
      end({ code: 255 }),
      { ...nothing, warnings: ['The PreToolUse hook "c" in /hooks.json failed with exit code 255'] },
    ],
    [
      "a missing program, of an event that cannot be refused",
      "PostToolUse",
      end({ code: 127 }),
      { ...nothing, warnings: ['the PostToolUse hook "c" in /hooks.json could not be run: there is no such command.'] },
    ],
    [
      "no end in time",
      "PreToolUse",
      end({ code: null, problem: "did not end within 1 s" }),
      { ...nothing, block: 'the PreToolUse hook "c" in /hooks.json did not end within 1 s' },
    ],
    [
      "no end in time, of an event that cannot be refused",
      "Stop",
      end({ code: null, problem: "did not end within 1 s" }),
      { ...nothing, warnings: ['the Stop hook "c" in /hooks.json did not end within 1 s.'] },
    ],
    [
      "deny",
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: "frozen" }),
      { ...nothing, block: "frozen" },
    ],
    ["allow, which changes nothing", "PreToolUse", specific("PreToolUse", { permissionDecision: "allow" }), nothing],
    [
      "ask",
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "ask", permissionDecisionReason: "sure?" }),
      { ...nothing, ask: "sure?" },
    ],
    [
      "other arguments",
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "allow", updatedInput: { command: "ls" } }),
      { ...nothing, updatedInput: { command: "ls" } },
    ],
    [
      "ask without a reason",
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "ask" }),
      { ...nothing, ask: 'the PreToolUse hook "c" in /hooks.json gave no reason' },
    ],
    [
      "deny without a reason",
      "PreToolUse",
      specific("PreToolUse", { permissionDecision: "deny", permissionDecisionReason: " " }),
      { ...nothing, block: 'the PreToolUse hook "c" in /hooks.json gave no reason' },
    ],
    [
      "the older form of deny without a reason",
      "PostToolUse",
      says({ decision: "block" }),
      { ...nothing, block: 'the PostToolUse hook "c" in /hooks.json gave no reason' },
    ],
    [
      "exit 2 without a word",
      "PreToolUse",
      end({ code: 2 }),
      { ...nothing, block: 'the PreToolUse hook "c" in /hooks.json gave no reason' },
    ],
    [
      "a stop without a reason",
      "PreToolUse",
      says({ continue: false }),
      { ...nothing, stop: 'the PreToolUse hook "c" in /hooks.json gave no reason' },
    ],
    ["the older form of deny", "PreToolUse", says({ decision: "block", reason: "old" }), { ...nothing, block: "old" }],
    ["the older form of allow", "PreToolUse", says({ decision: "approve" }), nothing],
    [
      "words for the model about a result",
      "PostToolUse",
      says({
        decision: "block",
        reason: "lint it",
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "3 errors" },
      }),
      { ...nothing, block: "lint it", context: ["3 errors"] },
    ],
    [
      "plain context of a prompt",
      "UserPromptSubmit",
      end({ stdout: "It is Monday.\n" }),
      { ...nothing, context: ["It is Monday."] },
    ],
    [
      "context of a session",
      "SessionStart",
      specific("SessionStart", { additionalContext: "rules" }),
      { ...nothing, context: ["rules"] },
    ],
    [
      "a refused end",
      "Stop",
      says({ decision: "block", reason: "run the tests" }),
      { ...nothing, block: "run the tests" },
    ],
    ["a stop", "PostToolUse", says({ continue: false, stopReason: "enough" }), { ...nothing, stop: "enough" }],
    ["words for the person", "Stop", says({ systemMessage: "by the way" }), { ...nothing, warnings: ["by the way"] }],
    [
      "broken JSON",
      "PreToolUse",
      end({ stdout: "{ broken" }),
      { ...nothing, block: 'the PreToolUse hook "c" in /hooks.json answered with invalid JSON' },
    ],
  ])("the answer of a hook can be %s", (_what, event, ended, wanted) => {
    expect(answerOf(event, { command: "c", path: "/hooks.json" }, ended)).toEqual(wanted);
  });

  it("the answers of several hooks add up: all that object are heard, each sentence once", () => {
    const one = { ...nothing, context: ["a"], ask: "sure?" };
    const two = { ...nothing, block: "no", context: ["b"], warnings: ["w"] };
    expect(mergeAnswers([one, two, { ...nothing, block: "never" }, { ...nothing, block: "no" }])).toEqual({
      block: "no\nnever",
      ask: "sure?",
      context: ["a", "b"],
      warnings: ["w"],
    });
  });
});
