import {
  call,
  calling,
  commandTool,
  HurryingClock,
  MemoryLog,
  MemorySession,
  memoryTools,
  type Script,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "../../ports/provider.ts";

const CONTEXT_WINDOW = 16_384;
const isSummary = (request: ModelRequest) => request.priority === "background";
const lines = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `line ${n + 1} of ${name}`).join("\n");

/** A model that reads, changes and runs things repeatedly, while only two of its files matter. */
function worker(turns: number): { script: Script; tools: ReturnType<typeof memoryTools> } {
  const files = new Map(
    ["a", "b", "c", "d", "e", "f"].map((name) => [`/work/${name}.ts`, lines(`${name}.ts, version 0`, 150)]),
  );
  const run = commandTool(({ command }) => ({ status: "ok", text: lines(command, 200), blocks: [] }));
  const script: Script = (request, n) => {
    if (isSummary(request)) return saying("Work was done.");
    if (n >= turns) return saying("done");
    const other = ["c", "d", "e", "f"][n % 4] ?? "c";
    const kinds = [
      call(`r${n}`, "read", { file_path: `${n % 8 === 0 ? "a" : "b"}.ts` }),
      call(`w${n}`, "write", { file_path: "a.ts", content: lines(`a.ts, version ${n}`, 150) }),
      call(`t${n}`, "bash", { command: `test ${n}` }),
      call(`o${n}`, "read", { file_path: `${other}.ts` }),
    ];
    return calling(kinds[n % 4] ?? call(`x${n}`, "bash", { command: "echo" }));
  };
  return { script, tools: [...memoryTools(files).filter(({ name }) => name !== "bash"), run] };
}

const own = (memory: MemorySession) => memory.provider.requests.filter((request) => !isSummary(request));
const textOfResults = (request: ModelRequest | undefined) =>
  (request?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));

/** The requirements of every wire API: each call has one result, in order, and nothing is empty. */
function expectValid(messages: readonly ModelMessage[]): void {
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      expect(message.toolCallId).toBe(open.shift());
      expect(message.text.trim()).not.toBe("");
      expect(message.text.isWellFormed()).toBe(true);
      continue;
    }
    expect(open).toEqual([]);
    if (message.role === "assistant")
      open = message.parts.flatMap((part) => (part.type === "tool_call" ? [part.toolCallId] : []));
  }
  expect(open).toEqual([]);
}

describe("old results in a long session", () => {
  it("old results in a long session are shortened before anything is summarised, in steps that each break the prompt's beginning once", async () => {
    const memory = new MemorySession({ ...worker(40), contextWindow: CONTEXT_WINDOW });
    await memory.say("go");
    const steps = memory.facts("context_update");
    expect(steps.length).toBeGreaterThan(0);
    const breaks = memory.facts("agent_message").flatMap(({ prefix }) => (prefix?.break ? [prefix.break.cause] : []));
    expect(breaks.filter((cause) => cause === "older tool results were shortened")).toHaveLength(steps.length);
    expect(breaks.length).toBe(steps.length + memory.facts("compaction_update").length);
    for (const { tokensBefore, tokensAfter, title } of steps) {
      expect(tokensBefore).toBeGreaterThanOrEqual(0.7 * 12_288);
      expect(tokensBefore - tokensAfter).toBeGreaterThanOrEqual(0.1 * 12_288);
      expect(title).toMatch(
        /older tool results? (is|are) shortened in later requests, which saves about [\d,]+ tokens\.$/,
      );
    }
    expect(memory.provider.requests).toHaveLength(41);
    for (const request of own(memory)) expectValid(request.messages);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("old results in a long session leave the present content of files in play in every request", async () => {
    const memory = new MemorySession({ ...worker(40), contextWindow: CONTEXT_WINDOW });
    await memory.say("go");
    const b = lines("b.ts, version 0", 150);
    const first = own(memory).findIndex((request) => textOfResults(request).includes(b));
    for (const request of own(memory).slice(first)) {
      const hasSummary = JSON.stringify(request.messages[0]).includes("Summary");
      if (!hasSummary) expect(textOfResults(request)).toContain(b);
    }
  });

  it("old results in a long session are the same bytes after a resume", async () => {
    const work = worker(17);
    const memory = new MemorySession({ ...work, contextWindow: CONTEXT_WINDOW });
    await memory.say("go");
    expect(memory.facts("context_update").length).toBeGreaterThan(0);
    const log = new MemoryLog("s1", "/work", memory.log.lines);
    const again = new MemorySession({ ...work, contextWindow: CONTEXT_WINDOW, script: [saying("ok")], log });
    await again.say("and?");
    await memory.say("and?");
    expect(again.provider.requests[0]?.messages).toEqual(own(memory).at(-1)?.messages);
  });

  it("old results in a long session stay whole in a file where they cannot be had again", async () => {
    const memory = new MemorySession({ ...worker(40), contextWindow: CONTEXT_WINDOW });
    await memory.say("go");
    const cut = memory.facts("context_update").flatMap(({ shortened }) => shortened.filter(({ head }) => head > 0));
    const commands = cut.filter(({ toolCallId }) => toolCallId?.startsWith("t"));
    expect(commands.length).toBeGreaterThan(0);
    for (const { toolCallId, note } of commands) {
      const [, path = ""] = /The whole text is in (.+)\. Read it in parts/.exec(note) ?? [];
      const n = toolCallId?.slice(1);
      expect(memory.log.texts.get(path)).toBe(lines(`test ${n}`, 200));
    }
  });

  it("old results in a long session stay whole where automatic shortening is off", async () => {
    const memory = new MemorySession({
      ...worker(20),
      contextWindow: CONTEXT_WINDOW,
      options: { auto_compact_enabled: false },
    });
    await memory.say("go");
    expect(memory.facts("context_update")).toEqual([]);
  });

  it("old results of a session that no summary can help are all cut to their ends, and that too is a fact", async () => {
    const { script, tools } = worker(30);
    const memory = new MemorySession({
      script: (request, n) =>
        isSummary(request)
          ? [{ type: "failed", failure: { kind: "network", message: "the line is dead" } }]
          : script(request, n),
      tools,
      contextWindow: 8_192,
      ports: { clock: new HurryingClock() },
    });
    await memory.say("go");
    const steps = memory.facts("context_update");
    expect(steps.length).toBeGreaterThan(0);
    for (const request of own(memory)) expectValid(request.messages);
    const log = new MemoryLog("s1", "/work", memory.log.lines);
    const again = new MemorySession({ script: [saying("ok")], tools, contextWindow: 8_192, log });
    await again.say("and?");
    expect(JSON.stringify(again.provider.requests[0]?.messages)).toContain("characters left out");
  });
});
