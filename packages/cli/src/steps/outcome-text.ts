import type { Block, ToolOutcome } from "@harness/protocol";
import { exitCodeInWords, signalInWords } from "@harness/protocol";

const MAX_LENGTH = 160;

/** How a call ended, on one line: its duration, and the notable facts of its result. */
export function outcomeText({ status, text, blocks, durationMs }: ToolOutcome): string {
  if (status === "denied") return "denied";
  if (status === "cancelled") return "stopped";
  if (status === "interrupted") return "interrupted: it may have taken effect";
  const shown = blocks.map(blockText).filter((each) => each !== "");
  const failure = status === "ok" || shown.length > 0 ? [] : [firstWords(text)];
  return [timeText(durationMs), ...failure, ...shown].filter((each) => each !== "").join(" · ");
}

/** A shorter duration is noise. */
const LONG_MS = 1_000;

/** `1.3 s`, `12 s`, `2 min 5 s`. */
function timeText(ms: number): string {
  if (ms < LONG_MS) return "";
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function blockText(block: Block): string {
  switch (block.type) {
    case "diff":
      return `+${block.added} −${block.removed}`;
    case "terminal":
      return terminalResult(block);
    case "list":
      return count(block.items.length + (block.more ?? 0), "result");
    case "tree":
      return count(block.entries.length + (block.more ?? 0), "entry", "entries");
    case "table":
      return count(block.rows.length, "row");
    case "todo":
      return `${block.items.filter((item) => item.status === "completed").length}/${block.items.length} tasks done`;
    case "text":
    case "markdown":
      return firstWords(block.text);
    case "image":
      return block.description;
    case "json":
      return "";
  }
}

function terminalResult(block: Extract<Block, { type: "terminal" }>): string {
  const { exitCode, signal, stopped, output, processId } = block;
  if (processId !== undefined) return `running in the background as ${processId}`;
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const result =
    lines.length === 1 ? firstWords(lines[0] ?? "") : lines.length === 0 ? "" : count(lines.length, "line");
  const end =
    stopped ??
    (signal !== undefined
      ? `ended by ${signalInWords(signal)}`
      : exitCode === 0 || exitCode === null
        ? ""
        : `exit code ${exitCodeInWords(exitCode)}`);
  const last = end !== "" && lines.length > 1 ? firstWords(lines.at(-1) ?? "") : "";
  return [end, result, last].filter((each) => each !== "").join(" · ");
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}

function firstWords(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}
