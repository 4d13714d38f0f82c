import type { ModelMessage, ToolSpec } from "@harness/core";
import type { AgentPart, ToolCallPart } from "@harness/protocol";
import type { Probe } from "./probe.ts";
import type { ProbeRunner } from "./probe-runner.ts";
import { canCall, toolModeOf } from "./tool-mode.ts";
import { failedProbe, type ProbeVerdict, passedProbe, quoted, skippedProbe } from "./verdict.ts";

// How a model uses tools in the mode in which the loop will offer them.

const getWeather: ToolSpec = {
  name: "get_weather",
  description: "Tells the weather of a city.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
};

const REQUEST = "How warm is it in Oslo and in Lima now? Ask the tool for both cities at once, in one reply.";
const DEGREES: Readonly<Record<string, number>> = { oslo: 7, lima: 23 };

const NO_WAY = "No way of calling tools works.";

export const parallelCalls: Probe = {
  id: "parallel_calls",
  title: "Makes several calls in one reply",
  run: (runner) =>
    inMode(runner, REQUEST, 160, ({ parts, calls }) => {
      const weatherReply = calls.length > 0 ? { weatherReply: parts } : {};
      const cities = new Set(calls.map(cityOf));
      if (cities.has("oslo") && cities.has("lima")) {
        return passedProbe("It made both calls in one reply.", { ...weatherReply, parallel: true });
      }
      const count = calls.length === 1 ? "one call" : calls.length === 0 ? "no call" : "other calls";
      return failedProbe(`The reply had ${count}: it works step by step.`, {
        ...weatherReply,
        parallel: false,
      });
    }),
};

export const toolResult: Probe = {
  id: "tool_result",
  title: "Uses a tool's result",
  run(runner) {
    const reply: AgentPart[] = runner.findings.weatherReply ?? [
      { type: "tool_call", toolCallId: "call_oslo", name: getWeather.name, input: { city: "Oslo" } },
    ];
    const calls = reply.filter((part) => part.type === "tool_call");
    const results = calls.map((call): ModelMessage => {
      const text = `${DEGREES[cityOf(call)] ?? 15} degrees, clear`;
      return { role: "tool", toolCallId: call.toolCallId, name: call.name, text, isError: false };
    });
    const cities = new Set(calls.map(cityOf));
    const { plain, model } = runner.choice;
    const conversation: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: REQUEST }] },
      { role: "assistant", parts: reply, ...(runner.findings.weatherReply && { provider: plain.id, model }) },
      ...results,
    ];
    return inMode(runner, conversation, 160, ({ text, calls: next }) => {
      const degrees = [...cities].map((city) => String(DEGREES[city] ?? 15));
      if (next.length === 0 && degrees.every((each) => text.includes(each)))
        return passedProbe("It reported the tool's result.");
      if (next.some((call) => cities.has(cityOf(call))))
        return failedProbe("It repeated a call whose result it already had.");
      if (next.length > 0) return passedProbe("It continued with the next call.");
      return failedProbe(`It did not report the tool's result: ${quoted(text)}.`);
    });
  },
};

export const noCall: Probe = {
  id: "no_call",
  title: "Calls no tool without need",
  run: (runner) =>
    inMode(runner, "What is 2 + 2? Answer with the number alone.", 48, ({ calls, text }) => {
      const [first] = calls;
      if (first) return failedProbe(`It called ${quoted(first.name)} for a question that needs no tool.`);
      return text === "" ? failedProbe("The reply was empty.") : passedProbe(`It answered directly: ${quoted(text)}.`);
    }),
};

function inMode(
  runner: ProbeRunner,
  ask: string | ModelMessage[],
  tokens: number,
  verdictOf: Parameters<ProbeRunner["judge"]>[1],
): Promise<ProbeVerdict> | ProbeVerdict {
  if (!canCall(runner.findings)) return skippedProbe(NO_WAY);
  return runner.judge({ ask, tools: [getWeather], as: toolModeOf(runner.findings), tokens }, verdictOf);
}

function cityOf({ input }: ToolCallPart): string {
  return typeof input?.city === "string"
    ? (input.city
        .trim()
        .toLowerCase()
        .split(/[^a-z]/)[0] ?? "")
    : "";
}
