import { cancelledResult, defineTool, errorResult, okResult, type ToolContext, type ToolResult } from "@harness/core";
import type { SandboxView } from "@harness/gate";
import { shellQuoted } from "@harness/host";
import type { Effect, ProcessView } from "@harness/protocol";
import { exitCodeInWords, signalInWords } from "@harness/protocol";
import * as z from "zod";
import { type BackgroundProcess, INTERRUPT } from "./background/background-process.ts";
import type { BackgroundProcesses } from "./background/background-processes.ts";
import { LineWatch } from "./background/line-watch.ts";
import { newOutput } from "./background/new-output.ts";
import { oneLine } from "./text/one-line.ts";

const MAX_WAIT_MS = 300_000;
/** The time that sent text gets to show an effect. */
const ECHO_MS = 1_000;

const args = z.strictObject({
  action: z.enum(["list", "output", "send", "stop"]).describe("output: what is new since the last look"),
  id: z.string().optional().describe("Of the process, such as p1; not for list"),
  input: z.string().optional().describe("For send; end a line with a newline"),
  pattern: z.string().optional().describe("For output: wait for a line that matches, and tell me if it comes later"),
  wait_ms: z.int().optional().describe("For output: how long to wait for something new"),
});
type ProcessArgs = z.infer<typeof args>;

type ProcessOptions = {
  readonly processes?: BackgroundProcesses | undefined;
  /** The session's sandbox; absent: there is none. */
  readonly sandbox?: SandboxView | undefined;
};

/** The tool for the background processes that `bash` has started. */
export function createProcess(options: ProcessOptions) {
  const { processes } = options;
  /**
   * The process that would be sent something; undefined: the call only reads, or it stops or interrupts something that
   * the agent may have started.
   */
  const receiver = ({ action, id, input }: ProcessArgs) =>
    action === "send" && input !== INTERRUPT ? processes?.find(id ?? "") : undefined;
  return defineTool<ProcessArgs>({
    name: "process",
    description: "Lists background processes, shows what they print, sends them input, and stops them.",
    args,
    category: "readOnly",
    categoryOf: (call) => (receiver(call) === undefined ? "readOnly" : "destructive"),
    offer: "with-processes",
    // Text sent to a shell or another interpreter is run in the folder of that program.
    effects: (call, cwd) => {
      const found = receiver(call);
      return found ? [sending(found, call.input ?? "", cwd, options)] : [];
    },
    concurrency: ({ action }) => (action === "send" || action === "stop" ? "alone" : "by-effects"),
    title: ({ action, id = "", input = "" }) => oneLine(`process ${action} ${id} ${input}`),
    async run(call, context): Promise<ToolResult> {
      if (context.signal.aborted) return cancelledResult("nothing was done.");
      if (call.action === "list") return list(await (processes?.views() ?? []));
      const found = processes?.find(call.id ?? "");
      if (!processes || !found) return unknown(call.id, processes);
      if (call.action === "stop") return stop(found, processes);
      return call.action === "send" ? send(found, call, context) : output(found, call, context);
    },
  });
}

function sending(found: BackgroundProcess, input: string, cwd: string, { sandbox }: ProcessOptions): Effect {
  const { command, received } = found;
  const group = /[;&|<>$`\n\r(){}#]/.test(command) ? `{\n${command}\n}` : command;
  // A process found again may have started before the sandbox was wanted or tested.
  const isOutside =
    !found.isContained && sandbox !== undefined && sandbox.wanted !== "off" && sandbox.why === undefined;
  return {
    kind: "run",
    command: `printf %s ${shellQuoted(input)} | ${group}`,
    cwd: found.cwd ?? cwd,
    ...(isOutside ? { outside: true } : {}),
    sent: { to: command, text: input, ...(received === undefined ? {} : { before: received }) },
  };
}

function list(views: readonly ProcessView[]): ToolResult {
  if (views.length === 0) return okResult("Nothing runs in the background.", []);
  const lines = views.map((view) => {
    const ports = view.ports.length > 0 ? `, port ${view.ports.join(", ")}` : "";
    return `${view.processId}: ${stateText(view)}${ports}: ${oneLine(view.command)}\n  ${view.lastLine}`.trimEnd();
  });
  return okResult(lines.join("\n"), [
    {
      type: "list",
      items: views.map((view) => ({ text: `${view.processId} ${view.command}`, detail: stateText(view) })),
    },
  ]);
}

function stateText({ state, exitCode, signal }: Pick<ProcessView, "state" | "exitCode" | "signal">): string {
  if (state !== "exited") return state;
  if (signal !== undefined) return `ended by ${signalInWords(signal)}`;
  return exitCode === undefined ? "ended" : `ended with exit code ${exitCodeInWords(exitCode)}`;
}

function unknown(id: string | undefined, processes: BackgroundProcesses | undefined): ToolResult {
  const names = [...(processes?.running() ?? [])].map(({ processId }) => processId);
  const known = names.length === 0 ? "Nothing runs in the background." : `Running: ${names.join(", ")}.`;
  return errorResult(
    id === undefined
      ? `Name the process with \`id\`. ${known}`
      : `There is no process \`${id.slice(0, 50)}\`. ${known}`,
  );
}

async function stop(found: BackgroundProcess, processes: BackgroundProcesses): Promise<ToolResult> {
  if (found.end) return okResult(`${found.processId} has ended already: ${stateText(found.state)}.`, []);
  await processes.stop(found, "agent");
  return processResult(found, newOutput(found), "[stopped, with everything it had started]");
}

async function send(found: BackgroundProcess, { input = "" }: ProcessArgs, context: ToolContext): Promise<ToolResult> {
  if (input === "") return errorResult("Give `input`: the text to send.");
  const before = found.output.end;
  const problem = await found.send(input);
  if (problem !== undefined) return errorResult(`${found.processId} got no input: ${problem}.`);
  if (found.output.end === before) await found.news(ECHO_MS, context.signal);
  return processResult(found, newOutput(found), noteOn(found));
}

async function output(found: BackgroundProcess, call: ProcessArgs, { signal }: ToolContext): Promise<ToolResult> {
  const deadline = performance.now() + Math.min(call.wait_ms ?? 0, MAX_WAIT_MS);
  if (call.pattern !== undefined && !found.end) {
    const lineWatch = await LineWatch.create(call.pattern, found.seen);
    if ("problem" in lineWatch)
      return errorResult(`The pattern is not a valid regular expression: ${lineWatch.problem}.`);
    found.isAwaited = true;
    found.watchFor(lineWatch);
  }
  const isThere = () => (call.pattern === undefined ? found.output.end > found.seen : found.matched !== undefined);
  while (!found.end && !signal.aborted && !isThere() && performance.now() < deadline) {
    await found.news(deadline - performance.now(), signal);
  }
  found.isAwaited = false;
  const later = call.pattern !== undefined && found.matched === undefined && !found.end;
  return processResult(
    found,
    newOutput(found),
    later ? "[no line matches so far; you are told when one does]" : noteOn(found),
  );
}

function noteOn({ end, state }: BackgroundProcess): string {
  return end ? `[${stateText(state)}]` : "[still running]";
}

function processResult({ command, processId, end }: BackgroundProcess, text: string, note: string): ToolResult {
  const block = { type: "terminal" as const, command, output: text, durationMs: 0 };
  const how = end?.signal ? { signal: end.signal } : {};
  const running = end ? {} : { processId };
  return okResult([text || "(nothing new)", note].join("\n"), [
    { ...block, exitCode: end?.exitCode ?? null, ...how, ...running },
  ]);
}
