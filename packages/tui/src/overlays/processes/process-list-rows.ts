import type { ProcessView } from "@harness/protocol";
import { roughTime } from "../../figures/rough-time.ts";
import { hints } from "../../keymap/key-labels.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style } from "../../text/index.ts";
import { inset, listMarker, spread } from "../../widgets/boxes.ts";
import { listWindow } from "../../widgets/list-slice.ts";
import { type OverlayView, overlayFrame } from "../../widgets/overlay-frame.ts";
import type { ProcessList } from "./state.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const FAILED = style({ fg: "error" });

/** Background processes, two rows each: command, ports, state and age; then the last line of output. */
export function processListRows(list: ProcessList, view: OverlayView): Row[] {
  const { columns, rows: height } = view.size;
  const { processes, selected, nowMs } = list;
  const { from, to } = listWindow(selected, processes?.length ?? 0, Math.floor((height - 5) / 2));
  const nothing = processes ? "Nothing runs in the background." : "Looking…";
  const rows = [
    row(span("Processes in the background", BOLD)),
    EMPTY_ROW,
    ...(processes?.length ? [] : [row(span(nothing, MUTED))]),
    ...(processes ?? [])
      .slice(from, to)
      .flatMap((each, at) => rowsOf(each, from + at === selected, nowMs, columns - 2)),
  ];
  const { keys } = view;
  const acts = [
    keys.hint(["lists.up", "lists.down"], "move"),
    keys.hint("processes.output", "output"),
    keys.hint("processes.stop", "stop"),
    keys.hint("processes.keep", "keep going"),
  ];
  const stopping = processes?.find(({ processId }) => processId === list.stopping);
  const below = stopping
    ? keys.say("processes.stop", (key) => `Press ${key} again to stop ${stopping.processId} and all it started.`)
    : hints(...(processes?.length ? acts : []), keys.hint("lists.close", "close"));
  return overlayFrame(inset(rows, columns), below, view);
}

function rowsOf(process: ProcessView, isMarked: boolean, nowMs: number, width: number): Row[] {
  const { processId, command, ports, lastLine, state } = process;
  const isBad = state !== "running" && state !== "stopped" && process.exitCode !== 0;
  const listens = ports.length > 0 ? `  :${ports.join(" :")}` : "";
  const right = [span(listens), span(`  ${stateText(process)}  ${ageText(process, nowMs)}`, isBad ? FAILED : MUTED)];
  return [
    spread([listMarker(`${processId}  ${sanitiseLine(command)}`, { isMarked })], right, width),
    row(span(`      ${sanitiseLine(lastLine).trim()}`, MUTED)),
  ];
}

function stateText({ state, kept, exitCode, signal }: ProcessView): string {
  if (state === "running") return kept ? "running, kept" : "running";
  if (state !== "exited") return state;
  if (signal !== undefined) return `ended by ${sanitiseLine(signal)}`;
  return exitCode === undefined ? "ended" : `exit ${exitCode}`;
}

/** How long it has been running, or ran. */
function ageText({ startedAt, endedAt }: ProcessView, nowMs: number): string {
  const until = endedAt === undefined ? nowMs : Date.parse(endedAt);
  const ms = until - Date.parse(startedAt);
  return Number.isNaN(ms) ? "" : roughTime(ms);
}
