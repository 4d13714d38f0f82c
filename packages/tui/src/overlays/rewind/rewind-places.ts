import { localTime, ROOT_AGENT, type SessionState, saidText, textOf } from "@harness/protocol";
import { apartFromByProducts } from "../../figures/by-products.ts";
import type { RewindPoint } from "./state.ts";

/** The user's messages and the checkpoints before destructive commands, newest first. */
export function rewindPlaces({ undo, agents }: SessionState): RewindPoint[] {
  const { messages, commands, turns } = undo;
  const texts = new Map<string, Pick<RewindPoint, "text" | "title">>();
  for (const item of agents.get(ROOT_AGENT)?.items ?? [])
    if (item.kind === "user") texts.set(item.id, { text: textOf(item.content), title: saidText(item.content) });
  const standing = turns.filter(({ reverted }) => !reverted);
  const sent = messages.map(({ messageId, seq }, at) => {
    const until = messages[at + 1]?.seq ?? Number.POSITIVE_INFINITY;
    const sum = { files: 0, added: 0, removed: 0 };
    for (const turn of standing) {
      if (turn.seq < seq || turn.seq >= until) continue;
      sum.files += apartFromByProducts(turn.files).written.length + turn.moreFiles;
      sum.added += turn.added;
      sum.removed += turn.removed;
    }
    const words = texts.get(messageId) ?? { text: "", title: "" };
    return { id: messageId, seq, kind: "message" as const, ...words, ...sum };
  });
  const ids = new Set(standing.map(({ turnId }) => turnId));
  const kept = commands
    .filter(({ turnId }) => ids.has(turnId))
    .map(({ checkpointId, seq, at }) => {
      const title = `files before a command that may throw work away, ${localTime(at).minutes}`;
      return { id: checkpointId, seq, kind: "checkpoint" as const, text: "", title, files: 0, added: 0, removed: 0 };
    });
  return [...sent, ...kept].sort((a, b) => b.seq - a.seq).map(({ seq: _seq, ...place }) => place);
}
