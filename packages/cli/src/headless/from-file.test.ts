import type { SessionUpdate } from "@harness/protocol";
import { expect, it } from "vitest";
import { ReplyLines } from "../repl/reply-lines.ts";
import { noteText } from "../steps/note-text.ts";
import { StepLines } from "../steps/step-lines.ts";
import { AnswerStream } from "./answer-stream.ts";
import { RunReport } from "./run-report.ts";

function update(fact: SessionUpdate["update"]): SessionUpdate {
  return { sessionId: "s", seq: 1, at: "2026-11-21T12:00:00.000Z", agentId: "main", update: fact };
}

const reply = update({
  sessionUpdate: "agent_message",
  messageId: "m",
  parts: [{ type: "text", text: "Said long ago." }],
  stop: "tool_calls",
  provider: "local",
  model: "small",
  fromFile: { of: 1 },
});
const result = update({
  sessionUpdate: "tool_call_update",
  toolCallId: "c",
  status: "completed",
  name: "ls",
  title: "ls",
  outcome: { status: "ok", text: "a", blocks: [], durationMs: 0 },
  fromFile: {},
});

it("prints nothing of messages that were read from their files, and says that there are some", () => {
  let printed = "";
  const stream = new AnswerStream((text) => {
    printed += text;
  });
  const [report, lines, steps] = [new RunReport(), new ReplyLines(), new StepLines()];
  for (const each of [reply, result]) {
    stream.see(each);
    expect(report.see(each)).toBe(false);
    expect([...lines.see(each), ...steps.see(each)]).toEqual([]);
  }
  expect(printed).toBe("");
  expect(report.answer).toBe("");
  const result0 = report.result({ ending: "done", sessionId: "s", isStored: true, durationMs: 1 });
  expect(result0).toMatchObject({ turns: 0 });
  const title = "1 message was added as a file.";
  const rewind = { rewindId: "r", kind: "rewind", turnIds: [], files: [], title, fromFiles: true } as const;
  expect(noteText(update({ sessionUpdate: "rewind_update", ...rewind, turnIds: [], files: [] }))).toBe(title);
});
