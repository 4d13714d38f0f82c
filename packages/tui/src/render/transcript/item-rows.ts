import { noticeOf } from "@harness/client/actions";
import type { TranscriptItem } from "@harness/protocol";
import type { MarkdownDocument } from "../../text/markdown/document.ts";
import { arrayRows, NO_ROWS, stackRows, type VirtualRows } from "../../text/rows.ts";
import type { BlockContext } from "../block-context.ts";
import { agentRows, isSilent } from "./agent-rows.ts";
import { compactionRows, isLongNotice, noticeRows, type PictureSpace, subagentRows, userRows } from "./message-rows.ts";
import { repairRows } from "./repair-rows.ts";
import { isAskingCall, type RunningOutput, toolBody, toolHead } from "./tool-rows.ts";
import { hasFiles, turnRows } from "./turn-rows.ts";

/** Everything the rows of an item depend on besides the item. */
export type ItemContext = BlockContext &
  PictureSpace & {
    /** Output of running calls, and the activity of running subagents, by id. */
    readonly output: Pick<ReadonlyMap<string, string>, "get">;
    /** The streamed document, if this item is the message it became. */
    readonly streamed: MarkdownDocument | undefined;
    /** Kept per item while it stays in the cache. */
    readonly running: RunningOutput;
  };

type Drawers = {
  [K in TranscriptItem["kind"]]: (item: Extract<TranscriptItem, { kind: K }>, context: ItemContext) => VirtualRows;
};

/** One drawer for each kind of item; the compiler reports a missing one. */
const drawers: Drawers = {
  user: (item, space) => arrayRows(userRows(item, space)),
  agent: (item, context) => agentRows(item, context, context.streamed),
  notice: (item, space) => arrayRows(noticeRows(item, space)),
  turn: (item, space) => arrayRows(turnRows(item, space)),
  rewind: (item, space) => arrayRows(noticeRows(noticeOf(item), space)),
  process: (item, space) => arrayRows(noticeRows(noticeOf(item), space)),
  repair: (item, space) => arrayRows(repairRows(item, space)),
  compaction: (item, space) => arrayRows(compactionRows(item, space)),
  subagent: (item, { output, ...space }) =>
    arrayRows(subagentRows(item, space, item.state === "running" ? output.get(item.id) : undefined)),
  tool: (item, context) => {
    if (isStandIn(item) || isAsking(item)) return NO_ROWS;
    const { output, running } = context;
    const head = arrayRows([toolHead(item, context)]);
    if (item.outcome) return stackRows([head, arrayRows(toolBody(item, item.outcome, context))]);
    const text = output.get(item.id);
    if (!text) return head;
    running.update(text);
    return stackRows([head, arrayRows(running.rows(context))]);
  },
};

/** True if the subagents a call has started are shown in its place. */
function isStandIn(item: TranscriptItem): boolean {
  if (item.kind !== "tool" || !item.startedAgent) return false;
  return item.outcome === undefined || item.outcome.status === "ok";
}

/** True if a call asks the user: its dialog shows the question, and the transcript has it with the answer. */
function isAsking(item: TranscriptItem): boolean {
  return item.kind === "tool" && isAskingCall(item) && item.outcome === undefined;
}

/** True if nothing of an item is shown. */
export function isUnseen(item: TranscriptItem): boolean {
  return isSilent(item) || isStandIn(item) || isAsking(item);
}

export function itemRows(item: TranscriptItem, context: ItemContext): VirtualRows {
  const draw = drawers[item.kind] as (item: TranscriptItem, context: ItemContext) => VirtualRows;
  return draw(item, context);
}

/** True if the item shows its progress. */
export function isRunning(item: TranscriptItem): boolean {
  if (item.kind === "subagent") return item.state === "running";
  return item.kind === "tool" && item.status === "in_progress" && !item.outcome;
}

/** True if the item has something that folding hides. */
export function isFoldable(item: TranscriptItem): boolean {
  if (isStandIn(item) || isAsking(item)) return false;
  if (item.kind === "turn") return hasFiles(item);
  if (item.kind === "agent") return item.parts.some((part) => part.type === "thinking");
  if (item.kind === "notice" || item.kind === "rewind" || item.kind === "process") return isLongNotice(noticeOf(item));
  return true;
}
