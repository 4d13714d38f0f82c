import type { CapabilityRecord, ProbeOutcome } from "@harness/protocol";
import { formatDuration } from "../command-line/durations.ts";
import { countText, textTable } from "../text/text-table.ts";

const marks: Record<ProbeOutcome["outcome"], string> = { passed: "ok  ", failed: "no  ", skipped: "–   " };

/** Columns of the mark, below which the rest of a long line begins. */
export const PROBE_INDENT = marks.passed.length;

export function probeText({ title, outcome, detail, durationMs }: ProbeOutcome): string {
  const time = outcome === "skipped" ? "" : ` (${formatDuration(Math.round(durationMs))})`;
  return `${marks[outcome]}${title}${time}${detail === "" ? "" : `: ${detail}`}`;
}

const toolModes: Record<CapabilityRecord["toolMode"], string> = {
  native: "through the server's API",
  constrained: "by a schema that constrains its output",
  prompted: "described in the prompt",
};

const thinkingWords: Record<CapabilityRecord["thinking"], string> = {
  separate: "separate from the text",
  none: "none",
  leaks: "inside the text; harness removes it",
};

/** `columns`: the width of the terminal. */
export function capabilitiesText(capabilities: CapabilityRecord, columns?: number): string {
  const { provider, model, address, toolMode, callsTools, parallelCalls, streamsArguments, thinking, windowTokens } =
    capabilities;
  const rows = [
    [`${provider}/${model}`, address],
    ["tools", callsTools === false ? "no way of calling them works" : toolModes[toolMode]],
    ["several calls at once", parallelCalls ? "yes" : "no"],
    ["arguments are streamed", streamsArguments ? "yes" : "no"],
    ["thinking", thinkingWords[thinking]],
    ["context window", windowTokens === undefined ? "unknown" : `${countText(windowTokens)} tokens`],
  ];
  const [head = [], ...facts] = rows;
  return `\n${textTable(head, facts, columns)}`;
}
