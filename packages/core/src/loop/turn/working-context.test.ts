import type { ModelMessage } from "@harness/core";
import { type Content, textOf } from "@harness/protocol";
import {
  call,
  calling,
  MemoryCheckpoints,
  type MemoryPorts,
  MemorySession,
  probeTool,
  type Script,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";

/** Reads or changes a file of the test, and answers with this many characters. */
const touch = probeTool("touch", ({ path, changed, chars = 10 }, { files }) => {
  if (typeof path === "string")
    files.record(`/work/${path}`, { sizeBytes: 1, sha256: "x" }, changed === true ? "changed" : "read");
  return { status: "ok", text: "y".repeat(Number(chars)), blocks: [] };
});
const change = (id: string, path: string) => calling(call(id, "touch", { path, changed: true }));
const long = (id: string, chars = 5_000) => calling(call(id, "touch", { chars, id }));
const longs = (count: number, from = 0) => Array.from({ length: count }, (_, n) => long(`long${from + n}`));
const tasks = (...todos: Record<string, unknown>[]) => calling(call(`t${JSON.stringify(todos)}`, "todo", { todos }));
const textIn = (message: ModelMessage | undefined) => (message?.role === "user" ? textOf(message.content) : "");
const isBlock = (message: ModelMessage) => textIn(message).includes("the state of your work");
const blocks = (memory: MemorySession) => memory.provider.requests.at(-1)?.messages.filter(isBlock).map(textIn) ?? [];
const recorded = (memory: MemorySession) =>
  memory.facts("user_message").flatMap(({ kind, content }) => (kind ? [textOf(content as Content[])] : []));

function session(
  script: Script | ScriptedEvent[][],
  more: Partial<ConstructorParameters<typeof MemorySession>[0]> = {},
) {
  return new MemorySession({ script, tools: [touch], ...more });
}

describe("the working context", () => {
  it("costs a short session nothing, whatever it reads, changes and plans", async () => {
    const script = [
      ...Array.from({ length: 5 }, (_, n) => [
        tasks({ text: `step ${n}` }),
        change(`c${n}`, `a${n}.ts`),
        long(`l${n}`, 2_000),
        saying(`done ${n}`),
      ]),
    ].flat();
    const sizes: number[] = [];
    for (const workingContext of [true, false]) {
      const memory = session(script, { options: { working_context: workingContext } });
      for (let n = 0; n < 5; n += 1) await memory.say(`do ${n}`);
      expect(recorded(memory)).toEqual([]);
      sizes.push(JSON.stringify(memory.provider.requests).length);
    }
    expect(sizes[0]).toBe(sizes[1]);
  });

  it("reminds a subagent of the task that it was started with", async () => {
    const begin = calling(call("s", "start_subagent", { task: "find the callers", context: "in src" }));
    const replies = longs(12);
    const memory = session(({ messages }) => {
      const isChild = textIn(messages[0]).includes("find the callers");
      if (isChild) return replies.shift() ?? saying("none");
      return messages.some(({ role }) => role === "assistant") ? saying("ok") : begin;
    });
    await memory.say("go");
    expect(recorded(memory)).toEqual([
      "[A note from harness, not from the person: the state of your work.\nThe latest request: find the callers]",
    ]);
  });

  it("names open tasks, files and changes once they are out of view, at the end of the messages, and not again while it is in view or would say the same", async () => {
    const script = [
      tasks(
        { text: "find the fault", status: "completed" },
        { text: "mend it", status: "in_progress" },
        { text: "test it" },
      ),
      change("c1", "src/b.ts"),
      change("c2", "src/a.ts"),
      ...longs(12),
      saying("ok"),
    ];
    const memory = session(script);
    await memory.say("repair the parser\nwith care");
    expect(recorded(memory)).toEqual([
      "[A note from harness, not from the person: the state of your work.\nThe latest request: repair the parser\nYour tasks: 1 of 3 completed. Open:\n- todo_2 mend it (in progress)\n- todo_3 test it\nFiles in use: src/a.ts, src/b.ts\nLast changed: src/a.ts, src/b.ts]",
    ]);
    const { requests } = memory.provider;
    const first = requests.findIndex(({ messages }) => messages.some(isBlock));
    expect(requests[first]?.messages.findIndex(isBlock)).toBe((requests[first]?.messages.length ?? 0) - 1);
    for (const [n, request] of requests.slice(1).entries()) {
      const before = requests[n]?.messages ?? [];
      expect(JSON.stringify(request.messages.slice(0, before.length))).toBe(JSON.stringify(before));
    }
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("comes again when it has changed and is out of view, and those before it vanish with a compaction", async () => {
    const isSummary = (text: string | undefined) => text?.includes("You summarise a coding agent") ?? false;
    const steps = [
      ...["a", "b", "c"].map((text) => saying(text)),
      tasks({ text: "mend it" }),
      ...longs(12),
      tasks({ id: "todo_1", status: "in_progress" }),
      ...longs(12, 12),
      saying("ok"),
    ];
    let n = 0;
    const script: Script = ({ system }) =>
      isSummary(system) ? saying("About the parser.") : (steps[n++] ?? saying("ok"));
    const memory = session(script);
    for (const text of ["a", "b", "c", "go", "d"]) await memory.say(text);
    await memory.say("e");
    expect(blocks(memory)).toHaveLength(2);
    expect(blocks(memory)[1]).toContain("- todo_1 mend it (in progress)");
    expect(await memory.session.compact()).not.toHaveProperty("problem");
    await memory.say("and now?");
    expect(blocks(memory)).toHaveLength(1);
    expect(blocks(memory)[0]).toContain("mend it (in progress)");
    const resumed = session([saying("ok")], { log: memory.log });
    await resumed.say("still there?");
    expect(blocks(resumed)).toEqual(blocks(memory));
  });

  it("says nothing after a compaction, whose summary names tasks and files in any case", async () => {
    const steps = [tasks({ text: "mend it" }), change("c", "src/a.ts"), ...longs(2), saying("ok")];
    let n = 0;
    const script: Script = ({ system }) =>
      system.includes("You summarise a coding agent")
        ? saying("Nothing.")
        : (steps[n++] ?? saying("more ".repeat(100)));
    const memory = session(script, { contextWindow: 16_384 });
    for (const text of ["go", "1", "2", "3", "4", "5", "6", "7"]) await memory.say(text);
    expect(await memory.session.compact()).not.toHaveProperty("problem");
    await memory.say("and now?");
    expect(recorded(memory)).toEqual([]);
    expect(JSON.stringify(memory.provider.requests.at(-1)?.messages)).toContain("mend it");
  });

  it("is not there where the setting is off", async () => {
    const memory = session([tasks({ text: "mend it" }), ...longs(12), saying("ok")], {
      options: { working_context: false },
      ports: { changedSince: async () => "changed" },
    });
    await memory.say("go");
    await memory.say("on");
    expect(memory.facts("user_message").map(({ origin }) => origin)).toEqual(["user", "user"]);
  });
});

describe("files that others change", () => {
  const notes = (memory: MemorySession) =>
    memory
      .facts("user_message")
      .flatMap(({ files, origin, content }) => (files && origin === "harness" ? [textOf(content as Content[])] : []));
  const start = (
    script: ScriptedEvent[][],
    states: Record<string, "changed" | "gone">,
    more: Partial<MemoryPorts> = {},
  ) =>
    session(script, {
      ports: { changedSince: async (path) => states[path.slice("/work/".length)] ?? "same", ...more },
    });

  it("are reported once with the next message, again when the agent has seen them and they change again, and not in the middle of a turn", async () => {
    const states: Record<string, "changed" | "gone"> = {};
    const memory = start(
      [
        change("a", "a.ts"),
        change("b", "b.ts"),
        saying("1"),
        saying("2"),
        saying("3"),
        change("c", "a.ts"),
        saying("4"),
        saying("5"),
      ],
      states,
    );
    await memory.say("one");
    expect(notes(memory)).toEqual([]);
    Object.assign(states, { "a.ts": "changed", "b.ts": "gone" });
    await memory.say("two");
    await memory.say("three");
    const told =
      "[A note from harness, not from the person: Changed since you last read or wrote them: a.ts. Deleted since: b.ts.]";
    expect(notes(memory)).toEqual([told]);
    expect(textIn(memory.provider.requests.at(-1)?.messages.at(-3))).toBe(told);
    await memory.say("four");
    expect(notes(memory)).toEqual([told]);
    await memory.say("five");
    expect(notes(memory)).toHaveLength(2);
    expect(notes(memory)[1]).toContain("a.ts.]");
  });

  it("are reported only by the note about an undo, if an undo changed them", async () => {
    const files = new Map([["/work/a.ts", "old"]]);
    const checkpoints = new MemoryCheckpoints(files);
    const states: Record<string, "changed"> = {};
    const write = probeTool("touch", (_args, context) => {
      files.set("/work/a.ts", "new");
      context.files.record("/work/a.ts", { sizeBytes: 3, sha256: "new" }, "changed");
      return { status: "ok", text: "ok", blocks: [] };
    });
    const memory = new MemorySession({
      script: [calling(call("a", "touch", {})), saying("1"), saying("2")],
      tools: [{ ...write, category: "destructive", effects: () => [{ kind: "write", path: "/work/a.ts" }] }],
      ports: { checkpoints, changedSince: async (path) => states[path] ?? "same" },
    });
    await memory.say("one");
    expect((await memory.session.undo()).files).toMatchObject([{ outcome: "restored" }]);
    states["/work/a.ts"] = "changed";
    await memory.say("two");
    expect(notes(memory)).toEqual([]);
    expect(textIn(memory.provider.requests.at(-1)?.messages.at(-1))).toContain("took back changes of files");
  });
});
