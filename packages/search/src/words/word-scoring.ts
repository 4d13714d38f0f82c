import type { FieldScoring } from "./length-norms.ts";

/** How words are scored. Measured by `npm run bench -- search --history` on one half of the projects. */
export const wordScoring: { chunk: FieldScoring; file: FieldScoring; saturation: number } = {
  chunk: {
    name: { weight: 3, slope: 0.3 },
    path: { weight: 5, slope: 0.3 },
    comment: { weight: 1, slope: 0.6 },
    body: { weight: 1, slope: 0.6 },
  },
  file: {
    name: { weight: 3, slope: 0.4 },
    path: { weight: 8, slope: 0.3 },
    comment: { weight: 1, slope: 0.4 },
    body: { weight: 1, slope: 0.4 },
  },
  saturation: 6,
};
