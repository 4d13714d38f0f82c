import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Json = Record<string, unknown>;

/** An MCP server of the legacy era that wants a login, and its authorization server, in this process. */
export class GuardedServer {
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #codes = new Map<string, { challenge: string; redirect: string; client: string }>();
  #count = 0;
  /** Requests by path, as `METHOD /path`. */
  readonly requests: string[] = [];
  /** Headers of the requests to the authorization server. */
  readonly authHeaders: IncomingMessage["headers"][] = [];
  readonly clients = new Map<string, { redirect_uris: string[] }>();
  access = "";
  refresh = "";
  expiresIn: number | undefined = 3600;
  refusesRefresh = false;
  /** Differs from this server's own: it has moved. */
  issuer: string | undefined;
  /** The answer of the authorization server in place of a code. */
  refusal: string | undefined;

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  count(request: string): number {
    return this.requests.filter((each) => each === request).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.origin);
    this.requests.push(`${request.method} ${url.pathname}`);
    const body = await text(request);
    if (url.pathname === "/mcp") return this.#serve(request, response, body);
    this.authHeaders.push(request.headers);
    const issuer = this.issuer ?? this.origin;
    if (url.pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return json(response, { resource: this.url, authorization_servers: [issuer], scopes_supported: ["read"] });
    }
    if (url.pathname.startsWith("/.well-known/oauth-authorization-server"))
      return json(response, this.#metadata(issuer));
    if (url.pathname === "/register") return this.#register(response, JSON.parse(body) as Json);
    if (url.pathname === "/authorize") return this.#authorize(response, url.searchParams);
    if (url.pathname === "/token") return this.#token(response, new URLSearchParams(body));
    response.writeHead(404).end();
  }

  #metadata(issuer: string): Json {
    const at = (path: string) => `${this.origin}${path}`;
    return {
      issuer,
      authorization_endpoint: at("/authorize"),
      token_endpoint: at("/token"),
      registration_endpoint: at("/register"),
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #register(response: ServerResponse, metadata: Json): void {
    const id = `client-${this.clients.size + 1}`;
    const redirect_uris = metadata.redirect_uris as string[];
    this.clients.set(id, { redirect_uris });
    json(response, { ...metadata, client_id: id }, 201);
  }

  #authorize(response: ServerResponse, params: URLSearchParams): void {
    const redirect = new URL(params.get("redirect_uri") ?? "");
    const client = params.get("client_id") ?? "";
    const registered = this.clients.get(client);
    if (registered && !registered.redirect_uris.includes(redirect.href)) return void response.writeHead(400).end();
    const code = `code-${++this.#count}`;
    this.#codes.set(code, { challenge: params.get("code_challenge") ?? "", redirect: redirect.href, client });
    redirect.searchParams.set("state", params.get("state") ?? "");
    redirect.searchParams.set("iss", this.issuer ?? this.origin);
    if (this.refusal === undefined) redirect.searchParams.set("code", code);
    else redirect.searchParams.set("error", this.refusal);
    response.writeHead(302, { location: redirect.href }).end();
  }

  #token(response: ServerResponse, params: URLSearchParams): void {
    const isRefresh = params.get("grant_type") === "refresh_token";
    const isGood = isRefresh ? this.#takesRefresh(params) : this.#takesCode(params);
    if (!isGood) {
      json(response, { error: "invalid_grant" }, 400);
      return;
    }
    this.#count += 1;
    this.access = `access-${this.#count}`;
    this.refresh = `refresh-${this.#count}`;
    const lifetime = this.expiresIn !== undefined && { expires_in: this.expiresIn };
    json(response, { access_token: this.access, refresh_token: this.refresh, token_type: "Bearer", ...lifetime });
  }

  /** Each only once. */
  #takesRefresh(params: URLSearchParams): boolean {
    return !this.refusesRefresh && params.get("refresh_token") === this.refresh && this.refresh !== "";
  }

  #takesCode(params: URLSearchParams): boolean {
    const code = this.#codes.get(params.get("code") ?? "");
    this.#codes.delete(params.get("code") ?? "");
    const verifier = params.get("code_verifier") ?? "";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    return code?.challenge === challenge && code.redirect === params.get("redirect_uri");
  }

  #serve(request: IncomingMessage, response: ServerResponse, body: string): void {
    if (this.access === "" || request.headers.authorization !== `Bearer ${this.access}`) {
      const challenge = `Bearer resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp", scope="read"`;
      return void response.writeHead(401, { "www-authenticate": challenge }).end();
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const answers: Json = {
      initialize: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: {} },
        serverInfo: { name: "guarded", version: "1" },
      },
      "tools/list": { tools: [{ name: "greet", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: "welcome" }] },
    };
    const result = answers[method];
    if (result) json(response, { jsonrpc: "2.0", id, result });
    else json(response, { jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } });
  }
}

function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
