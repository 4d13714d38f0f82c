import type { LiveSession } from "@harness/core";
import { localTime, ROOT_AGENT, textOf } from "@harness/protocol";
import { misused, type ServerCommand } from "../server-command.ts";

const MAX_LISTED = 20;
const MAX_CHARS = 70;

const extents = ["both", "conversation", "files"] as const;
type Extent = (typeof extents)[number];

/** A point to go back to: before a message, or before a command within a turn. */
type RewindPoint = { id: string; seq: number; text: string };

export const rewindCommand: ServerCommand = {
  description: "Rewind to before one of your messages: conversation, files, or both. Without arguments it lists them.",
  argumentHint: "[number] [both|conversation|files]",
  needsSession: true,
  announcesFirst: true,
  async run({ session }, args) {
    const points = rewindPointsOf(session);
    const [wanted = "", extent = "both", ...more] = args.split(/\s+/);
    if (wanted === "") return pointList(points);
    const point = /^\d+$/.test(wanted) ? points[Number(wanted) - 1] : points.find(({ id }) => id === wanted);
    if (!point) throw misused(`There is no ${wanted} in the list.\n${pointList(points)}`);
    if (!isExtent(extent) || more.length > 0) throw misused(`Type /rewind ${wanted} and one of ${extents.join(", ")}.`);
    return (await session.rewind(point.id, extent)).text;
  },
};

function isExtent(word: string): word is Extent {
  return (extents as readonly string[]).includes(word);
}

/** Points in chronological order. */
function rewindPointsOf({ state }: LiveSession): RewindPoint[] {
  const { messages, commands, turns } = state.undo;
  const items = state.agents.get(ROOT_AGENT)?.items ?? [];
  const words = new Map(items.map((item) => [item.id, item.kind === "user" ? textOf(item.content) : ""]));
  const points = messages.map(({ messageId, seq }) => ({
    id: messageId,
    seq,
    text: firstLine(words.get(messageId) ?? ""),
  }));
  const standing = new Set(turns.filter(({ reverted }) => !reverted).map(({ turnId }) => turnId));
  const kept = commands
    .filter(({ turnId }) => standing.has(turnId))
    .map(({ checkpointId, seq, at }) => ({
      id: checkpointId,
      seq,
      text: `(files) before a destructive command, ${localTime(at).minutes}`,
    }));
  return [...points, ...kept].sort((a, b) => a.seq - b.seq);
}

function pointList(points: readonly RewindPoint[]): string {
  if (points.length === 0) return "There is nothing to rewind: you have not sent a message yet.";
  const from = Math.max(0, points.length - MAX_LISTED);
  const lines = points.slice(from).map(({ text }, index) => `${from + index + 1}. ${text}`);
  const earlier = from > 0 ? [`… and ${from} earlier ones, by their numbers`] : [];
  return [
    "Rewind to before one of these:",
    ...earlier,
    ...lines,
    "/rewind NUMBER reverts the conversation and files; add conversation or files to revert only one of them.",
  ].join("\n");
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS).toWellFormed()}…` : line;
}
