import type { Block } from "@harness/protocol";
import { exitCodeInWords, signalInWords } from "@harness/protocol/text";
import { type AnsiText, ansiLines } from "../../text/ansi-text.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { type Row, style } from "../../text/style.ts";
import { visible } from "../../text/visible.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import {
  type BlockContext,
  cutOf,
  type FoldLimits,
  firstLines,
  firstRows,
  missingRow,
  mutedRow,
  plainSpan,
} from "../block-context.ts";
import { type Ends, headAndTail } from "./head-and-tail.ts";
import { shellSpans } from "./shell-spans.ts";

type TerminalBlock = Extract<Block, { type: "terminal" }>;

const COMMAND_LIMITS: FoldLimits = { folded: 3, open: 200 };
const RUNNING_LIMITS: FoldLimits = { folded: 8, open: 200 };
const OUTPUT: Ends = { head: 3, tail: 6, open: 2000 };
const PROMPT = { text: "$ ", style: style({ fg: "muted" }) };
const FAILED = style({ fg: "error" });

function commandRows(command: string, context: BlockContext): Row[] {
  const cut = cutOf(context, COMMAND_LIMITS);
  const { lines, more } = firstLines(command, cut.limit);
  const width = Math.max(1, context.width - PROMPT.text.length);
  const rows = lines.flatMap((line) => wrapSpans(shellSpans(line, context.code), width, "hard"));
  return prefixRows(firstRows(rows, more, cut), [PROMPT], [plainSpan("  ")]);
}

/** The end of an output that is still growing. */
export function runningRows(output: AnsiText, context: BlockContext): Row[] {
  const cut = cutOf(context, RUNNING_LIMITS);
  const lines = output.lines(cut.limit);
  const rows = lines.flatMap((line) => wrapSpans(line, context.width, "hard"));
  const hidden = output.lineCount - lines.length + Math.max(0, rows.length - cut.limit);
  return hidden === 0 ? rows : [missingRow(hidden, "line", cut, "above"), ...rows.slice(-cut.limit)];
}

function ending(block: TerminalBlock, width: number): Row[] {
  const { exitCode, signal, stopped, fullOutputPath, processId } = block;
  if (processId !== undefined) return [mutedRow(`running in the background as ${sanitiseLine(processId)}`)];
  const how = stopped
    ? sanitiseLine(stopped)
    : signal
      ? `killed by ${sanitiseLine(signalInWords(signal))}`
      : exitCode === null
        ? "no exit code"
        : `exit ${exitCodeInWords(exitCode)}`;
  const rows: Row[] = [];
  if (exitCode !== 0) rows.push(...wrapSpans([{ text: how, style: FAILED }], width, "word"));
  if (fullOutputPath)
    rows.push(...wrapSpans([...mutedRow("all of it: ").spans, ...visible(fullOutputPath)], width, "hard"));
  return rows;
}

export function terminalRows(block: TerminalBlock, context: BlockContext): Row[] {
  return [...commandRows(block.command, context), ...endRows(block, context)];
}

/** A command's output, and how it ended. */
export function endRows(block: TerminalBlock, context: BlockContext): Row[] {
  const lines = ansiLines(block.output.trimEnd());
  return [...headAndTail(lines, OUTPUT, context, "hard"), ...ending(block, context.width)];
}
