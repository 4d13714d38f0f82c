import type { FieldScoring } from "../../words/length-norms.ts";
import type { wordScoring } from "../../words/word-scoring.ts";

type WordScoring = typeof wordScoring;

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
    const [fixed, variable, most] = [1 - slope, slope, weight].map((each) => `${each}::float8`);
    return `${counts}.${columns.count} * ${most} / (${fixed} + ${variable} * ${lengths}.${columns.length} / ${average})`;
  });
  return terms.join(" + ");
}

/**
 * The words of the query and their rarity. `$1`: the index; `$2`: the words as JSON. Word by word, because a server that
 * has not counted the rows yet would read all of them; and not in its decimal numbers, which are slow.
 */
const rarities = (live: string, places: string) => `
  q AS (SELECT r.word, r.weight FROM jsonb_to_recordset($2::text::jsonb) AS r(word text, weight float8)),
  i AS (SELECT * FROM harness_search.indexes WHERE id = $1::int),
  t AS (SELECT t.* FROM q CROSS JOIN LATERAL (
    SELECT * FROM harness_search.terms WHERE index_id = $1::int AND word = q.word OFFSET 0) t),
  n AS (SELECT word, ${places} AS places FROM t GROUP BY word),
  r AS (SELECT q.word, q.weight * ln(1 + (${live} - coalesce(n.places, 0) + 0.5::float8) / (coalesce(n.places, 0) + 0.5::float8)) AS rarity
    FROM q CROSS JOIN i LEFT JOIN n ON n.word = q.word)`;

/** By BM25F over chunks: `chunk` and `score`. `$3`: the limit. */
export function chunkWordQuery({ chunk, saturation }: WordScoring): string {
  const amount = amountOf(chunk, { counts: "t", lengths: "t", live: "i.chunks", sum: "chunkSum" });
  return `WITH ${rarities("i.chunks", "count(*)")},
  a AS (SELECT t.chunk, t.word, ${amount} AS amount FROM t CROSS JOIN i),
  s AS (SELECT a.chunk, sum(r.rarity * a.amount / (${saturation}::float8 + a.amount)) AS score
    FROM a JOIN r ON r.word = a.word GROUP BY a.chunk ORDER BY score DESC, a.chunk LIMIT $3::int)
  SELECT s.chunk, f.path, s.score FROM s
  JOIN harness_search.chunks c ON c.index_id = $1::int AND c.id = s.chunk
  JOIN harness_search.files f ON f.index_id = $1::int AND f.id = c.file ORDER BY s.score DESC, s.chunk`;
}

/** By BM25F over whole files: `path` and `score`. All chunks of a file have the same words of its path. */
export function fileWordQuery({ file, saturation }: WordScoring): string {
  const amount = amountOf(file, { counts: "g", lengths: "f", live: "i.live_files", sum: "fileSum" });
  return `WITH ${rarities("i.live_files", "count(DISTINCT file)")},
  g AS (SELECT t.file, t.word, sum(t.names) AS names, max(t.paths) AS paths, sum(t.comments) AS comments,
    sum(t.bodies) AS bodies FROM t GROUP BY t.file, t.word),
  a AS (SELECT f.path, g.word, ${amount} AS amount FROM g CROSS JOIN i
    JOIN harness_search.files f ON f.index_id = $1::int AND f.id = g.file),
  s AS (SELECT a.path, sum(r.rarity * a.amount / (${saturation}::float8 + a.amount)) AS score
    FROM a JOIN r ON r.word = a.word GROUP BY a.path)
  SELECT path, score FROM s ORDER BY score DESC, path LIMIT $3::int`;
}
