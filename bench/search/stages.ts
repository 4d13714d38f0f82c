import { type RankWeights, rankWeights } from "../../packages/search/src/rank/rank-weights.ts";

const none: RankWeights = {
  chunks: 0,
  files: 0,
  symbols: 0,
  history: 0,
  vectors: 0,
  companions: 0,
  scope: 0,
  kinds: 0,
  again: rankWeights.again,
};

/** Stages of ranking in the order in which they are added. */
const order = [
  ["split and stemmed words of files, with names, paths and comments", "files"],
  ["+ chunks", "chunks"],
  ["+ definitions", "symbols"],
  ["+ kinds of paths", "kinds"],
  ["+ named parts of the project", "scope"],
  ["+ history", "history"],
  ["+ files that change together", "companions"],
] as const;

export type Stage = { name: string; weights: RankWeights };

/** Each stage added to those before. */
export const stages: readonly Stage[] = order.map(([name], last) => {
  const weights = { ...none };
  for (const [, key] of order.slice(0, last + 1)) weights[key] = rankWeights[key];
  return { name, weights };
});

/** All but one. */
export const omissions: readonly Stage[] = [
  ...order.map(([name, key]) => ({ name: `without ${name.replace("+ ", "")}`, weights: { ...rankWeights, [key]: 0 } })),
  { name: "without folding of a file's chunks", weights: { ...rankWeights, again: 1 } },
];
