import { defineTool } from "@harness/core";
import type { PermissionMode, PermissionOutcome } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const write = (id: string, path: string) => call(id, "write", { file_path: path, content: id });
const run = (id: string, command: string) => call(id, "bash", { command });
const task = (id: string) => call(id, "start_subagent", { task: id });
const chose = (optionId: string): PermissionOutcome => ({ outcome: "selected", optionId });

function sessionOf(script: ScriptedEvent[][], setup: Partial<ConstructorParameters<typeof MemorySession>[0]> = {}) {
  return new MemorySession({ script, tools: memoryTools(), options: { permission_mode: "default" }, ...setup });
}

/** The calls of the main agent, with as many open questions as possible. */
async function opened(parts: ReturnType<typeof call>[], last = parts.at(-1)?.toolCallId) {
  const memory = sessionOf([calling(...parts), saying("done")]);
  memory.prompt("go");
  await isAsked(memory, last);
  return memory;
}

function isAsked(memory: MemorySession, toolCallId: string | undefined, times = 1): Promise<void> {
  let seen = 0;
  return memory.untilFact((fact) => {
    if (fact.sessionUpdate === "permission_requested" && fact.permission.toolCallId === toolCallId) seen += 1;
    return seen === times;
  });
}

const resolved = (memory: MemorySession, toolCallId: string) =>
  memory.untilFact((fact) => fact.sessionUpdate === "permission_resolved" && fact.toolCallId === toolCallId);

/** The outcome of each question, by its call. */
const ends = (memory: MemorySession) =>
  memory
    .facts("permission_resolved")
    .map(({ toolCallId, outcome, by, reason }) => `${toolCallId} ${outcome.outcome} by ${by}: ${reason}`);

const statuses = (memory: MemorySession) =>
  Object.fromEntries(
    memory
      .facts("tool_call_update")
      .flatMap(({ toolCallId, outcome }) => (outcome ? [[toolCallId, outcome.status]] : [])),
  );

async function ended(memory: MemorySession) {
  await memory.session.idle();
  expect(memory.states.live).toEqual(memory.states.folded);
  expect(memory.ports.asker.waiting).toEqual([]);
}

describe("several permission requests", () => {
  it("are open side by side, and answered in any order", async () => {
    const memory = await opened([write("a", "x"), write("b", "y"), write("c", "z")]);
    const { asker } = memory.ports;
    expect(asker.waiting).toEqual(["a", "b", "c"]);
    asker.answer("c", chose("allow_once"));
    await resolved(memory, "c");
    expect(asker.waiting).toEqual(["a", "b"]);
    asker.answer("a", chose("reject_once"));
    await resolved(memory, "a");
    asker.answer("b", chose("allow_once"));
    await ended(memory);
    expect(statuses(memory)).toEqual({ a: "denied", b: "ok", c: "ok" });
    const states = memory.facts("state_update").map(({ state }) => state);
    expect(states).toEqual(["running", "requires_action", "running", "idle"]);
  });

  it("are made in the order of the calls, however long their previews take", async () => {
    const [, plain, ...others] = memoryTools();
    if (!plain) throw new Error("no write tool");
    const slow = Promise.withResolvers<void>();
    let previews = 0;
    const tool = {
      ...plain,
      preview: async () => {
        previews += 1;
        if (previews === 1) await slow.promise;
        return [];
      },
    };
    const memory = sessionOf([calling(write("a", "slow"), write("c", "y")), saying("done")], {
      tools: [tool, ...others],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === "c");
    expect(memory.facts("permission_requested")).toEqual([]);
    slow.resolve();
    await isAsked(memory, "c");
    expect(memory.ports.asker.waiting).toEqual(["a", "c"]);
    memory.session.cancel();
    await ended(memory);
  });

  it("wait for the end of an earlier call that they clash with", async () => {
    const memory = await opened([write("a", "x"), write("b", "x")], "a");
    memory.ports.asker.answer("a", chose("allow_once"));
    await isAsked(memory, "b");
    expect(statuses(memory)).toEqual({ a: "ok" });
    memory.ports.asker.answer("b", chose("reject_once"));
    await ended(memory);
  });

  it("with file content are made again only when a call has changed the file", async () => {
    const [, plain, ...others] = memoryTools();
    if (!plain) throw new Error("no write tool");
    let content = "old";
    const tool = {
      ...plain,
      preview: async ({ file_path }: { file_path: string }) => [
        { type: "text" as const, text: file_path === "y" ? content : "a new file" },
      ],
    };
    const memory = sessionOf([calling(write("a", "x"), write("b", "y"), write("c", "z")), saying("done")], {
      tools: [defineTool(tool), ...others],
    });
    memory.prompt("go");
    await isAsked(memory, "c");
    content = "new";
    memory.ports.asker.answer("a", chose("reject_once"));
    await resolved(memory, "a");
    expect(memory.facts("permission_requested")).toHaveLength(3);
    memory.ports.asker.answer("c", chose("allow_once"));
    await isAsked(memory, "b", 2);
    const shown = memory.facts("permission_requested").map(({ permission }) => permission.preview);
    expect(shown.slice(1)).toEqual([
      [{ type: "text", text: "old" }],
      [{ type: "text", text: "a new file" }],
      [{ type: "text", text: "new" }],
    ]);
    expect(ends(memory).at(-1)).toBe("b cancelled by harness: files_changed");
    memory.ports.asker.answer("b", chose("allow_once"));
    await ended(memory);
    expect(statuses(memory)).toEqual({ a: "denied", b: "ok", c: "ok" });
  });

  it("are at most sixteen; the next one is made when one is closed", async () => {
    const parts = Array.from({ length: 18 }, (_, index) => write(`c${index}`, `f${index}`));
    const memory = await opened(parts, "c15");
    expect(memory.ports.asker.waiting).toHaveLength(16);
    memory.ports.asker.answer("c7", chose("reject_once"));
    await isAsked(memory, "c16");
    expect(memory.ports.asker.waiting.at(-1)).toBe("c16");
    memory.session.cancel();
    await ended(memory);
    expect(new Set(Object.values(statuses(memory)))).toEqual(new Set(["denied", "cancelled"]));
  });

  it("lose only the one whose call is cancelled", async () => {
    const memory = await opened([write("a", "x"), write("b", "y")]);
    expect(memory.session.cancelToolCall("a")).toBe(true);
    await resolved(memory, "a");
    expect(memory.ports.asker.waiting).toEqual(["b"]);
    memory.ports.asker.answer("b", chose("allow_once"));
    await ended(memory);
    expect(ends(memory)).toEqual(["a cancelled by harness: cancelled", "b selected by tester: answered"]);
    expect(statuses(memory)).toEqual({ a: "cancelled", b: "ok" });
  });

  it("are closed when they belong to a subagent that is stopped", async () => {
    const memory = sessionOf([], {
      script: ({ messages }) => {
        const text = JSON.stringify(messages);
        if (text.includes("child")) return text.includes("w-child") ? saying("done") : calling(write("w-child", "y"));
        return calling(task("child"), write("m", "x"));
      },
    });
    memory.prompt("go");
    await Promise.all([isAsked(memory, "w-child"), isAsked(memory, "m")]);
    memory.session.cancel("agent-1");
    await resolved(memory, "w-child");
    expect(memory.ports.asker.waiting).toEqual(["m"]);
    memory.session.cancel();
    await ended(memory);
  });
});

describe("a lasting answer", () => {
  it("withdraws the requests that it covers, whose calls run, and leaves the others open", async () => {
    const memory = await opened([write("a", "src/a"), write("b", "src/b"), write("c", "lib/c")]);
    const { asker } = memory.ports;
    asker.answer("b", chose("allow_session"));
    await resolved(memory, "a");
    expect(asker.waiting).toEqual(["c"]);
    asker.answer("c", chose("allow_once"));
    await ended(memory);
    expect(ends(memory)).toEqual([
      "b selected by tester: answered",
      "a cancelled by harness: answer_kept",
      "c selected by tester: answered",
    ]);
    expect(statuses(memory)).toEqual({ a: "ok", b: "ok", c: "ok" });
    expect(memory.facts("permission_requested")).toHaveLength(3);
  });

  it.each([
    ["allow_turn", "ok"],
    ["allow_always", "ok"],
    ["reject_always", "denied"],
  ])("withdraws requests likewise: %s", async (optionId, status) => {
    const memory = await opened([write("a", "src/a"), write("b", "src/b"), run("c", "npm test")], "b");
    memory.ports.asker.answer("a", chose(optionId));
    await resolved(memory, "b");
    await isAsked(memory, "c");
    memory.ports.asker.answer("c", chose("reject_once"));
    await ended(memory);
    expect(statuses(memory)).toEqual({ a: status, b: status, c: "denied" });
    expect(ends(memory).slice(0, 2)).toEqual(["a selected by tester: answered", "b cancelled by harness: answer_kept"]);
  });

  it("does not override an answer that was given", async () => {
    const memory = await opened([write("a", "src/a"), write("b", "src/b")]);
    memory.ports.asker.answer("a", chose("allow_session"));
    memory.ports.asker.answer("b", chose("reject_once"));
    await ended(memory);
    expect(statuses(memory)).toEqual({ a: "ok", b: "denied" });
  });

  it("leaves all other requests open when it is for once", async () => {
    const memory = await opened([write("a", "x"), write("b", "y")]);
    memory.ports.asker.answer("a", chose("allow_once"));
    await resolved(memory, "a");
    memory.ports.asker.answer("b", chose("reject_once"));
    await ended(memory);
    expect(memory.facts("permission_requested")).toHaveLength(2);
  });
});

describe("a change while requests are open", () => {
  it.each<[PermissionMode, string[]]>([
    ["accept-edits", ["a cancelled by harness: mode_changed"]],
    ["deny", ["a cancelled by harness: mode_changed", "b cancelled by harness: mode_changed"]],
  ])("withdraws those that no longer need a person: mode %s", async (permissionMode, gone) => {
    const memory = await opened([write("a", "x"), write("b", ".env")]);
    memory.session.setConfig({ permissionMode });
    await resolved(memory, "a");
    if (gone.length === 1) {
      expect(memory.ports.asker.waiting).toEqual(["b"]);
      memory.ports.asker.answer("b", chose("allow_once"));
    }
    await ended(memory);
    expect(ends(memory).filter((each) => each.includes("harness"))).toEqual(gone);
    expect(memory.facts("permission_requested")).toHaveLength(2);
    expect(statuses(memory)).toEqual(gone.length === 1 ? { a: "ok", b: "ok" } : { a: "denied", b: "denied" });
  });

  const rule = { decision: "allow" as const, tool: "write", path: "**" };

  it("applies as soon as the session is notified, when rules were kept elsewhere", async () => {
    const memory = await opened([write("a", "x"), write("b", "/srv/y")]);
    memory.ports.policies.set = {
      ...memory.ports.policies.set,
      rules: [{ ruleId: "k", rule, scope: "user", path: "/p" }],
      version: "1",
    };
    memory.session.reevaluate();
    await resolved(memory, "a");
    expect(memory.ports.asker.waiting).toEqual(["b"]);
    expect(ends(memory)).toEqual(["a cancelled by harness: rules_changed"]);
    memory.session.cancel();
    await ended(memory);
  });

  it("makes a request again when it became a different one", async () => {
    const memory = await opened([run("a", "npm test")]);
    const ask = { decision: "ask" as const, tool: "bash", argv: ["npm"] };
    memory.ports.policies.set = {
      ...memory.ports.policies.set,
      rules: [{ ruleId: "k", rule: ask, scope: "user", path: "/p" }],
      version: "1",
    };
    memory.session.reevaluate();
    await isAsked(memory, "a", 2);
    const [first, second] = memory.facts("permission_requested").map(({ permission }) => permission);
    expect(first?.options.length).toBeGreaterThan(2);
    expect(second?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
    memory.ports.asker.answer("a", chose("allow_once"));
    await ended(memory);
    expect(statuses(memory)).toEqual({ a: "ok" });
  });

  it("withdraws no request when no client is connected at the moment", async () => {
    const memory = await opened([write("a", "x")]);
    memory.ports.asker.isThere = false;
    memory.session.reevaluate();
    memory.session.setConfig({ permissionMode: "auto-in-sandbox" });
    expect(memory.ports.asker.waiting).toEqual(["a"]);
    memory.ports.asker.answer("a", chose("allow_once"));
    await ended(memory);
    expect(ends(memory)).toEqual(["a selected by tester: answered"]);
    expect(statuses(memory)).toEqual({ a: "ok" });
  });

  it("asks again about network access when a secret was read, and offers no lasting answers", async () => {
    const [read, ...others] = memoryTools();
    if (!read) throw new Error("no read tool");
    const fetch = { ...read, name: "fetch", effects: () => [{ kind: "reach" as const, url: "https://example.com/x" }] };
    const both = calling(call("a", "fetch", { file_path: "x" }), call("b", "read", { file_path: ".env" }));
    const memory = sessionOf([both, saying("done")], { tools: [read, ...others, fetch] });
    memory.prompt("go");
    await isAsked(memory, "b");
    memory.ports.asker.answer("b", chose("allow_once"));
    await isAsked(memory, "a", 2);
    const requests = memory.facts("permission_requested").filter(({ permission }) => permission.toolCallId === "a");
    expect(requests.map(({ permission }) => permission.reason)).toEqual([
      "reaches example.com",
      expect.stringContaining("after a file that may hold secrets was read in this session"),
    ]);
    expect(ends(memory)).toEqual(["b selected by tester: answered", "a cancelled by harness: secret_read"]);
    memory.session.cancel();
    await ended(memory);
  });
});
