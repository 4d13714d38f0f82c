import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text as bodyText } from "node:stream/consumers";
import type { ZodType } from "zod";
import { PointSet } from "./point-set.ts";
import { QdrantServerError } from "./qdrant-refusal.ts";
import { aliasChanges, createCollection, createIndex, requests } from "./request-schemas.ts";

export type QdrantRequestRecord = { method: string; path: string; body: unknown; headers: IncomingMessage["headers"] };

/** `none`: the right answer. */
type Fault = { status: number; headers?: Record<string, string>; body?: string } | "reset" | "none";
type Call = { method: string; path: string[]; query: URLSearchParams; body: unknown };

const NAME = /^[^<>:"/\\|?*\p{Cc}]{1,255}$/u;

/**
 * A server of Qdrant's REST API in memory, after its published OpenAPI and the source of its refusals: it takes what a
 * real one takes, and refuses unknown fields too. In strict mode, so that filters need indexes.
 */
export class QdrantServer {
  readonly requests: QdrantRequestRecord[] = [];
  /** The next answers, in place of the right ones. */
  readonly faults: Fault[] = [];
  readonly collections = new Map<string, PointSet>();
  readonly aliases = new Map<string, string>();
  readonly #server: Server;
  readonly #apiKey: string | undefined;

  private constructor(apiKey: string | undefined) {
    this.#apiKey = apiKey;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start({ apiKey }: { apiKey?: string } = {}): Promise<QdrantServer> {
    const server = new QdrantServer(apiKey);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", headers } = request;
    const url = new URL(request.url ?? "/", "http://localhost");
    const text = await bodyText(request);
    const send = (status: number, body: string, more: Record<string, string> = {}) =>
      response.writeHead(status, { "content-type": "application/json", ...more }).end(body);
    const refuse = (status: number, error: string) => send(status, JSON.stringify({ status: { error }, time: 0.001 }));
    try {
      const body = bodyOf(text);
      this.requests.push({ method, path: `${url.pathname}${url.search}`, body, headers });
      const fault = this.faults.shift();
      if (fault === "reset") request.socket.destroy();
      else if (fault && fault !== "none")
        send(fault.status, fault.body ?? '{"status":{"error":"fault"},"time":0}', fault.headers);
      else if (this.#apiKey !== undefined && headers["api-key"] !== this.#apiKey)
        send(401, "Must provide an API key or an Authorization bearer token");
      else {
        const path = url.pathname.split("/").slice(1).map(decodeURIComponent);
        const result = this.#answer({ method, path, query: url.searchParams, body });
        send(200, JSON.stringify({ result, status: "ok", time: 0.001 }));
      }
    } catch (error) {
      if (error instanceof QdrantServerError) refuse(error.status, error.message);
      else refuse(500, `Service internal error: ${String(error)}`);
    }
  }

  #answer(call: Call): unknown {
    const { method, path, body } = call;
    const [root, name = "", ...rest] = path;
    if (method === "GET" && path.join("/") === "") return { title: "qdrant - vector search engine", version: "1.17.0" };
    if (root !== "collections") throw new QdrantServerError(404, "Not found");
    const what = `${method} ${rest.join("/")}`;
    if (method === "POST" && name === "aliases") return this.#changeAliases(body);
    if (what === "GET exists") return { exists: this.#find(name) !== undefined };
    if (what === "PUT ") return this.#create(name, body);
    if (what === "DELETE ") return this.#delete(name);
    const collection = this.#find(name);
    if (!collection) throw new QdrantServerError(404, `Not found: Collection \`${name}\` doesn't exist!`);
    if (what === "GET aliases") return { aliases: this.#aliasesOf(name) };
    if (what === "PUT index") return indexField(collection, body);
    if (method === "DELETE" && rest[0] === "index") return done(collection.indexes.delete(rest[1] ?? ""));
    const row = pointMethods[what];
    if (!row) throw new QdrantServerError(404, "Not found");
    return row(collection, body);
  }

  #find(name: string): PointSet | undefined {
    return this.collections.get(this.aliases.get(name) ?? name);
  }

  #create(name: string, body: unknown): boolean {
    const config = parse(createCollection, body);
    if (!NAME.test(name)) throw new QdrantServerError(422, "Validation error in path parameters: invalid name");
    if (this.#find(name)) throw new QdrantServerError(409, `Wrong input: Collection \`${name}\` already exists!`);
    this.collections.set(name, new PointSet(config));
    return true;
  }

  #delete(name: string): boolean {
    for (const [alias, target] of this.aliases) if (target === name) this.aliases.delete(alias);
    return this.collections.delete(name);
  }

  #changeAliases(body: unknown): boolean {
    const { actions } = parse(aliasChanges, body);
    for (const action of actions) {
      if ("delete_alias" in action) this.aliases.delete(action.delete_alias.alias_name);
      else {
        const { alias_name, collection_name } = action.create_alias;
        if (!this.collections.has(collection_name))
          throw new QdrantServerError(404, `Not found: Collection \`${collection_name}\` doesn't exist!`);
        if (this.collections.has(alias_name))
          throw new QdrantServerError(409, `Wrong input: Collection \`${alias_name}\` already exists!`);
        this.aliases.set(alias_name, collection_name);
      }
    }
    return true;
  }

  #aliasesOf(name: string) {
    return [...this.aliases]
      .filter(([, target]) => target === name)
      .map(([alias_name, collection_name]) => ({ alias_name, collection_name }));
  }
}

type WithPayload = boolean | readonly string[] | undefined;

const pointMethods: Readonly<Record<string, (collection: PointSet, body: unknown) => unknown>> = {
  "PUT points": (collection, body) => done(collection.upsert(parse(requests.upsert, body).points)),
  "POST points": (collection, body) => {
    const { ids, with_payload: wanted = true } = parse(requests.retrieve, body);
    return collection.byId(ids).map((point) => shown(point, wanted));
  },
  "POST points/delete": (collection, body) => {
    const selected = parse(requests.delete, body);
    const ids = "points" in selected ? selected.points : collection.matching(selected.filter).map(({ id }) => id);
    return done(collection.remove(ids));
  },
  "POST points/batch": (collection, body) =>
    parse(requests.batch, body).operations.map(({ set_payload: { payload, ...selected } }) =>
      done(collection.setPayload(idsOf(collection, selected), payload)),
    ),
  "POST points/payload/delete": (collection, body) => {
    const { keys, ...selected } = parse(requests.deletePayload, body);
    return done(collection.removePayload(idsOf(collection, selected), keys));
  },
  "POST points/scroll": (collection, body) => {
    const { filter, limit = 10, offset, with_payload: wanted = true } = parse(requests.scroll, body);
    const all = collection.matching(filter);
    const from = offset === undefined ? 0 : all.findIndex(({ id }) => String(id) >= String(offset));
    const page = from < 0 ? [] : all.slice(from, from + limit);
    const next = from < 0 ? undefined : all[from + limit]?.id;
    return { points: page.map((point) => shown(point, wanted)), next_page_offset: next ?? null };
  },
  "POST points/count": (collection, body) => ({
    count: collection.matching(parse(requests.count, body).filter).length,
  }),
  "POST points/query/batch": (collection, body) =>
    parse(requests.queryBatch, body).searches.map((search) => ({
      points: collection
        .search(search)
        .map(({ point, score }) => ({ ...shown(point, search.with_payload ?? false), version: 0, score })),
    })),
};

function idsOf(collection: PointSet, { points, filter }: { points?: (string | number)[]; filter?: object }) {
  return points ?? collection.matching(filter ?? {}).map(({ id }) => id);
}

function indexField(collection: PointSet, body: unknown) {
  const { field_name: field, field_schema: type } = parse(createIndex, body);
  return done(collection.indexes.set(field, typeof type === "string" ? type : type.type));
}

function done(_result: unknown) {
  return { operation_id: 0, status: "completed" };
}

function shown({ id, payload }: { id: string | number; payload: Record<string, unknown> }, wanted: WithPayload) {
  if (wanted === undefined || wanted === false) return { id };
  const keys = wanted === true ? Object.keys(payload) : wanted.filter((key) => key in payload);
  return { id, payload: Object.fromEntries(keys.map((key) => [key, payload[key]])) };
}

function parse<T>(schema: ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const problem = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
  throw new QdrantServerError(400, `Format error in JSON body: ${problem}`);
}

/** Its parser refuses half characters. */
function bodyOf(text: string): unknown {
  if (text === "") return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (JSON.stringify(body).match(/\\ud[89a-f]/i)) throw new Error("unexpected end of hex escape");
    return body;
  } catch (error) {
    throw new QdrantServerError(400, `Format error in JSON body: ${String(error)}`);
  }
}
