import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { endEvent, failedEvent, lastOf, talk } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { realClock } from "../../../test/clocks.ts";
import { locate } from "../../vendors/locate.ts";
import { vendors } from "../../vendors/vendors.ts";
import { anthropicMessages } from "../anthropic/anthropic-messages.ts";
import { createWireProvider } from "../create-wire-provider.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { LoginError, type LoginSession } from "../endpoint/login-session.ts";
import { ollamaChat } from "../ollama/ollama.ts";
import { openAiChat } from "../openai/openai-chat.ts";
import type { WireApi } from "../wire-api.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

type Wire = { api: WireApi; type: string; answer: string };

const wires: Record<string, Wire> = {
  "openai-chat": {
    api: openAiChat,
    type: "text/event-stream",
    answer: 'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  },
  ollama: {
    api: ollamaChat,
    type: "application/x-ndjson",
    answer: '{"message":{"role":"assistant","content":"ok"},"done":true,"done_reason":"stop"}\n',
  },
  anthropic: {
    api: anthropicMessages,
    type: "application/json",
    answer: '{"type":"message","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn"}',
  },
};

const names = Object.keys(wires);

/** A server that accepts requests with one of these credentials, and records the headers. */
async function serve(name: string, good: string[], access: Partial<Endpoint>) {
  const wire = wires[name];
  const vendor = vendors.find((each) => each.api === name);
  if (!wire || !vendor) throw new Error(name);
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume();
    const said = [request.headers.authorization, request.headers["x-api-key"]].join(" ");
    if (good.some((word) => said.includes(word))) {
      response.writeHead(200, { "content-type": wire.type }).end(wire.answer);
    } else {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { type: "authentication_error", message: `bad: ${said}` } }));
    }
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const located = locate(vendor, { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  if (!located.ok) throw new Error(located.problem);
  const endpoint: Endpoint = { ...located.endpoint, ...access };
  const provider = createWireProvider(wire.api, endpoint, { clock: realClock, random: () => 0 });
  return { provider, seen };
}

/** A login whose token is replaced when it is refused. */
class Login implements LoginSession {
  readonly refused: string[] = [];
  readonly #tokens: string[];

  constructor(...tokens: string[]) {
    this.#tokens = tokens;
  }

  async token() {
    return { token: this.#tokens[0] ?? "", account: "acc" };
  }

  async renew(refused: string) {
    this.refused.push(refused);
    if (this.#tokens.length < 2) return false;
    this.#tokens.shift();
    return true;
  }
}

describe.each(names)("the authorization by %s", (name) => {
  it("is a key in the place that the API wants", async () => {
    const { provider, seen } = await serve(name, ["sk-good"], { key: "sk-good" });
    expect(endEvent(await talk(provider)).parts).toEqual([{ type: "text", text: "ok" }]);
    const expected = name === "anthropic" ? { "x-api-key": "sk-good" } : { authorization: "Bearer sk-good" };
    expect(seen[0]).toMatchObject(expected);
  });

  it("is empty without a key", async () => {
    const { provider, seen } = await serve(name, [" "], {});
    endEvent(await talk(provider));
    expect(seen[0]).not.toHaveProperty("authorization");
    expect(seen[0]).not.toHaveProperty("x-api-key");
  });

  it("is the token of a login, before any key", async () => {
    const { provider, seen } = await serve(name, ["tok-1"], { key: "sk-no", login: new Login("tok-1") });
    endEvent(await talk(provider));
    expect(seen[0]?.authorization).toBe("Bearer tok-1");
    expect(seen[0]).not.toHaveProperty("x-api-key");
  });

  it("is renewed unnoticed when the token is refused", async () => {
    const login = new Login("tok-1", "tok-2");
    const { provider, seen } = await serve(name, ["tok-2"], { login });
    const events = await talk(provider);
    expect(endEvent(events).parts).toEqual([{ type: "text", text: "ok" }]);
    expect(seen.map((headers) => headers.authorization)).toEqual(["Bearer tok-1", "Bearer tok-2"]);
    expect(login.refused).toEqual(["tok-1"]);
  });

  it("is renewed only once", async () => {
    const { provider, seen } = await serve(name, [], { login: new Login("tok-1", "tok-2", "tok-3") });
    const { failure } = failedEvent(await talk(provider));
    expect(failure.kind).toBe("auth");
    expect(failure.message).toContain("harness auth login");
    expect(failure.message).not.toContain("tok-2");
    expect(seen).toHaveLength(2);
  });

  it("is not retried without a better one", async () => {
    const { provider, seen } = await serve(name, [], { login: new Login("tok-1") });
    expect(failedEvent(await talk(provider)).failure.kind).toBe("auth");
    expect(seen).toHaveLength(1);
  });
});

describe("a login at a request", () => {
  const problem = new LoginError("Your login has ended. Log in again: harness auth login claude");

  it("is reported in its own words, without a request, when it has ended", async () => {
    const login: LoginSession = { token: () => Promise.reject(problem), renew: async () => false };
    const { provider, seen } = await serve("anthropic", [], { login });
    expect(lastOf(await talk(provider))).toEqual({
      type: "failed",
      failure: { kind: "auth", message: problem.message },
      retryable: false,
    });
    expect(seen).toEqual([]);
  });

  it("is reported as well when it ends while it is renewed", async () => {
    const login: LoginSession = { token: async () => ({ token: "tok-1" }), renew: () => Promise.reject(problem) };
    const { provider } = await serve("anthropic", [], { login });
    expect(failedEvent(await talk(provider)).failure).toEqual({ kind: "auth", message: problem.message });
  });

  it("is not waited for once the turn is cancelled", async () => {
    const never = new Promise<never>(() => undefined);
    const login: LoginSession = { token: () => never, renew: async () => false };
    const { provider } = await serve("anthropic", [], { login });
    const abort = new AbortController();
    const events = talk(provider, {}, abort.signal);
    abort.abort();
    expect(await events).toEqual([{ type: "end", parts: [], stop: "cut" }]);
  });
});

describe("the address of messages", () => {
  it.each(["", "/v1", "/anthropic", "/anthropic/v1"])("is found below %j", async (path) => {
    const vendor = vendors.find((each) => each.api === "anthropic");
    const located = vendor && locate(vendor, { baseUrl: `http://h.example${path}` });
    if (!located?.ok) throw new Error(path);
    let url = "";
    const fetch = async (input: string | URL | Request) => {
      url = String(input);
      return new Response("");
    };
    await anthropicMessages.send({ body: {}, endpoint: located.endpoint, fetch });
    expect(url).toBe(`http://h.example${path.replace(/\/v1$/, "")}/v1/messages`);
  });
});
