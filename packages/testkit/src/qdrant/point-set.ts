import { QdrantServerError } from "./qdrant-refusal.ts";
import type { CollectionInput, FilterInput, PointInput, SearchInput } from "./request-schemas.ts";

type Payload = Record<string, unknown>;
type Sparse = { indices: number[]; values: number[] };
type StoredPoint = { id: string | number; vector: Record<string, number[] | Sparse>; payload: Payload };

/** The points of one collection in memory, searched exactly. */
export class PointSet {
  readonly config: CollectionInput;
  /** The type of its index, by field of the payload. */
  readonly indexes = new Map<string, string>();
  readonly #points = new Map<string | number, StoredPoint>();

  constructor(config: CollectionInput) {
    this.config = config;
  }

  upsert(points: readonly PointInput[]): void {
    const stored = points.map(({ id, vector, payload }) => ({
      id,
      payload: payload ?? {},
      vector: this.#vectors(vector),
    }));
    for (const point of stored) this.#points.set(point.id, point);
  }

  /** Those that do not exist are ignored. */
  remove(ids: readonly (string | number)[]): void {
    for (const id of ids) this.#points.delete(id);
  }

  setPayload(ids: readonly (string | number)[], payload: Payload): void {
    for (const id of ids) Object.assign(this.#existing(id).payload, structuredClone(payload));
  }

  removePayload(ids: readonly (string | number)[], keys: readonly string[]): void {
    for (const id of ids) for (const key of keys) delete this.#existing(id).payload[key];
  }

  /** In the order of ids. */
  matching(filter: FilterInput = {}): StoredPoint[] {
    this.#checkFilter(filter);
    const found = [...this.#points.values()].filter((point) => matches(point, filter));
    return found.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  }

  byId(ids: readonly (string | number)[]): StoredPoint[] {
    return ids.flatMap((id) => this.#points.get(id) ?? []);
  }

  search({ query, using = "", filter, limit = 10 }: SearchInput): { point: StoredPoint; score: number }[] {
    const points = this.matching(filter);
    const scored = Array.isArray(query) ? this.#dense(points, query, using) : this.#sparse(points, query, using);
    return scored.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  #dense(points: readonly StoredPoint[], query: readonly number[], using: string) {
    const params = this.config.vectors?.[using];
    if (!params) throw new QdrantServerError(400, `Wrong input: Not existing vector name error: ${using}`);
    checkDimensions(params.size, query.length);
    const wanted = normalised(query);
    return points.flatMap((point) => {
      const vector = point.vector[using];
      if (!Array.isArray(vector)) return [];
      return [{ point, score: vector.reduce((sum, value, at) => sum + value * (wanted[at] ?? 0), 0) }];
    });
  }

  #sparse(points: readonly StoredPoint[], query: Sparse, using: string) {
    const params = this.config.sparse_vectors?.[using];
    if (!params) throw new QdrantServerError(400, `Wrong input: Not existing vector name error: ${using}`);
    // Rarity is counted in the whole collection, whatever the filter.
    const all = [...this.#points.values()].map(({ vector }) => vector[using]).filter(isSparse);
    const weights = new Map(
      query.indices.map((index, at) => {
        const count = all.filter(({ indices }) => indices.includes(index)).length;
        const rarity = params.modifier === "idf" ? Math.log(1 + (all.length - count + 0.5) / (count + 0.5)) : 1;
        return [index, (query.values[at] ?? 0) * rarity];
      }),
    );
    return points.flatMap((point) => {
      const vector = point.vector[using];
      if (!isSparse(vector) || !vector.indices.some((index) => weights.has(index))) return [];
      const score = vector.indices.reduce(
        (sum, index, at) => sum + (weights.get(index) ?? 0) * (vector.values[at] ?? 0),
        0,
      );
      return [{ point, score }];
    });
  }

  #vectors(given: PointInput["vector"]): StoredPoint["vector"] {
    const stored: StoredPoint["vector"] = {};
    for (const [name, vector] of Object.entries(given)) {
      const params = this.config.vectors?.[name];
      const isKnown = Array.isArray(vector) ? params !== undefined : this.config.sparse_vectors?.[name] !== undefined;
      if (!isKnown) throw new QdrantServerError(400, `Wrong input: Not existing vector name error: ${name}`);
      if (Array.isArray(vector)) checkDimensions(params?.size ?? 0, vector.length);
      stored[name] = Array.isArray(vector) ? normalised(vector) : vector;
    }
    return stored;
  }

  #existing(id: string | number): StoredPoint {
    const point = this.#points.get(id);
    if (!point) throw new QdrantServerError(404, `Not found: No point with id ${id} found`);
    return point;
  }

  /** As in strict mode. */
  #checkFilter({ must = [], must_not = [] }: FilterInput): void {
    for (const condition of [...must, ...must_not]) {
      if ("key" in condition && !this.indexes.has(condition.key)) {
        const advice = `Index required but not found for "${condition.key}" of one of the following types: [keyword]. Help: Create an index for this key or use a different filter.`;
        throw new QdrantServerError(400, `Bad request: ${advice}`);
      }
    }
  }
}

function matches(point: StoredPoint, { must = [], must_not = [] }: FilterInput): boolean {
  const holds = (condition: NonNullable<FilterInput["must"]>[number]): boolean => {
    if ("has_id" in condition) return condition.has_id.includes(point.id);
    const own = point.payload[condition.key];
    const wanted: unknown[] = "any" in condition.match ? condition.match.any : [condition.match.value];
    return (Array.isArray(own) ? own : [own]).some((value) => wanted.includes(value));
  };
  return must.every(holds) && !must_not.some(holds);
}

function isSparse(vector: unknown): vector is Sparse {
  return typeof vector === "object" && vector !== null && "indices" in vector;
}

function checkDimensions(expected: number, got: number): void {
  if (expected === got) return;
  const words = `Wrong input: Vector dimension error: expected dim: ${expected}, got ${got}`;
  throw new QdrantServerError(400, words);
}

/** As 32-bit numbers, in which the server keeps them. */
function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return [...Float32Array.from(vector, (value) => value / length)];
}
