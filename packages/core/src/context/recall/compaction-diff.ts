import type { UpdateOf } from "@harness/protocol";
import { type FactPages, factsOf } from "../../ports/fact-pages.ts";
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
  pages: FactPages,
  { agentId, compactionId }: CompactionReference,
): CompactionDiff | undefined {
  const compactions = compactionsOf(pages, agentId);
  const index =
    compactionId === undefined
      ? compactions.length - 1
      : compactions.findIndex(({ compaction }) => compaction.compactionId === compactionId);
  const wanted = compactions[index];
  if (!wanted) return undefined;
  const { keepFromSeq } = wanted.compaction;
  const before = compactions[index - 1];
  const isShown = ({ groupSeq, kind, seq }: PastEntry) =>
    kind === "summary" ? seq === before?.seq : groupSeq >= (before?.compaction.keepFromSeq ?? 0);
  const stays = ({ groupSeq, kind }: PastEntry) => kind !== "summary" && groupSeq >= keepFromSeq;
  const diff: CompactionDiff = { ...wanted, agentId, left: [], stayed: [] };
  for (const entry of pastEntries(pages, { agentId, before: wanted.seq }))
    if (isShown(entry)) (stays(entry) ? diff.stayed : diff.left).push(entry);
  return diff;
}

type StoredCompaction = Pick<CompactionDiff, "seq" | "at" | "compaction">;

/** Without those that the user rewound. */
function compactionsOf(pages: FactPages, agentId: string): StoredCompaction[] {
  const kinds = ["compaction_update"] as const;
  const summaries = new Set(Array.from(pastEntries(pages, { agentId, kinds }), ({ seq }) => seq));
  return [...factsOf(pages, { kinds })].flatMap(({ seq, at, update }) =>
    update.sessionUpdate === "compaction_update" && summaries.has(seq) ? [{ seq, at, compaction: update }] : [],
  );
}
