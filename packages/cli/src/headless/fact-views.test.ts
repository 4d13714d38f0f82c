import { updateViewContract } from "@harness/testkit";
import { ReplyLines } from "../repl/reply-lines.ts";
import { StepLines } from "../steps/step-lines.ts";
import { AnswerStream } from "./answer-stream.ts";
import { RunReport } from "./run-report.ts";

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
