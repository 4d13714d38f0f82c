import { pathOf } from "./collections.ts";
import type { QdrantConnection } from "./qdrant-connection.ts";
import { type Point, type PointReply, pointReplies } from "./stored-points.ts";
import type { WordWeights } from "./word-weights.ts";

type Condition =
  | { key: string; match: { value: string | boolean } | { any: readonly string[] } }
  | { has_id: readonly string[] };
export type PointFilter = { must?: readonly Condition[]; must_not?: readonly Condition[] };

export type NearQuery = {
  query: WordWeights | readonly number[];
  /** The name of the vector. */
  using: string;
  limit: number;
  payload: readonly string[];
};

/** The payload of the points that it is set for. */
export type PayloadChange = { payload: object; filter: PointFilter };

const PAGE = 1_000;
/** Points in one request, unless they are large. */
const UPSERT_POINTS = 256;
/** Servers take 32 MB by default. */
const UPSERT_CHARACTERS = 8 * 1024 * 1024;

export function equals(key: string, value: string): Condition {
  return { key, match: { value } };
}

export function isTrue(key: string): Condition {
  return { key, match: { value: true } };
}

export function isOneOf(key: string, values: readonly string[]): Condition {
  return { key, match: { any: values } };
}

/** The points of one collection, also by an alias of it. A change is stored when its method resolves. */
export class PointTable {
  readonly #connection: QdrantConnection;
  readonly #path: string;

  constructor(connection: QdrantConnection, collection: string) {
    this.#connection = connection;
    this.#path = `${pathOf(collection)}/points`;
  }

  /** At most `limit` points, by id. */
  async some(filter: PointFilter, limit: number, payload: readonly string[] | true): Promise<PointReply[]> {
    return (await this.#page({ filter, limit, with_payload: payload })).points;
  }

  /** All points, page by page. */
  async *all(filter: PointFilter, payload: readonly string[] | true): AsyncGenerator<PointReply> {
    let offset: unknown;
    do {
      const body = { filter, limit: PAGE, with_payload: payload, ...(offset !== undefined && { offset }) };
      const { points, next } = await this.#page(body);
      yield* points;
      offset = next ?? undefined;
    } while (offset !== undefined);
  }

  async byId(ids: readonly string[], payload: readonly string[] | true): Promise<PointReply[]> {
    const found: PointReply[] = [];
    for (const page of pagesOf(ids))
      found.push(...pointReplies(await this.#connection.ask("POST", this.#path, { ids: page, with_payload: payload })));
    return found;
  }

  async count(filter: PointFilter): Promise<number> {
    const result = await this.#connection.ask("POST", `${this.#path}/count`, { filter, exact: true });
    return typeof result === "object" && result !== null && "count" in result ? Number(result.count) : 0;
  }

  /** For each query: the best first. Undefined if there is no such collection. */
  async near(queries: readonly NearQuery[], params?: object): Promise<PointReply[][] | undefined> {
    const searches = queries.map(({ payload, ...query }) => ({
      ...query,
      with_payload: payload,
      ...(params && { params }),
    }));
    const result = await this.#connection.find("POST", `${this.#path}/query/batch`, { searches });
    return Array.isArray(result) ? result.map(pointsOf) : undefined;
  }

  async upsert(points: readonly Point[]): Promise<void> {
    let page: Point[] = [];
    let characters = 0;
    const flush = async () => {
      if (page.length > 0) await this.#connection.ask("PUT", `${this.#path}?wait=true`, { points: page });
      page = [];
      characters = 0;
    };
    for (const { id, vector, payload } of points) {
      page.push({ id, vector, payload });
      characters += JSON.stringify(payload).length;
      if (page.length >= UPSERT_POINTS || characters >= UPSERT_CHARACTERS) await flush();
    }
    await flush();
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const points of pagesOf(ids)) await this.#connection.ask("POST", `${this.#path}/delete?wait=true`, { points });
  }

  /** One after the other, in one request for many. */
  async setPayloads(changes: readonly PayloadChange[]): Promise<void> {
    for (const page of pagesOf(changes)) {
      const operations = page.map((change) => ({ set_payload: change }));
      await this.#connection.ask("POST", `${this.#path}/batch?wait=true`, { operations });
    }
  }

  async removePayload(key: string, filter: PointFilter): Promise<void> {
    await this.#connection.ask("POST", `${this.#path}/payload/delete?wait=true`, { keys: [key], filter });
  }

  async #page(body: object): Promise<{ points: PointReply[]; next: unknown }> {
    const result = await this.#connection.ask("POST", `${this.#path}/scroll`, body);
    const next = typeof result === "object" && result !== null && "next_page_offset" in result;
    return { points: pointsOf(result), next: next ? result.next_page_offset : undefined };
  }
}

function pointsOf(result: unknown): PointReply[] {
  return typeof result === "object" && result !== null && "points" in result ? pointReplies(result.points) : [];
}

function* pagesOf<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += PAGE) yield list.slice(at, at + PAGE);
}
