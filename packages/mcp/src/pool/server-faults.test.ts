import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, describe, expect, test } from "vitest";
import { fixture, options, startedPool, type TestPool } from "../../test/pool.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpSample } from "../ports/people.ts";
import type { McpPool } from "./mcp-pool.ts";
import type { McpServerView } from "./server-view.ts";

const open: TestPool[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ pool }) => pool.close()));
});

async function started(faults: string[] = [], config: Partial<McpServerConfig> = {}, ports = {}) {
  const test = await startedPool(fixture("plain-server.ts", faults, config), ports);
  open.push(test);
  const call = (tool: string, args: Record<string, unknown> = {}) =>
    test.pool.callTool("fixture", tool, args, options());
  return { ...test, call, view: test.pool.servers()[0], log: () => test.logs.get("fixture")?.join("\n") ?? "" };
}

/** Resolves with the server as soon as it looks so. */
function until(pool: McpPool, looksSo: (server: McpServerView) => boolean): Promise<McpServerView> {
  return new Promise((resolve) => {
    const look = () => {
      const [server] = pool.servers();
      if (server && looksSo(server)) resolve(server);
    };
    pool.onChanged(look);
    look();
  });
}

const exists = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("a server that does not start", () => {
  test("has hung: that is said after the limit, with its last words", async () => {
    const { view } = await started(["hangs"], { startupTimeoutMs: 700, era: "legacy" });
    expect(view?.state).toBe("failed");
    expect(view?.problem).toBe(
      "The MCP server fixture did not start within 0.7 s. Its last output: plain server begins",
    );
  });

  test("has ended at once: that is said with its last words", async () => {
    const { view } = await started(["dies-at-start"]);
    expect(view?.state).toBe("failed");
    expect(view?.problem).toContain("The MCP server fixture did not start:");
    expect(view?.problem).toContain("Its last output: plain server begins");
  });

  test.each([
    ["is no program", { command: "no-such-program-here" }, "no-such-program-here was not found"],
    ["needs a variable that is not set", { env: { KEY: "$" + "{NO_SUCH_VARIABLE}" } }, "NO_SUCH_VARIABLE is not set"],
    ["has neither command nor address", { command: undefined as never }, "has neither a command nor a URL"],
  ])("%s: that is a sentence", async (_, config, problem) => {
    const { view } = await started([], config);
    expect(view?.state).toBe("failed");
    expect(view?.problem).toContain(problem);
  });
});

describe("a process of a server", () => {
  test("gets its own variables and the few that every program needs, none of ours, and its folder", async () => {
    const env = { ...process.env, OPENAI_API_KEY: "secret", TOKEN: "of the person" };
    const config = { env: { GIVEN: "$" + "{TOKEN:-none} and $" + "{MISSING:-nothing}" }, cwd: tmpdir() };
    const { call } = await started([], config, { place: { cwd: "/", env } });
    const seen = JSON.parse((await call("environment")).text);
    expect(seen.env).toMatchObject({ GIVEN: "of the person and nothing", HOME: process.env.HOME });
    expect(Object.keys(seen.env)).not.toContain("OPENAI_API_KEY");
    expect(Object.keys(seen.env)).not.toContain("TOKEN");
    expect(seen.cwd).toBe(realpathSync(tmpdir()));
  });

  test("is ended with everything that it started, though it ignores being asked to", async () => {
    const { pool, call } = await started(["stays"]);
    const { pid } = JSON.parse((await call("environment")).text);
    const helper = Number((await call("helper")).text);
    expect([exists(pid), exists(helper)]).toEqual([true, true]);
    await pool.close();
    expect(exists(pid)).toBe(false);
    await expect.poll(() => exists(helper), { timeout: 60_000 }).toBe(false);
  });

  test("may print other text than messages: it goes to the log with its stderr", async () => {
    const { view, log } = await started(["prints"]);
    expect(view?.state).toBe("ready");
    expect(log()).toContain("plain server begins");
    expect(log()).toContain("(stdout) Welcome to the plain server!");
  });

  test("may end at the first question of the modern era: it is started again and asked as before", async () => {
    const { view, kept } = await started(["ends-on-questions"]);
    expect(view).toMatchObject({ state: "ready", era: "legacy" });
    expect([...kept.values()]).toMatchObject([{ kind: "legacy" }]);
  });
});

describe("a server that dies", () => {
  test("fails the call that it was on with a sentence, is started again, and keeps its tools in view meanwhile", async () => {
    const { pool, call, view } = await started();
    const gone = until(pool, ({ state }) => state === "starting");
    const outcome = await call("die");
    expect(outcome.status).toBe("error");
    expect(outcome.text).toContain("die of the MCP server fixture failed:");
    const absent = await gone;
    expect(absent.tools).toEqual(view?.tools);
    expect(absent.problem).toContain("The MCP server fixture has ended.");
    await until(pool, ({ state }) => state === "ready");
    expect((await call("echo", { words: "again" })).text).toBe("again");
  });

  test("again and again is left alone after a few times, until it is needed", async () => {
    const waits: number[] = [];
    // No wait takes time, but that for a start to end.
    const sleep = (ms: number, signal?: AbortSignal) => {
      if ([500, 2_000, 8_000].includes(ms) || (ms === 30_000 && waits.length === 3)) {
        waits.push(ms);
        return Promise.resolve();
      }
      return new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
    };
    const clock = { now: () => Date.now(), monotonicMs: () => 1, sleep };
    const { pool, call } = await started([], { startupTimeoutMs: 20_000 }, { clock });
    for (let death = 1; death <= 5; death += 1) {
      await until(pool, ({ state }) => state === "ready");
      await call("die");
    }
    const failed = await until(pool, ({ state }) => state === "failed");
    expect(waits).toEqual([500, 2_000, 8_000, 30_000]);
    expect(failed.problem).toContain("It was restarted 4 times and ended each time.");
    expect((await call("echo", { words: "back" })).text).toBe("back");
  });
});

describe("an answer", () => {
  test("of 50 MB is refused with a sentence, and the server goes on", async () => {
    const { call } = await started();
    const outcome = await call("huge");
    expect(outcome).toMatchObject({ status: "error" });
    expect(outcome.text).toContain("The server's answer is larger than 16 MB and was not accepted.");
    expect((await call("echo", { words: "still here" })).text).toBe("still here");
  });

  test("that is not what the tool's own schema says is an error", async () => {
    const { call } = await started();
    const outcome = await call("wrong-structure");
    expect(outcome.status).toBe("error");
    expect(outcome.text).toContain("Structured content does not match the tool's output schema");
  });

  test("that takes hours to compare with the tool's schema is not compared with that part", async () => {
    const { call } = await started();
    expect(await call("hostile-structure")).toMatchObject({ status: "ok" });
  });

  test("amid a flood of messages arrives, the flood is cut in the log and in what people see of progress", async () => {
    const { pool, log } = await started();
    const reports: number[] = [];
    const outcome = await pool.callTool("fixture", "flood", {}, { ...options(), onProgress: () => reports.push(1) });
    expect(outcome.text).toBe("flooded");
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.length).toBeLessThan(100);
    expect(log().split("\n").length).toBeLessThan(3_000);
    expect(log()).toContain("(info) line 1");
  });
});

describe("a call", () => {
  test("that is cancelled ends at once, and the server is notified", async () => {
    const { pool, log } = await started();
    const aborter = new AbortController();
    const seen = Promise.withResolvers<void>();
    const call = pool.callTool("fixture", "slow", {}, { signal: aborter.signal, onProgress: () => seen.resolve() });
    await seen.promise;
    aborter.abort();
    expect(await call).toMatchObject({ status: "error", text: "slow of the MCP server fixture was cancelled." });
    await expect.poll(log, { timeout: 60_000 }).toContain("cancelled");
  });

  test("that is silent for too long ends, and one that reports progress goes on until the limit over all", async () => {
    const limits = { callTimeoutMs: 200, maxCallMs: 900 };
    const { pool } = await started([], limits);
    const silent = await pool.callTool("fixture", "slow", { steps: 1, everyMs: 60_000 }, options());
    expect(silent.text).toBe("slow of the MCP server fixture did not answer: no answer within 0.2 s");
    const lively = await pool.callTool("fixture", "slow", { steps: 8, everyMs: 50 }, options());
    expect(lively.text).toBe("done");
    const endless = await pool.callTool("fixture", "slow", { everyMs: 50 }, options());
    expect(endless.text).toBe("slow of the MCP server fixture did not answer: not done within 0.9 s in total");
  });

  test("does not run out of time while the person is asked, who sees which server and tool ask", async () => {
    const ask = () =>
      new Promise<{ action: "accept"; content: { name: string } }>((resolve) =>
        setTimeout(() => resolve({ action: "accept", content: { name: "Ada" } }), 500),
      );
    const { pool } = await started([], { callTimeoutMs: 200 });
    const outcome = await pool.callTool("fixture", "ask", {}, { ...options(), ask });
    expect(JSON.parse(outcome.text)).toEqual({ action: "accept", content: { name: "Ada" } });
  });

  test("that wants an address opened is refused where it is none of the web, and the person is not asked", async () => {
    const { call, questions } = await started([], {}, { answer: { action: "accept" } });
    const actionFor = async (url: string) => JSON.parse((await call("ask-url", { url })).text).action;
    expect(await actionFor("https://example.com/login")).toBe("accept");
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "vscode://x", "not an address"])
      expect(await actionFor(url), url).not.toBe("accept");
    expect(questions).toHaveLength(1);
  });

  test("for the person's model is answered only where harness has one for servers", async () => {
    const off = await started(["asks-more"]);
    expect((await off.call("sample")).text).toContain("Method not found");
    const asked: string[] = [];
    const sample: McpSample = async ({ server }) => {
      asked.push(server);
      return asked.length > 1 ? { refused: "Not now" } : { text: "hi", model: "m", stopReason: "endTurn" };
    };
    const { pool, call } = await started(["asks-more"], { sampling: true });
    const sampled = () => pool.callTool("fixture", "sample", {}, { ...options(), sample });
    expect(JSON.parse((await sampled()).text)).toEqual({
      role: "assistant",
      content: { type: "text", text: "hi" },
      model: "m",
      stopReason: "endTurn",
    });
    expect(JSON.parse((await sampled()).text)).toMatchObject({ code: -1, message: "Not now." });
    expect((await call("sample")).text).toContain("only while it works on a call");
    expect(asked).toEqual(["fixture", "fixture"]);
  });
});
