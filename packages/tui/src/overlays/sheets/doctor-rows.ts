import type { CapabilityRecord, ProbeOutcome } from "@harness/protocol";
import { tokenCount } from "../../figures/token-count.ts";
import { padRow, type Row, row, sanitise, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import { prefixRows } from "../../text/wrap.ts";
import type { Role } from "../../theme/theme.ts";
import type { DoctorSheet } from "./state.ts";

const HEADING = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ERROR = style({ fg: "error" });
const EMPTY = row(span(" "));
const NAME_COLUMNS = 26;

const outcomes: Record<ProbeOutcome["outcome"], { mark: string; role: Role }> = {
  passed: { mark: "✓ ", role: "success" },
  failed: { mark: "✗ ", role: "error" },
  skipped: { mark: "– ", role: "muted" },
};

function probeRows({ title, outcome, detail, durationMs }: ProbeOutcome, columns: number): Row[] {
  const { mark, role } = outcomes[outcome];
  const time = outcome === "skipped" ? "" : `  ${(durationMs / 1000).toFixed(1)} s`;
  const detailRows = detail === "" ? [] : wrapSpans([span(sanitiseLine(detail), MUTED)], Math.max(1, columns - 4));
  return [
    ...prefixRows([row(span(sanitiseLine(title)), span(time, MUTED))], [span(mark, style({ fg: role }))], [span("  ")]),
    ...prefixRows(detailRows, [span("    ")], [span("    ")]),
  ];
}

const toolModes: Record<CapabilityRecord["toolMode"], string> = {
  native: "through the server's API",
  constrained: "by a schema that its output must fit",
  prompted: "in words",
};

const thinkingTexts: Record<CapabilityRecord["thinking"], string> = {
  separate: "separate from the text",
  none: "none",
  leaks: "inside the text; harness removes it",
};

function factRow(name: string, value: string): Row {
  return row(...padRow(row(span(`  ${name}`, MUTED)), NAME_COLUMNS).spans, span(value));
}

function capabilityRows({
  address,
  toolMode,
  callsTools,
  parallelCalls,
  streamsArguments,
  thinking,
  windowTokens,
}: CapabilityRecord): Row[] {
  return [
    row(span("What it can do", HEADING), span(`  ${sanitiseLine(address)}`, MUTED)),
    factRow("Tools", callsTools === false ? "no way of calling them works" : toolModes[toolMode]),
    factRow("Several calls at once", parallelCalls ? "yes" : "no"),
    factRow("Arguments streamed", streamsArguments ? "yes" : "no"),
    factRow("Thinking", thinkingTexts[thinking]),
    factRow("Window", windowTokens === undefined ? "unknown" : `${tokenCount(windowTokens)} tokens`),
    row(span("  Saved, and used from now on.", MUTED)),
  ];
}

/** The finished probes of a model, then the capabilities found. */
export function doctorRows({ label, probes, of, running, capabilities, problem }: DoctorSheet, columns: number): Row[] {
  const count = of === undefined ? "" : `  ${probes.length} of ${of}`;
  return [
    row(span(`Doctor: ${sanitiseLine(label)}`, HEADING), span(count, MUTED)),
    EMPTY,
    ...probes.flatMap((probe) => probeRows(probe, columns)),
    ...(running ? [row(span(probes.length === 0 ? "Testing the model…" : "…", MUTED))] : []),
    ...(capabilities ? [EMPTY, ...capabilityRows(capabilities)] : []),
    ...(problem === undefined
      ? []
      : sanitise(problem)
          .split("\n")
          .flatMap((line) => wrapSpans([span(line, ERROR)], columns))),
  ];
}
