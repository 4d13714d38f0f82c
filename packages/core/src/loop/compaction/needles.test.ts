// Facts that must survive compactions, whatever the model that writes the summaries forgets.
import {
  call,
  calling,
  failing,
  HurryingClock,
  MemoryLog,
  MemorySession,
  memoryTools,
  probeTool,
  type Script,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../ports/provider.ts";

const isSummary = (request: ModelRequest) => request.priority === "background";
const bodyOf = (request: ModelRequest | undefined) => JSON.stringify(request ?? {});
const forever: ScriptedEvent = { type: "until", promise: new Promise<void>(() => undefined) };
const AGENTS_MD = [{ path: "/work/AGENTS.md", text: "Rule of the project: indent with tabs." }];

/** Changes a file. */
const touch = probeTool("touch", ({ path }, { files }) => {
  files.record(String(path), { sizeBytes: 1, sha256: "x" }, "changed");
  return { status: "ok", text: "done", blocks: [] };
});

/** Every call is followed by its results, and there is no result without its call. */
function expectPaired({ messages }: ModelRequest): void {
  const shape = messages.flatMap((message) => {
    if (message.role === "tool") return [`result ${message.toolCallId}`];
    if (message.role === "user") return ["user"];
    return message.parts.flatMap((part) => (part.type === "tool_call" ? [`call ${part.toolCallId}`] : []));
  });
  const open: string[] = [];
  for (const each of shape) {
    if (each.startsWith("call ")) open.push(each.slice(5));
    else if (each.startsWith("result ")) expect(open.shift()).toBe(each.slice(7));
    else expect(open).toEqual([]);
  }
  expect(open).toEqual([]);
}

describe("needles in a long turn", () => {
  const GOAL = "Port the parser to the new reader. Never touch legacy.ts.";

  it.each([
    ["forgets everything", "Nothing of note."],
    ["answers at length beside the point", `${"Blah. ".repeat(400)}`],
  ])("needles survive three compactions by a model that %s", async (_name, summary) => {
    const files = new Map([["/work/src/reader.ts", "r".repeat(400)]]);
    const script: Script = (request, n) => {
      if (isSummary(request)) return saying(summary);
      if (request.priority === "subagent") return [forever];
      if (n === 0) return calling(call("t", "todo", { todos: [{ text: "write the migration notes" }] }));
      if (n === 1) return calling(call("s", "start_subagent", { task: "find all callers of parse()" }));
      if (n === 3) return calling(call("w", "touch", { path: "/work/src/made.ts" }));
      // Its own words fill the window, because results would be shortened first.
      const words = { type: "text" as const, text: `${n} ${"thought ".repeat(150)}` };
      const look = call(`a${n}`, "read", { file_path: "src/reader.ts", limit: n });
      return n < 90 ? calling(words, look, call(`b${n}`, "read", { file_path: `no-${n}` })) : saying("done");
    };
    const memory = new MemorySession({
      script,
      tools: [...memoryTools(files), touch],
      contextWindow: 16_384,
      ports: { instructionFiles: async () => AGENTS_MD },
      options: { limits: { maxTurns: 1_000, maxToolCalls: 50 } },
    });
    memory.prompt(GOAL);
    await memory.untilFact((fact) => fact.sessionUpdate === "state_update" && fact.state === "waiting");
    const compactions = memory.facts("compaction_update");
    expect(compactions.length).toBeGreaterThanOrEqual(3);
    const asked = memory.provider.requests.filter((request) => request.priority === "turn");
    asked.forEach(expectPaired);
    const last = bodyOf(asked.at(-1));
    expect(asked.at(-1)?.system).toContain("indent with tabs");
    const [child] = [...memory.session.state.agents.keys()].filter((id) => id !== "main");
    for (const needle of [
      GOAL,
      String(child),
      "find all callers of parse()",
      "write the migration notes",
      "src/made.ts (changed)",
    ])
      expect(last).toContain(needle);
    expect(compactions.at(-1)?.pins).toEqual(["messages", "agents", "todos", "files"]);
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.states.live).toEqual(memory.states.folded);
    const again = new MemorySession({ script: [saying("x")], log: new MemoryLog("s1", "/work", memory.log.lines) });
    await again.say("and?");
    for (const needle of [GOAL, "write the migration notes", "src/made.ts"])
      expect(bodyOf(again.provider.requests[0])).toContain(needle);
  });

  it("needles of many long messages: the goal and every rule stay, whatever lies between", async () => {
    const memory = new MemorySession({
      script: (request) => (isSummary(request) ? saying("Nothing.") : saying("ok")),
      contextWindow: 16_384,
      options: { auto_compact_enabled: false },
    });
    await memory.say(GOAL);
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 8; n += 1)
        await memory.say(`${"Some detail. ".repeat(80)} Rule ${round}${n}: always name files n${round}${n}.`);
      expect(await memory.session.compact()).toHaveProperty("tokensAfter");
    }
    await memory.say("now?");
    const sent = bodyOf(memory.provider.requests.at(-1));
    expect(sent).toContain(GOAL);
    for (let n = 0; n < 8; n += 1) expect(sent).toContain(`always name files n0${n}.`);
    expect(memory.facts("compaction_update").at(-1)?.pins).toContain("rules");
  });
});

describe("a conversation that does not fit into one request for a summary", () => {
  const needle = (n: number) => `needle-${n}-of-the-conversation`;

  it("is shown in parts, every message of it, when it is resumed with an eighth of the context window", async () => {
    const script: Script = (request, n) =>
      isSummary(request) ? saying("Nothing.") : saying(`${needle(2 * n + 1)} ${"answer ".repeat(200)}`);
    const memory = new MemorySession({ script, contextWindow: 65_536 });
    for (let n = 0; n < 40; n += 1) await memory.say(`${needle(2 * n)} ${"question ".repeat(150)}`);
    expect(memory.facts("compaction_update")).toEqual([]);
    const log = new MemoryLog("s1", "/work", memory.log.lines);
    const again = new MemorySession({ script, contextWindow: 8_192, log });
    await again.say("go on");
    const [compaction] = again.facts("compaction_update");
    expect(compaction?.passes).toBeGreaterThan(3);
    const shown = again.provider.requests.filter(isSummary).map(bodyOf).join("");
    const kept = bodyOf(again.provider.requests.filter((request) => !isSummary(request)).at(-1));
    for (let n = 0; n < 80; n += 1) expect(shown.includes(needle(n)) || kept.includes(needle(n))).toBe(true);
    for (const { messages, system } of again.provider.requests)
      expect(JSON.stringify(messages).length + system.length).toBeLessThan(4 * 8_192);
    expect(again.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
    const phases = again.ports.events.all.flatMap((event) =>
      "delta" in event && event.delta.sessionUpdate === "compaction_status" ? [event.delta] : [],
    );
    expect(phases.map(({ done }) => done)).toEqual(phases.map((_, n) => n));
    expect(phases.map(({ phase }) => phase)).toEqual([...phases.slice(0, -2).map(() => "summarize"), "merge", "ended"]);
  });

  const talk = async (answer: (request: ModelRequest, asked: number) => ScriptedEvent[]) => {
    let asked = 0;
    const script: Script = (request) => {
      if (!isSummary(request)) return saying("ok");
      asked += 1;
      return answer(request, asked);
    };
    const memory = new MemorySession({ script, ports: { clock: new HurryingClock() } });
    for (let n = 0; n < 130; n += 1) await memory.say(needle(n));
    return { memory, compacted: await memory.session.compact() };
  };
  const summaryOf = (memory: MemorySession) => memory.facts("compaction_update").at(-1);

  it("is split where the model's server refuses it as too long", async () => {
    const { memory } = await talk((request) =>
      bodyOf(request).length > 3_000 ? failing("overflow") : saying(`part ${bodyOf(request).length}`),
    );
    expect(summaryOf(memory)?.passes).toBeGreaterThan(4);
    const shown = memory.provider.requests
      .filter((each) => isSummary(each) && bodyOf(each).length <= 3_000)
      .map(bodyOf);
    for (let n = 0; n < 125; n += 1) expect(shown.join("")).toContain(`${needle(n)}\\n`);
  });

  it("stays as it is where even a part is refused as too long, and the person is not sent to /compact again", async () => {
    const { compacted } = await talk(() => failing("overflow"));
    expect(compacted).toMatchObject({
      provider: { kind: "overflow", isPassing: false },
      problem: expect.stringMatching(/rejects even part .* as too long\. Set `context_limit`/),
    });
  });

  it("is asked for again when a part fails for a passing reason", async () => {
    const { memory } = await talk((_request, asked) => (asked < 3 ? failing("network") : saying(`sum ${asked}`)));
    expect(summaryOf(memory)).toMatchObject({ passes: 3, summary: expect.stringMatching(/^sum 5/) });
  });

  it("keeps beginning and end of a part that cannot be summarised", async () => {
    const { memory } = await talk((request) =>
      bodyOf(request).includes("part 1 of 2 of")
        ? saying(" ")
        : saying(bodyOf(request).includes("could not be summarised") ? "merged" : "part two"),
    );
    expect(summaryOf(memory)).toMatchObject({ passes: 3, summary: expect.stringMatching(/^merged/) });
    const merge = bodyOf(memory.provider.requests.findLast(isSummary));
    expect(merge).toContain(needle(0));
    expect(merge).toContain("part two");
  });

  it("stays as it is when no part can be summarised and nothing presses", async () => {
    const { memory, compacted } = await talk(() => failing("network"));
    expect(compacted).toMatchObject({
      problem: expect.stringContaining("the provider says network"),
      provider: { kind: "network", isPassing: true },
    });
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.provider.requests.filter(isSummary)).toHaveLength(6);
  });
});

describe("a limit of the rate", () => {
  it("never compacts, whatever it says", async () => {
    const memory = new MemorySession({
      script: (_request, n) => (n < 8 ? saying("ok") : failing("rateLimit", "prompt is too long: tokens per minute")),
    });
    for (let n = 0; n < 9; n += 1) await memory.say(`message ${n}`);
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.provider.requests.filter(isSummary)).toEqual([]);
    expect(memory.facts("state_update").at(-1)).toMatchObject({ error: { kind: "rateLimit" } });
  });
});

describe("a subagent's own context", () => {
  it("is compacted like that of the main agent, with its task as the goal", async () => {
    const files = new Map([["/work/big.ts", "b".repeat(400)]]);
    let rounds = 0;
    const script: Script = (request) => {
      if (isSummary(request)) return saying("Nothing.");
      if (request.priority === "turn")
        return request.messages.length === 1
          ? calling(call("s", "start_subagent", { task: "Count the lines of big.ts, and always say them in words." }))
          : saying("I have it.");
      rounds += 1;
      const words = { type: "text" as const, text: `${rounds} ${"thought ".repeat(200)}` };
      const look = call(`r${rounds}`, "read", { file_path: "big.ts", limit: rounds });
      return rounds < 36 ? calling(words, look) : saying("Six thousand.");
    };
    const memory = new MemorySession({ script, tools: memoryTools(files), contextWindow: 16_384 });
    await memory.say("go");
    const ofChild = memory.log.facts.filter(({ update }) => update.sessionUpdate === "compaction_update");
    expect(ofChild.length).toBeGreaterThan(0);
    expect(ofChild.every(({ agentId }) => agentId !== "main")).toBe(true);
    const asked = memory.provider.requests.filter(({ priority }) => priority === "subagent");
    asked.forEach(expectPaired);
    expect(bodyOf(asked.at(-1))).toContain("always say them in words");
    expect(memory.session.state.agents.get("main")?.state).toBe("idle");
    expect(memory.states.live).toEqual(memory.states.folded);
  });
});

describe("a model of its own for summaries", () => {
  const withModels = (answer: (model: string) => ScriptedEvent[], known: readonly string[]) => {
    const memory = new MemorySession({
      script: (request) => (isSummary(request) ? answer(request.model) : saying("ok")),
      options: { compact_model: "other/small" },
    });
    const { chooseModel } = memory.ports;
    memory.ports.chooseModel = async (config) => {
      const usual = await chooseModel(config);
      if ("problem" in usual || config.model === undefined) return usual;
      if (!known.includes(`${config.provider} ${config.model}`)) return { problem: `There is no ${config.model}.` };
      return {
        ...usual,
        model: "small",
        price: { input: 1, output: 1 },
        contextWindow: { tokens: 8_192, source: "table" },
      };
    };
    return memory;
  };
  const compacted = async (memory: MemorySession) => {
    for (let n = 0; n < 8; n += 1) await memory.say(`message ${n}`);
    return await memory.session.compact();
  };

  it("writes them in its own context window, and its price counts", async () => {
    const memory = withModels(
      (model) => saying(`by ${model}`, { usage: { inputTokens: 900_000, outputTokens: 100_000 } }),
      [" other/small"],
    );
    expect(await compacted(memory)).toHaveProperty("tokensAfter");
    expect(memory.facts("compaction_update")).toMatchObject([
      { summary: expect.stringMatching(/^by small/), model: "small", cost: { usd: 1 } },
    ]);
    expect(memory.provider.requests.find(isSummary)).toMatchObject({ model: "small", contextWindow: 8_192 });
  });

  it.each([
    [
      "cannot be used",
      [],
      "other/small (compact_model) cannot be used, so the session's model writes the summary.",
      "no",
    ],
    [
      "fails",
      [" other/small"],
      "small (compact_model) could not write the summary, so the session's model does.",
      "says auth",
    ],
  ])("gives way to the session's model where it %s, with a notice", async (_name, known, title, words) => {
    const memory = withModels((model) => (model === "small" ? failing("auth") : saying(`by ${model}`)), known);
    expect(await compacted(memory)).toHaveProperty("tokensAfter");
    expect(memory.facts("compaction_update")[0]?.model).not.toBe("small");
    expect(memory.facts("notice")).toMatchObject([
      { severity: "warning", title, description: expect.stringContaining(words) },
    ]);
  });
});
