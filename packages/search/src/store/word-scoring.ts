import type { FieldScoring } from "../words/length-norms.ts";

/** The numbers of BM25F, for stores that score by themselves. */
export type WordScoring = { chunk: FieldScoring; file: FieldScoring; saturation: number; coverage: number };

const plain = { weight: 1, slope: 0.7 };
const fields: FieldScoring = {
  name: { ...plain, weight: 3 },
  path: { ...plain, weight: 2 },
  comment: plain,
  body: plain,
};

export const wordScoring: WordScoring = { chunk: fields, file: fields, saturation: 1.2, coverage: 1 };
