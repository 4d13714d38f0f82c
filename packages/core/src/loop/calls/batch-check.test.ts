import type { Fact } from "@harness/protocol";
import { call, calling, commandTool, MemorySession, memoryTools, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { EditChecks, FileEdits } from "../../ports/edits/edit-checks.ts";

/** Checks that note what they were asked. */
function noting(text = "VERDICT") {
  const asked: { before: string[][]; after: (FileEdits & { commands: boolean })[] } = { before: [], after: [] };
  const checks: EditChecks = {
    before: async ({ paths }) => void asked.before.push([...paths]),
    async after(edits) {
      asked.after.push(edits);
      return { text, shown: `shown ${text}` };
    },
    late: () => undefined,
    reviewed: () => undefined,
  };
  return { asked, checks };
}

const write = (id: string, path: string) => call(id, "write", { file_path: path, content: "1" });

function results(memory: MemorySession): Record<string, string> {
  const { messages = [] } = memory.provider.requests.at(-1) ?? {};
  return Object.fromEntries(messages.flatMap((each) => (each.role === "tool" ? [[each.toolCallId, each.text]] : [])));
}

async function answered(parts: ReturnType<typeof call>[], checks: EditChecks, setup: object = {}) {
  const memory = new MemorySession({
    script: [calling(...parts), saying("done")],
    ports: { editChecks: checks },
    ...setup,
  });
  await memory.say("go");
  expect(memory.states.live).toEqual(memory.states.folded);
  return memory;
}

describe("the edits of a reply", () => {
  it("are checked once, and the last result says what was found", async () => {
    const { asked, checks } = noting();
    const memory = await answered([write("a", "x.ts"), write("b", "y.ts")], checks);
    const { a = "", b = "" } = results(memory);
    expect([a, b].filter((text) => text.endsWith("\n\nVERDICT"))).toHaveLength(1);
    expect(asked.before.toSorted()).toEqual([["/work/x.ts"], ["/work/y.ts"]]);
    expect(asked.after).toHaveLength(1);
    expect(asked.after[0]).toMatchObject({ agentId: "main", paths: ["/work/x.ts", "/work/y.ts"], commands: false });
  });

  it("people see it as well", async () => {
    const memory = await answered([write("a", "x.ts")], noting().checks);
    const outcome = memory.facts("tool_call_update").find((each) => each.outcome)?.outcome;
    expect(outcome?.blocks.at(-1)).toEqual({ type: "text", text: "shown VERDICT" });
  });

  it("have a verdict in a later result if it came too late for theirs", async () => {
    let late: string | undefined = "LATE";
    const take = () => {
      const text = late;
      late = undefined;
      return text === undefined ? undefined : { text };
    };
    const checks: EditChecks = {
      before: async () => undefined,
      after: async () => undefined,
      late: take,
      reviewed: () => undefined,
    };
    const memory = new MemorySession({
      script: [
        calling(write("a", "x.ts")),
        calling(call("b", "read", { file_path: "x.ts" })),
        calling(call("c", "read", { file_path: "x.ts" })),
        saying("done"),
      ],
      ports: { editChecks: checks },
    });
    await memory.say("go");
    const { a, b, c } = results(memory);
    expect(a).not.toContain("LATE");
    expect(b).toMatch(/\n\nLATE$/);
    expect(c).not.toContain("LATE");
  });

  it("are not checked if nothing was changed", async () => {
    const { asked, checks } = noting();
    await answered([call("a", "read", { file_path: "x.ts" })], checks);
    await answered([call("a", "bash", { command: "ls" })], checks);
    expect(asked).toEqual({ before: [], after: [] });
  });

  it("may be made by a command", async () => {
    const { asked, checks } = noting();
    const memory = await answered([call("a", "bash", { command: "make" })], checks);
    expect(asked.after).toMatchObject([{ paths: [], commands: true }]);
    expect(results(memory).a).toBe("ran make\n\nVERDICT");
  });

  it("are checked when the command beside them has ended", async () => {
    const { asked, checks } = noting();
    const files = memoryTools().filter(({ name }) => name !== "bash");
    const tools = [...files, commandTool(({ command }) => ({ status: "ok", text: `ran ${command}`, blocks: [] }))];
    const memory = await answered([write("a", "x.ts"), call("b", "bash", { command: "make" })], checks, { tools });
    expect(asked.after).toMatchObject([{ paths: ["/work/x.ts"], commands: true }]);
    expect(results(memory)).toMatchObject({ b: "ran make\n\nVERDICT" });
  });

  it("are checked although the call after them cannot run", async () => {
    const { asked, checks } = noting();
    const memory = await answered([write("a", "x.ts"), call("b", "write", { file_path: 1 })], checks);
    expect(asked.after).toMatchObject([{ paths: ["/work/x.ts"] }]);
    expect(results(memory).a).toBe("wrote 1 characters\n\nVERDICT");
  });

  it("wait for the end of a reply that still streams, or for its next call", async () => {
    const { asked, checks } = noting();
    const started = (id: string): ScriptedEvent => {
      const isStarted = (fact: Fact) =>
        fact.sessionUpdate === "tool_call_update" && fact.toolCallId === id && fact.status === "in_progress";
      const promise = Promise.resolve().then(() => memory.untilFact(isStarted));
      return { type: "until", promise };
    };
    const events: ScriptedEvent[] = [
      { type: "call", part: write("a", "x.ts") },
      started("a"),
      { type: "call", part: write("b", "y.ts") },
      started("b"),
      { type: "end", parts: [write("a", "x.ts"), write("b", "y.ts")], stop: "tool_calls" },
    ];
    const memory: MemorySession = new MemorySession({
      script: (_request, n) => (n === 0 ? events : saying("done")),
      ports: { editChecks: checks },
    });
    await memory.say("go");
    expect(asked.after).toMatchObject([{ paths: ["/work/x.ts", "/work/y.ts"] }]);
    expect(results(memory)).toEqual({ a: "wrote 1 characters", b: "wrote 1 characters\n\nVERDICT" });
  });
});
