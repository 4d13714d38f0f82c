// The parts of the web's classes (https://fetch.spec.whatwg.org) that the vendors' clients need. The bundle replaces
// Node's with these, because their first use loads an HTTP client in some 65 ms. Requests leave through packages/host.
// The bodies of models' replies are read there: a response is then just a status and headers.

const nameOf = (name) => String(name).toLowerCase();

export class Headers {
  #values = new Map();

  constructor(init) {
    if (init === undefined || init === null) return;
    const entries = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  append(name, value) {
    const before = this.#values.get(nameOf(name));
    this.#values.set(nameOf(name), before === undefined ? String(value).trim() : `${before}, ${String(value).trim()}`);
  }

  set(name, value) {
    this.#values.set(nameOf(name), String(value).trim());
  }

  get(name) {
    return this.#values.get(nameOf(name)) ?? null;
  }

  has(name) {
    return this.#values.has(nameOf(name));
  }

  delete(name) {
    this.#values.delete(nameOf(name));
  }

  getSetCookie() {
    return this.has("set-cookie") ? [this.get("set-cookie")] : [];
  }

  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }

  *entries() {
    yield* [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  *keys() {
    for (const [name] of this.entries()) yield name;
  }

  *values() {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator]() {
    return this.entries();
  }
}

/** A stream that has ended. */
const nothing = {
  getReader: () => ({
    read: async () => ({ done: true, value: undefined }),
    cancel: async () => undefined,
    releaseLock: () => undefined,
  }),
  cancel: async () => undefined,
};

/** A body that is a stream stays one: MCP servers answer over hours. */
const isStream = (body) => typeof body?.getReader === "function";

export class Response {
  #text;

  constructor(body = "", { status = 200, statusText = "", headers } = {}) {
    this.#text = isStream(body) ? undefined : String(body ?? "");
    this.status = status;
    this.statusText = statusText;
    this.headers = new Headers(headers);
    this.url = "";
    this.body = isStream(body) ? body : nothing;
  }

  get ok() {
    return this.status >= 200 && this.status <= 299;
  }

  async text() {
    if (this.#text !== undefined) return this.#text;
    const decoder = new TextDecoder();
    let text = "";
    for await (const piece of this.body) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  }

  async json() {
    return JSON.parse(await this.text());
  }

  async arrayBuffer() {
    return new TextEncoder().encode(await this.text()).buffer;
  }
}

export class Request {
  constructor(input, init = {}) {
    this.url = String(input?.url ?? input);
    this.method = init.method ?? "GET";
    this.headers = new Headers(init.headers);
  }
}

/** Uploads of files are not used. */
export class FormData {}

/** Every client is given a `fetch` of ours; one that lacks it reaches nothing. */
export async function fetch() {
  throw new TypeError("Requests leave through packages/host only.");
}
