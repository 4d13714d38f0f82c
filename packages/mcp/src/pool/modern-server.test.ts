import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { fixture, options, startedPool, type TestPool } from "../../test/pool.ts";
import { type HttpProcess, startHttpProcess } from "../../test/servers/http-process.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpServerView } from "./server-view.ts";

const open: TestPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ pool }) => pool.close()));
});

const program = fixture("modern-server.ts").args?.[0] ?? "";
let http: HttpProcess;
beforeAll(async () => {
  http = await startHttpProcess((port) => [program, String(port)], "/mcp");
});
afterAll(() => http.close());

const ways: ["stdio" | "http", () => McpServerConfig][] = [
  ["stdio", () => fixture("modern-server.ts")],
  ["http", () => ({ name: "fixture", from: "/mcp.json", url: http.url })],
];

describe.each(ways)("a server of the modern era alone over %s", (way, config) => {
  async function started(more: Partial<McpServerConfig> = {}, ports: Parameters<typeof startedPool>[1] = {}) {
    const test = await startedPool({ ...config(), ...more }, ports);
    open.push(test);
    return { ...test, view: test.pool.servers()[0] };
  }

  test("is found out to be one, lists what it has and says how it is to be used", async () => {
    const { pool, view } = await started();
    expect(view).toMatchObject({ state: "ready", era: "modern", version: "2.0.0", instructions: "Speak slowly." });
    expect(view?.tools.map(({ name }) => name)).toEqual(["ask", "change", "echo", "slow"]);
    expect(view?.prompts).toMatchObject([{ name: "weather", arguments: [{ name: "city", required: true }] }]);
    expect(view?.resources).toMatchObject([{ uri: "notes://today", mimeType: "text/plain" }]);
    expect(view?.templates).toMatchObject([{ uriTemplate: "notes://{day}" }]);
    expect((await pool.callTool("fixture", "echo", { words: "hi" }, options())).text).toBe("hi");
    const prompt = await pool.getPrompt("fixture", "weather", { city: "Rome" }, options());
    expect(prompt).toMatchObject({ messages: [{ role: "user", text: "How is the weather in Rome?" }] });
    const read = await pool.readResource("fixture", "notes://today", options());
    expect(read).toMatchObject({ pieces: [{ text: "Buy milk." }] });
  });

  test("asks the person amid a call, and is given the defaults that they left", async () => {
    const { pool, questions } = await started({}, { answer: { action: "accept", content: {} } });
    expect((await pool.callTool("fixture", "ask", {}, options())).text).toBe("Hello nobody");
    expect(questions).toMatchObject([{ kind: "form", server: "fixture", message: "Who are you?" }]);
  });

  test("learns of a cancel", async () => {
    const { pool, logs } = await started();
    const aborter = new AbortController();
    const seen = Promise.withResolvers<void>();
    const call = pool.callTool("fixture", "slow", {}, { signal: aborter.signal, onProgress: () => seen.resolve() });
    await seen.promise;
    aborter.abort();
    expect(await call).toMatchObject({ status: "error", text: "slow of the MCP server fixture was cancelled." });
    if (way === "stdio")
      await expect.poll(() => logs.get("fixture"), { timeout: 60_000 }).toContain("slow was cancelled");
  });

  test("is not asked for its era again, and still says when its tools change", async () => {
    const first = await started();
    const known = [...first.kept.values()];
    expect(known).toMatchObject([{ kind: "modern", discover: { supportedVersions: ["2026-07-28"] } }]);
    const { pool, view } = await started({}, { kept: keptIn(first.kept) });
    expect(view).toMatchObject({ state: "ready", era: "modern" });
    const changed = new Promise<McpServerView | undefined>((resolve) =>
      pool.onChanged(({ what }) => what === "lists" && resolve(pool.servers()[0])),
    );
    await pool.callTool("fixture", "change", {}, options());
    if (way === "stdio") expect((await changed)?.tools.map(({ name }) => name)).toContain("later");
    else await changed;
  });

  test("is asked again where what was known is no longer so", async () => {
    const first = await started();
    const [key = ""] = first.kept.keys();
    first.kept.set(key, { kind: "legacy", at: Date.now() });
    const { view } = await started({}, { kept: keptIn(first.kept) });
    expect(view).toMatchObject({ state: "ready", era: "modern" });
    expect(first.kept.get(key)).toMatchObject({ kind: "modern" });
  });

  test("fails where the file says that it is of the legacy era", async () => {
    const { view } = await started({ era: "legacy" });
    expect(view?.state).toBe("failed");
    expect(view?.problem).toContain("The MCP server fixture did not start:");
  });
});

test("a server of the legacy era fails where the file says that it is of the modern one", async () => {
  const test = await startedPool(fixture("plain-server.ts", [], { era: "modern" }));
  open.push(test);
  expect(test.pool.servers()[0]).toMatchObject({ state: "failed" });
});

test("a server that was known to be modern and was replaced by an older one is asked again", async () => {
  const first = await startedPool(fixture("modern-server.ts"));
  open.push(first);
  const [era] = first.kept.values();
  const plain = await startedPool(fixture("plain-server.ts"));
  open.push(plain);
  const [key = ""] = plain.kept.keys();
  const kept = new Map<string, unknown>([[key, era]]);
  const again = await startedPool(fixture("plain-server.ts"), { kept: keptIn(kept) });
  open.push(again);
  expect(again.pool.servers()[0]).toMatchObject({ state: "ready", era: "legacy" });
});

test("a server of the modern era that was updated is asked anew what it is", async () => {
  const first = await startedPool(fixture("modern-server.ts"));
  open.push(first);
  const ports = { kept: keptIn(first.kept) };
  const updated = await startedPool(fixture("modern-server.ts", [], { env: { SERVER_VERSION: "3.0.0" } }), ports);
  open.push(updated);
  expect(updated.pool.servers()[0]).toMatchObject({ state: "ready", era: "modern", version: "3.0.0" });
  expect(JSON.stringify([...first.kept.values()])).toContain("3.0.0");
});

test("a server of the legacy era that was updated is asked for its era at the next start", async () => {
  const first = await startedPool(fixture("plain-server.ts"));
  open.push(first);
  const [key = ""] = first.kept.keys();
  first.kept.set(key, { kind: "legacy", at: Date.now(), identity: "plain 0.9.0" });
  open.push(await startedPool(fixture("plain-server.ts"), { kept: keptIn(first.kept) }));
  expect(first.kept.get(key)).toBeUndefined();
});

function keptIn(kept: Map<string, unknown>) {
  return {
    servers: {
      read: (key: string) => kept.get(key),
      write: (key: string, value: unknown) => void kept.set(key, value),
    },
    logins: { read: () => undefined, write: () => undefined, locked: <T>(_: string, task: () => Promise<T>) => task() },
    secrets: { add: () => undefined, hide: (text: string) => text },
  };
}
