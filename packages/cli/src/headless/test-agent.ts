import type { LocalServer } from "@harness/client";
import type { CommandLine } from "../command-line/command-line.ts";
import { printNote } from "../process/print-note.ts";
import { runHeadless } from "./run-headless.ts";
import type { RunResult } from "./run-result.ts";

const TASK =
  "Say in a few sentences what you are for, how you would go about it, and which of your tools you would use.";

/** `harness agents test NAME [TASK]`: the named agent does a task once, and nothing of it is stored. */
export function testAgent(line: CommandLine, startServer: (cwd: string) => Promise<LocalServer>): Promise<number> {
  const [name, ...words] = line.positionals;
  const task: CommandLine = {
    ...line,
    positionals: words.length > 0 ? words : [TASK],
    has: (flag) => flag === "ephemeral" || line.has(flag),
    value: (flag) => (flag === "agent" ? name : line.value(flag)),
  };
  return runHeadless(task, startServer, (result) => {
    if (!line.has("quiet")) printNote(`harness: ${summary(result)}`);
  });
}

/** The cost of a run: tools, requests, tokens, money and time. */
function summary({ tools, permissionDenials, turns, usage, cost, durationMs }: RunResult): string {
  const used = Object.entries(tools).map(([tool, calls]) => (calls === 1 ? tool : `${tool} (${calls} times)`));
  const denied = permissionDenials.length === 0 ? "" : `, ${permissionDenials.length} denied`;
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  const money = cost.unpricedRequests > 0 ? "cost unknown" : cost.usd === 0 ? "free" : `$${cost.usd.toFixed(4)}`;
  return [
    `Tools: ${used.join(", ") || "none"}${denied}`,
    `${turns} ${turns === 1 ? "request" : "requests"}`,
    `${tokens.toLocaleString("en-US")} tokens`,
    money,
    `${(durationMs / 1000).toFixed(1)} s`,
  ].join(" · ");
}
