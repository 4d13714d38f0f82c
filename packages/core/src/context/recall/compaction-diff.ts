import type { StoredFact, UpdateOf } from "@harness/protocol";
import { type PastEntry, pastEntries } from "./past-entries.ts";

/** One compaction: the messages it replaced and the ones it kept. */
export type CompactionDiff = {
  seq: number;
  at: string;
  agentId: string;
  compaction: UpdateOf<"compaction_update">;
  /** Entries that requests no longer show afterwards. */
  left: PastEntry[];
  /** Entries that stayed. */
  stayed: PastEntry[];
};

type CompactionReference = { agentId: string /** Absent: the latest. */; compactionId?: string | undefined };

/** Compares an agent's requests before and after a compaction; undefined: there is no such compaction. */
export function compactionDiff(
  facts: readonly StoredFact[],
  { agentId, compactionId }: CompactionReference,
): CompactionDiff | undefined {
  const entries = pastEntries(facts).filter((entry) => entry.agentId === agentId);
  const summaries = new Set(entries.flatMap(({ kind, seq }) => (kind === "summary" ? [seq] : [])));
  const compactions = facts.flatMap(({ seq, at, update }) =>
    update.sessionUpdate === "compaction_update" && summaries.has(seq) ? [{ seq, at, compaction: update }] : [],
  );
  const index =
    compactionId === undefined
      ? compactions.length - 1
      : compactions.findIndex(({ compaction }) => compaction.compactionId === compactionId);
  const wanted = compactions[index];
  if (!wanted) return undefined;
  const { keepFromSeq } = wanted.compaction;
  const before = compactions[index - 1];
  const earlier = entries.filter(({ seq }) => seq < wanted.seq);
  const isShown = ({ groupSeq, kind, seq }: PastEntry) =>
    kind === "summary" ? seq === before?.seq : groupSeq >= (before?.compaction.keepFromSeq ?? 0);
  const shown = earlier.filter(isShown);
  const stays = ({ groupSeq, kind }: PastEntry) => kind !== "summary" && groupSeq >= keepFromSeq;
  return { ...wanted, agentId, left: shown.filter((entry) => !stays(entry)), stayed: shown.filter(stays) };
}
