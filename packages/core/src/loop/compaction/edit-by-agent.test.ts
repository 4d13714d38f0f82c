import {
  call,
  calling,
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

const isAgent = (request: ModelRequest) => request.tools.some(({ name }) => name === "verify_compression_target");
const isSummary = (request: ModelRequest) => request.priority === "background" && !isAgent(request);
const GOAL = "Port the parser, and never touch legacy.ts.";
const resultIn = ({ messages }: ModelRequest) => {
  const last = messages.at(-1);
  return last?.role === "tool" ? last.text : "";
};

const EXTRACT =
  "[An extract of big.ts, 300 lines: 1-1.]\nline of code\n[lines 2-300 left out: read them with offset=2]";
/** Like `read` when a model has chosen the lines of a file. */
const choose = probeTool("choose", async ({ path = "/work/big.ts", shown = EXTRACT }, { extracts }) => {
  extracts?.answers.set(String(path), { key: "k", text: "{}", shown: String(shown) });
  return { status: "ok", text: "chosen", blocks: [] };
});

/** Eight exchanges with large results; then a compaction whose agent plays these replies. */
async function compacted(
  play: (request: ModelRequest, n: number) => ScriptedEvent[],
  contextWindow = 24_000,
  chosen?: Record<string, string>,
) {
  const files = new Map([["/work/big.ts", "line of code\n".repeat(300)]]);
  let played = 0;
  const script: Script = (request) => {
    if (isAgent(request)) {
      played += 1;
      return play(request, played);
    }
    if (isSummary(request)) return saying("One summary of all.");
    const last = request.messages.at(-1);
    if (chosen && last?.role === "user" && JSON.stringify(last).includes(GOAL))
      return calling(call("x", "choose", chosen));
    return last?.role === "user" && JSON.stringify(last).includes("step")
      ? calling(call(`r${request.messages.length}`, "read", { file_path: "big.ts", limit: request.messages.length }))
      : saying(`done ${"with words ".repeat(60)}`);
  };
  const memory = new MemorySession({
    script,
    tools: [...memoryTools(files), choose],
    contextWindow,
    options: { auto_compact_enabled: false, compact_strategy: "agent", compact_target: 35, extract_files_above: 10 },
  });
  await memory.say(GOAL);
  for (let n = 1; n <= 10; n += 1) await memory.say(`step ${n}`);
  return { memory, answer: await memory.session.compact("the parser") };
}

const measure = calling(call("m", "get_compression_metadata", { include_details: true }));
const segment = (text: string, end: unknown, summary = "You began the port.") => {
  const [, start = "0"] = /A segment begins at (\d+)/.exec(text) ?? [];
  return calling(call("s", "compress_conversation_segment", { start_index: start, end_index: end, summary }));
};

describe("a compaction by an agent", () => {
  it("measures, shortens results, then replaces the oldest exchanges; the next requests follow from its facts", async () => {
    const { memory, answer } = await compacted((request, n) => {
      if (n === 1) return measure;
      const tools = [...resultIn(request).matchAll(/^(\d+) tool (\d+) tokens:/gm)].map(([, index]) => Number(index));
      if (n === 2)
        return calling(
          ...tools.slice(0, 2).map((index, at) =>
            call(`c${index}`, "compress_tool_result", {
              message_index: index,
              strategy: at === 0 ? "generic" : "use_modification_metadata",
            }),
          ),
          call("v", "verify_compression_target", {}),
        );
      return n === 3 ? measure : segment(resultIn(request), 9_999);
    });
    expect(answer).toEqual({ tokensBefore: expect.any(Number), tokensAfter: expect.any(Number) });
    const [first, ...others] = memory.provider.requests.filter(isAgent);
    expect(JSON.stringify(first?.messages)).toContain("Above all, keep: the parser");
    expect(others.length).toBeLessThan(8);
    const [compaction] = memory.facts("compaction_update");
    expect(compaction).toMatchObject({
      summary: expect.stringMatching(/^You began the port\./),
      focus: "the parser",
      pins: expect.arrayContaining(["messages"]),
    });
    expect(compaction?.tokensAfter).toBeLessThan(0.35 * (24_000 - 4_096) + 1_100);
    await memory.say("now?");
    const sent = memory.provider.requests.at(-1)?.messages ?? [];
    expect(JSON.stringify(sent[0])).toContain(GOAL);
    const calls = sent.flatMap((each) =>
      each.role === "assistant" ? each.parts.filter(({ type }) => type === "tool_call") : [],
    );
    expect(sent.filter(({ role }) => role === "tool")).toHaveLength(calls.length);
    const again = new MemorySession({
      script: [saying("x")],
      tools: memoryTools(),
      contextWindow: 24_000,
      log: new MemoryLog("s1", "/work", memory.log.lines),
    });
    await again.say("and?");
    expect(again.provider.requests[0]?.messages.slice(0, sent.length - 1)).toEqual(sent.slice(0, -1));
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("is done with shorter results alone where they are enough", async () => {
    const { memory, answer } = await compacted((request, n) => {
      if (n === 1) return measure;
      const tools = [...resultIn(request).matchAll(/^(\d+) tool (\d+) tokens:/gm)].map(([, index]) => Number(index));
      return calling(...tools.map((index) => call(`c${index}`, "compress_tool_result", { message_index: index })));
    }, 35_000);
    expect(answer).toHaveProperty("tokensAfter");
    expect(memory.facts("compaction_update")).toEqual([]);
    expect(memory.facts("context_update")).toMatchObject([{ title: expect.stringContaining("compaction agent") }]);
    await memory.say("now?");
    expect(JSON.stringify(memory.provider.requests.at(-1)?.messages)).toContain("characters left out by a compaction");
  });

  const byExtracts = (request: ModelRequest, n: number) => {
    if (n === 1) return measure;
    const tools = [...resultIn(request).matchAll(/^(\d+) tool (\d+) tokens:/gm)].map(([, index]) => Number(index));
    const order = (index: number) => ({ message_index: index, strategy: "use_curator_cache" });
    return calling(...tools.map((index) => call(`c${index}`, "compress_tool_result", order(index))));
  };

  it("keeps the extract of a file whose lines were chosen before, as a fact: a resume sends the same", async () => {
    const { memory } = await compacted(byExtracts, 35_000, {});
    await memory.say("now?");
    const sent = memory.provider.requests.at(-1)?.messages ?? [];
    const texts = sent.flatMap((each) => (each.role === "tool" && each.name === "read" ? [each.text] : []));
    expect(texts.filter((text) => text === EXTRACT).length).toBeGreaterThan(3);
    expect(texts.join().includes("left out by a compaction")).toBe(false);
    const log = new MemoryLog("s1", "/work", memory.log.lines);
    const again = new MemorySession({ script: [saying("x")], tools: memoryTools(), contextWindow: 35_000, log });
    await again.say("and?");
    expect(again.provider.requests[0]?.messages.slice(0, sent.length - 1)).toEqual(sent.slice(0, -1));
  });

  it.each([
    ["of another file", { path: "/work/other.ts" }],
    ["with lines that the result does not have", { shown: "[An extract of big.ts]\nanother line" }],
    ["without lines", { shown: "[An extract of big.ts]" }],
  ])("keeps the ends of a result where the extract is one %s", async (_name, chosen) => {
    const { memory } = await compacted(byExtracts, 35_000, chosen);
    await memory.say("now?");
    const sent = memory.provider.requests.at(-1)?.messages ?? [];
    const texts = sent.flatMap((each) => (each.role === "tool" ? [each.text] : [])).join();
    expect(texts.includes("characters left out by a compaction")).toBe(true);
    expect(texts.includes("An extract of")).toBe(false);
  });

  it.each<[string, (request: ModelRequest, n: number) => ScriptedEvent[], number]>([
    ["does nothing", () => saying("I am done."), 1],
    ["only measures", () => measure, 8],
    ["fails", () => [{ type: "failed", failure: { kind: "auth", message: "no key" } }], 1],
  ])("gives way to one summary where it %s, with a notice", async (_name, play, requests) => {
    const { memory } = await compacted(play);
    expect(memory.provider.requests.filter(isAgent)).toHaveLength(requests);
    expect(memory.facts("compaction_update")).toMatchObject([
      { summary: expect.stringMatching(/^One summary of all\./) },
    ]);
    expect(memory.facts("notice")).toMatchObject([
      { title: "The compaction agent failed, so a single summary is written instead." },
    ]);
  });

  it("is answered with what is wrong: another beginning, no summary, no result, what is protected, unknown tools", async () => {
    const results: string[] = [];
    await compacted((request, n) => {
      for (const message of request.messages) if (message.role === "tool") results[results.length] = message.text;
      if (n > 1) return saying("enough");
      return calling(
        call("a", "compress_conversation_segment", { start_index: 3, end_index: 5, summary: "x" }),
        call("b", "compress_conversation_segment", { start_index: 0, end_index: 5, summary: " " }),
        call("c", "compress_conversation_segment", { start_index: 0, end_index: 0, summary: "x" }),
        call("d", "compress_tool_result", { message_index: 0 }),
        call("e", "compress_tool_result", { message_index: 999 }),
        call("f", "compress_tool_result", { message_index: "two" }),
        call("g", "delete_everything", {}),
      );
    });
    expect(results).toEqual([
      "The oldest messages go first: start at 0.",
      "The summary is empty: write one for the segment.",
      expect.stringMatching(/^A segment that starts at 0 may end at \d/),
      expect.stringContaining("no compressible tool result at 0"),
      expect.stringContaining("no compressible tool result at 999"),
      expect.stringContaining("Invalid arguments"),
      "There is no tool delete_everything.",
    ]);
  });
});
