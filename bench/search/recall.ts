import type { SearchCase } from "./cases.ts";

/** Paths of results for a question, the best first; a file counts where it is first. */
export type Search = (question: string) => Promise<readonly string[]> | readonly string[];

/** Means over cases: the share of answers in the first five and ten results, and one by the rank of the first answer. */
export type Recall = { at5: number; at10: number; mrr: number };

export async function recallOf(cases: readonly SearchCase[], search: Search): Promise<Recall> {
  const each: Recall[] = [];
  for (const { question, answers } of cases) {
    const results = (await search(question)).slice(0, 10);
    const found = answers.map((answer) => results.indexOf(answer)).filter((rank) => rank >= 0);
    const first = Math.min(...found);
    each.push({
      at5: found.filter((rank) => rank < 5).length / answers.length,
      at10: found.length / answers.length,
      mrr: found.length > 0 ? 1 / (first + 1) : 0,
    });
  }
  return meanRecall(each);
}

export function meanRecall(recalls: readonly Recall[]): Recall {
  const mean = (key: keyof Recall) => recalls.reduce((sum, recall) => sum + recall[key], 0) / recalls.length;
  return { at5: mean("at5"), at10: mean("at10"), mrr: mean("mrr") };
}
