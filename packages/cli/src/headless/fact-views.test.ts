import type { SessionUpdate } from "@harness/protocol";
import { updateViewContract } from "@harness/testkit";
import { afterAll, beforeAll, vi } from "vitest";
import { ReplyLines } from "../repl/reply-lines.ts";
import { StepLines } from "../steps/step-lines.ts";
import { AnswerStream } from "./answer-stream.ts";
import { RunOutput } from "./run-output.ts";
import { RunReport } from "./run-report.ts";

/** Gets what is written to stdout and stderr. */
let written: string[] = [];
beforeAll(() => {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    // Each output listens for the end of the process's streams.
    vi.spyOn(stream, "on").mockReturnThis();
  }
});
afterAll(() => vi.restoreAllMocks());

updateViewContract({
  name: "the report of a run",
  open() {
    const view = new RunReport();
    const end = { ending: "done", sessionId: "s1", isStored: true, durationMs: 5 } as const;
    return { view, kept: () => [view.result(end), view.ending, view.agentsAtWork] };
  },
});

updateViewContract({
  name: "answers as they come",
  open() {
    let text = "";
    const view = new AnswerStream((more) => {
      text += more;
    });
    return { view, kept: () => text };
  },
});

updateViewContract({
  name: "replies in whole lines",
  open() {
    const lines: string[] = [];
    const replies = new ReplyLines();
    // Trailing space does not count.
    const kept = () => lines.join("\n").split(/[ \t\r]*\n/);
    return { view: { see: (update) => lines.push(...replies.see(update)) }, kept };
  },
});

updateViewContract({
  name: "steps in lines",
  open() {
    const lines: string[] = [];
    const steps = new StepLines();
    return { view: { see: (update) => lines.push(...steps.see(update)) }, kept: () => lines };
  },
});

for (const format of ["text", "stream-json"] as const) {
  const usual = { format, streams: format === "text", partial: false, verbose: true, steps: false, quiet: false };
  updateViewContract({
    name: `the output of a run as ${format}`,
    open() {
      const own: string[] = [];
      const output = new RunOutput({ ...usual, onBroken: () => undefined });
      const see = (update: SessionUpdate): void => {
        written = own;
        output.see(update);
      };
      written = own;
      output.init({});
      return { view: { see }, kept: () => own.join("").trimEnd().split(/\s*\n/) };
    },
  });
}
