/** How much each source adds to the score of a file, all of them from 0 to 1; 0 leaves a source out. */
export type RankWeights = {
  /** The best chunk by words. */
  chunks: number;
  /** The file as a whole by words. */
  files: number;
  /** Definitions of names in the question. */
  symbols: number;
  /** The subjects of the commits that changed the file. */
  history: number;
  /** The best chunk by vectors. */
  vectors: number;
  /** Changed together with a good hit, as a share of that hit's score. */
  companions: number;
  /** In the part of the project that the question names: added to a factor of 1. */
  scope: number;
  /** The power of the factors of `pathKinds`. */
  kinds: number;
  /** The factor for the score of another chunk of the same file. */
  again: number;
};

/** Measured by `npm run bench -- search --history` on one half of the projects. */
export const rankWeights: RankWeights = {
  chunks: 1,
  files: 1,
  symbols: 0.3,
  history: 1,
  vectors: 0.75,
  companions: 0.2,
  scope: 0.5,
  kinds: 1,
  again: 0.35,
};
