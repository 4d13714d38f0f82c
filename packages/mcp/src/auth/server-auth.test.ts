import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { browse } from "../../test/auth/browse.ts";
import { GuardedServer } from "../../test/auth/guarded-server.ts";
import { options, type TestPool, testPool } from "../../test/pool.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpAsk, McpQuestion } from "../ports/people.ts";

let server: GuardedServer;
const open: TestPool[] = [];
beforeEach(async () => {
  // The SDK reports there when it discards a token.
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  server = await new GuardedServer().listen();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(open.splice(0).map(({ pool }) => pool.close()));
  await server.close();
});

/** Opens the given address, like a user who agrees. */
const agree: McpAsk = async (question) => {
  if (question.kind === "url") await browse(question.url);
  return { action: "accept" };
};

/** A pool as after another start of harness, or in another process: logins are shared. */
function pool(config: Partial<McpServerConfig> = {}, logins = new Map<string, unknown>()): TestPool & Logins {
  const queue = new Map<string, Promise<unknown>>();
  const test = testPool({
    kept: {
      servers: { read: () => undefined, write: () => undefined },
      secrets: { add: () => undefined, hide: (text) => text },
      logins: {
        read: (key) => logins.get(key),
        write: (key, login) => void (login === undefined ? logins.delete(key) : logins.set(key, login)),
        locked: (key, task) => {
          const next = (queue.get(key) ?? Promise.resolve()).then(task, task);
          queue.set(key, next);
          return next;
        },
      },
    },
  });
  test.pool.configure([{ name: "guarded", from: "/mcp.json", url: server.url, transport: "http", ...config }]);
  open.push(test);
  return { ...test, logins };
}
type Logins = { logins: Map<string, unknown> };

const signal = () => new AbortController().signal;
const call = ({ pool }: TestPool, more = {}) => pool.callTool("guarded", "greet", {}, { ...options(), ...more });
const saved = (logins: Map<string, unknown>) => logins.get(server.url) as Record<string, Record<string, unknown>>;

describe("a server that wants a login", () => {
  test("says so, and nothing is registered or opened before a person asks for it", async () => {
    const { pool: servers, questions } = pool();
    expect(await servers.start("guarded")).toMatchObject({
      state: "needs-login",
      problem: "The MCP server guarded needs a login: run `harness mcp login guarded`.",
    });
    expect(questions).toEqual([]);
    expect(server.requests.every((request) => request === "POST /mcp")).toBe(true);
  });

  test("is logged in to over the browser, and the login is there at the next start", async () => {
    const first = pool();
    expect(await first.pool.login("guarded", agree, signal())).toMatchObject({ state: "ready" });
    expect(saved(first.logins)).toMatchObject({
      tokens: { access_token: server.access, refresh_token: server.refresh, issuer: server.origin },
      clients: { [server.origin]: { client_id: "client-1" } },
    });
    const second = pool({}, first.logins);
    expect(await second.pool.start("guarded")).toMatchObject({ state: "ready" });
    expect((await call(second)).text).toBe("welcome");
    expect(server.count("GET /authorize")).toBe(1);
  });

  test("fails with the address to open where nobody is there to open it", async () => {
    const asked: McpQuestion[] = [];
    const decline: McpAsk = async (question) => {
      asked.push(question);
      return { action: "decline" };
    };
    const view = await pool().pool.login("guarded", decline, signal());
    expect(view?.state).toBe("needs-login");
    expect(view?.problem).toContain("Run `harness mcp login guarded`, or open http://127.0.0.1");
    expect(asked).toMatchObject([{ kind: "url", url: expect.stringContaining("code_challenge_method=S256") }]);
  });

  test("gets its headers, which its authorization server does not", async () => {
    const { pool: servers } = pool({ headers: { "x-key": "secret" } });
    expect(await servers.login("guarded", agree, signal())).toMatchObject({ state: "ready" });
    expect(server.authHeaders.length).toBeGreaterThan(3);
    expect(server.authHeaders.some((headers) => "x-key" in headers)).toBe(false);
  });

  test("is logged out of, and wants a login again", async () => {
    const test = pool();
    await test.pool.login("guarded", agree, signal());
    await test.pool.logOut("guarded");
    expect(test.logins.size).toBe(0);
    expect(await test.pool.start("guarded")).toMatchObject({ state: "needs-login" });
  });
});

describe("a redirect", () => {
  test("with another state is not taken, and the login goes on", async () => {
    const statuses: number[] = [];
    const ask: McpAsk = async (question) => {
      const redirect = new URL(new URL((question as { url: string }).url).searchParams.get("redirect_uri") ?? "");
      statuses.push(await browse(`${redirect.href}?code=stolen&state=guessed`));
      return agree(question, signal());
    };
    expect(await pool().pool.login("guarded", ask, signal())).toMatchObject({ state: "ready" });
    expect(statuses).toEqual([400]);
  });

  test("that says no ends the login with a sentence", async () => {
    server.refusal = "access_denied";
    const view = await pool().pool.login("guarded", agree, signal());
    expect(view).toMatchObject({ state: "needs-login", problem: "Access to guarded was denied in the browser." });
  });

  test("never comes when the person cancels", async () => {
    const aborter = new AbortController();
    const ask: McpAsk = async () => {
      aborter.abort();
      return { action: "accept" };
    };
    const view = await pool().pool.login("guarded", ask, aborter.signal);
    expect(view?.problem).toBe("The login to guarded was cancelled.");
  });

  test("comes to the port of the first login, or to a new client where that is taken", async () => {
    const first = pool();
    await first.pool.login("guarded", agree, signal());
    const port = Number(saved(first.logins).redirectPort);
    server.access = "";
    server.refusesRefresh = true;
    await pool({}, first.logins).pool.login("guarded", agree, signal());
    expect(server.clients.size).toBe(1);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    server.access = "";
    const view = await pool({}, first.logins).pool.login("guarded", agree, signal());
    await new Promise((resolve) => other.close(resolve));
    expect(view?.state).toBe("ready");
    expect(server.clients.size).toBe(2);
  });
});

describe("a token", () => {
  test("that is over is renewed once, however many calls want it", async () => {
    server.expiresIn = 1;
    const test = pool();
    await test.pool.login("guarded", agree, signal());
    server.expiresIn = 3600;
    const before = server.count("POST /token");
    const outcomes = await Promise.all([call(test), call(test), call(test)]);
    expect(outcomes.map(({ text }) => text)).toEqual(["welcome", "welcome", "welcome"]);
    expect(server.count("POST /token") - before).toBeLessThanOrEqual(1);
  });

  test("that is refused is renewed without a word", async () => {
    const test = pool();
    await test.pool.login("guarded", agree, signal());
    server.access = "revoked";
    expect((await call(test)).text).toBe("welcome");
    expect(server.count("GET /authorize")).toBe(1);
  });

  test("that another process has renewed meanwhile is taken from it", async () => {
    const test = pool();
    await test.pool.login("guarded", agree, signal());
    server.access = "renewed-elsewhere";
    const { tokens, ...login } = saved(test.logins);
    const read = test.logins.get.bind(test.logins);
    // The state on disk once this one holds the lock.
    let reads = 0;
    test.logins.get = (key) => {
      reads += 1;
      return reads > 2 ? { ...login, tokens: { ...tokens, access_token: server.access } } : read(key);
    };
    const before = server.count("POST /token");
    expect((await call(test)).text).toBe("welcome");
    expect(server.count("POST /token")).toBe(before);
  });

  test("that cannot be renewed has the person asked amid the call, and the call goes on", async () => {
    const test = pool();
    await test.pool.login("guarded", agree, signal());
    server.access = "revoked";
    server.refusesRefresh = true;
    const refused = await call(test);
    expect(refused.status).toBe("error");
    expect(refused.text).toContain("needs a login, and nobody opened its address");
    expect((await call(test, { ask: agree })).text).toBe("welcome");
  });
});

test("a client that was registered by hand is never taken to another authorization server", async () => {
  const oauth = { clientId: "by-hand", clientSecret: "secret" };
  const test = pool({ oauth });
  expect(await test.pool.login("guarded", agree, signal())).toMatchObject({ state: "ready" });
  expect(server.clients.size).toBe(0);
  expect(JSON.stringify(saved(test.logins))).not.toContain('"secret"');
  const other = await new GuardedServer().listen();
  server.issuer = other.origin;
  server.access = "";
  server.refusesRefresh = true;
  const view = await pool({ oauth }, test.logins).pool.login("guarded", agree, signal());
  const moved = other.origin;
  await other.close();
  expect(view?.problem).toContain(
    `sends its logins to ${moved} now, but the client by-hand was used with ${server.origin}`,
  );
});
