import type { Block } from "@harness/protocol";
import { ansiLines, type StyledLine } from "../../text/ansi-text.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { type Row, style } from "../../text/style.ts";
import { visible } from "../../text/visible.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import {
  type BlockContext,
  firstLines,
  firstRows,
  type Limits,
  limitOf,
  mutedRow,
  plainSpan,
} from "./block-context.ts";

type TerminalBlock = Extract<Block, { type: "terminal" }>;

const COMMAND_LIMITS: Limits = { folded: 3, open: 200 };
const OUTPUT_LIMITS: Limits = { folded: 8, open: 2000 };
const PROMPT = { text: "$ ", style: style({ fg: "muted" }) };
const FAILED = style({ fg: "error" });

function commandRows(command: string, context: BlockContext): Row[] {
  const limit = limitOf(context, COMMAND_LIMITS);
  const { lines, more } = firstLines(command, limit);
  const width = Math.max(1, context.width - PROMPT.text.length);
  const rows = lines.flatMap((line) => wrapSpans(visible(line), width, "hard"));
  return prefixRows(firstRows(rows, limit, more), [PROMPT], [plainSpan("  ")]);
}

/** The end of an output: its last lines matter most. */
export function outputTail(lines: readonly StyledLine[], total: number, context: BlockContext): Row[] {
  const limit = limitOf(context, OUTPUT_LIMITS);
  const shown = lines.slice(-limit);
  const rows = shown.flatMap((line) => wrapSpans(line, context.width, "hard"));
  const hidden = total - shown.length + Math.max(0, rows.length - limit);
  if (hidden === 0) return rows;
  const what = hidden === 1 ? "line" : "lines";
  return [mutedRow(`… ${hidden.toLocaleString("en")} ${what} above`), ...rows.slice(-limit)];
}

function ending({ exitCode, signal, fullOutputPath, processId }: TerminalBlock, width: number): Row[] {
  if (processId !== undefined) return [mutedRow(`goes on in the background as ${sanitiseLine(processId)}`)];
  const how = signal ? `killed by ${sanitiseLine(signal)}` : exitCode === null ? "no exit code" : `exit ${exitCode}`;
  const rows: Row[] = [];
  if (exitCode !== 0) rows.push({ spans: [{ text: how, style: FAILED }] });
  if (fullOutputPath)
    rows.push(...wrapSpans([...mutedRow("all of it: ").spans, ...visible(fullOutputPath)], width, "hard"));
  return rows;
}

export function terminalRows(block: TerminalBlock, context: BlockContext): Row[] {
  const lines = ansiLines(block.output.trimEnd());
  return [
    ...commandRows(block.command, context),
    ...outputTail(lines, lines.length, context),
    ...ending(block, context.width),
  ];
}
