import type { ChunkId } from "../store/index-store.ts";
import { pathFactor } from "./path-kinds.ts";
import type { SearchQuestion } from "./question.ts";
import type { RankWeights } from "./rank-weights.ts";
import { scopeMatch } from "./scope-match.ts";

/** The share of each source for a file, from 0 to 1. */
export type FileCandidate = {
  path: string;
  /** The chunks that were found, with their scores. */
  chunks: Map<ChunkId, number>;
  /** The scores by source. */
  evidence: Partial<Record<"chunks" | "files" | "symbols" | "history" | "vectors", number>>;
  /** The name in the question that it defines. */
  symbol?: string;
  /** The better file with which it often changes. */
  companionOf?: string;
  score: number;
};

/** How many of the best files bring others that change with them. */
const LEADERS = 5;
const sources = ["chunks", "files", "symbols", "history", "vectors"] as const;

/** The files that some source found. */
export class CandidateTable {
  readonly #files = new Map<string, FileCandidate>();

  at(path: string): FileCandidate {
    const known = this.#files.get(path);
    if (known) return known;
    const made: FileCandidate = { path, chunks: new Map(), evidence: {}, score: 0 };
    this.#files.set(path, made);
    return made;
  }

  /** The best first. `companions`: the files that change with one. */
  ranked(
    question: SearchQuestion,
    weights: RankWeights,
    companions: (path: string) => readonly { path: string; share: number }[],
  ): FileCandidate[] {
    const factor = (path: string) =>
      pathFactor(path, question.kinds) ** weights.kinds * (1 + weights.scope * scopeMatch(path, question.scopes));
    for (const file of this.#files.values()) {
      const sum = sources.reduce((total, source) => total + weights[source] * (file.evidence[source] ?? 0), 0);
      file.score = sum * factor(file.path);
    }
    const leaders = weights.companions > 0 ? this.#sorted().slice(0, LEADERS) : [];
    const bonus = new Map<string, { score: number; leader: string }>();
    for (const { path, score } of leaders)
      for (const { path: other, share } of companions(path))
        if (share * score > (bonus.get(other)?.score ?? 0)) bonus.set(other, { score: share * score, leader: path });
    for (const [path, { score, leader }] of bonus) {
      const file = this.at(path);
      const added = weights.companions * score * pathFactor(path, question.kinds) ** weights.kinds;
      if (added > file.score) file.companionOf = leader;
      file.score += added;
    }
    return this.#sorted();
  }

  #sorted(): FileCandidate[] {
    return [...this.#files.values()].sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  }
}
