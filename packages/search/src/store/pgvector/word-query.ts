import type { FieldScoring } from "../../words/length-norms.ts";
import type { WordScoring } from "../word-scoring.ts";

/** Columns by field: the counts in `terms`, the lengths there and in `files`, and the sums in `indexes`. */
const COLUMNS = {
  name: { count: "names", length: "name_words", chunkSum: "name_words", fileSum: "name_words" },
  path: { count: "paths", length: "path_words", chunkSum: "chunk_path_words", fileSum: "path_words" },
  comment: { count: "comments", length: "comment_words", chunkSum: "comment_words", fileSum: "comment_words" },
  body: { count: "bodies", length: "body_words", chunkSum: "body_words", fileSum: "body_words" },
} as const;

/** How much of a word a chunk or a file has, after the lengths of its fields. */
function amountOf(
  scoring: FieldScoring,
  place: { counts: string; lengths: string; live: string; sum: "chunkSum" | "fileSum" },
): string {
  const { counts, lengths, live, sum } = place;
  const terms = Object.entries(COLUMNS).map(([field, columns]) => {
    const { weight, slope } = scoring[field as keyof FieldScoring];
    const average = `greatest(i.${columns[sum]}::float8 / greatest(${live}, 1), 1e-9)`;
    return `${counts}.${columns.count} * ${weight} / (${1 - slope} + ${slope} * ${lengths}.${columns.length} / ${average})`;
  });
  return terms.join(" + ");
}

/** The words of the query, their rarity, and the sum of the rarities. `$1`: the index; `$2`: the words as JSON. */
const rarities = (live: string, place: string) => `
  q AS (SELECT r.word, r.weight FROM jsonb_to_recordset($2::text::jsonb) AS r(word text, weight float8)),
  i AS (SELECT * FROM harness_search.indexes WHERE id = $1::int),
  t AS (SELECT t.* FROM q JOIN harness_search.terms t ON t.index_id = $1::int AND t.word = q.word),
  n AS (SELECT word, count(DISTINCT ${place}) AS places FROM t GROUP BY word),
  r AS (SELECT q.word, q.weight * ln(1 + (${live} - coalesce(n.places, 0) + 0.5) / (coalesce(n.places, 0) + 0.5)) AS rarity
    FROM q CROSS JOIN i LEFT JOIN n ON n.word = q.word),
  m AS (SELECT greatest(sum(rarity), 1e-9) AS mass FROM r)`;

/** By BM25F over chunks: `chunk` and `score`. `$3`: the limit. */
export function chunkWordQuery({ chunk, saturation, coverage }: WordScoring): string {
  const amount = amountOf(chunk, { counts: "t", lengths: "t", live: "i.chunks", sum: "chunkSum" });
  return `WITH ${rarities("i.chunks", "chunk")},
  a AS (SELECT t.chunk, t.word, ${amount} AS amount FROM t CROSS JOIN i),
  s AS (SELECT a.chunk, sum(r.rarity * a.amount / (${saturation} + a.amount)) AS score, sum(r.rarity) AS covered
    FROM a JOIN r ON r.word = a.word GROUP BY a.chunk)
  SELECT s.chunk, s.score * power(s.covered / m.mass, ${coverage}) AS score FROM s CROSS JOIN m
  ORDER BY 2 DESC, 1 LIMIT $3::int`;
}

/** By BM25F over whole files: `path` and `score`. All chunks of a file have the same words of its path. */
export function fileWordQuery({ file, saturation, coverage }: WordScoring): string {
  const amount = amountOf(file, { counts: "g", lengths: "f", live: "i.live_files", sum: "fileSum" });
  return `WITH ${rarities("i.live_files", "file")},
  g AS (SELECT t.file, t.word, sum(t.names) AS names, max(t.paths) AS paths, sum(t.comments) AS comments,
    sum(t.bodies) AS bodies FROM t GROUP BY t.file, t.word),
  a AS (SELECT f.path, g.word, ${amount} AS amount FROM g CROSS JOIN i
    JOIN harness_search.files f ON f.index_id = $1::int AND f.id = g.file),
  s AS (SELECT a.path, sum(r.rarity * a.amount / (${saturation} + a.amount)) AS score, sum(r.rarity) AS covered
    FROM a JOIN r ON r.word = a.word GROUP BY a.path)
  SELECT s.path, s.score * power(s.covered / m.mass, ${coverage}) AS score FROM s CROSS JOIN m
  ORDER BY 2 DESC, 1 LIMIT $3::int`;
}
