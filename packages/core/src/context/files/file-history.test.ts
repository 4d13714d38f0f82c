import { call, calling, MemoryCheckpoints, MemorySession, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { FileLedger } from "../../ports/tool.ts";
import { FileHistory } from "./file-history.ts";

/** A tool that sees files: `read`, `changed` and `removed` name them, and it returns what it knew about `ask`. */
const see = probeTool("see", ({ read, changed, removed, ask }, { files }) => {
  const text = JSON.stringify(files.seen(String(ask)) ?? "never");
  if (typeof read === "string") files.record(read, stamp(read));
  if (typeof changed === "string") files.record(changed, stamp(`${changed} changed`), "changed");
  if (typeof removed === "string") files.record(removed, undefined, "changed");
  return { status: "ok", text, blocks: [] };
});
const stamp = (text: string): NonNullable<ReturnType<FileLedger["seen"]>> => ({ sizeBytes: text.length, sha256: text });

const historyOf = (memory: MemorySession): FileHistory => {
  const history = new FileHistory();
  for (const fact of memory.log.facts) history.see(fact);
  return history;
};
const paths = (files: readonly { path: string }[]) => files.map(({ path }) => path);
const results = (memory: MemorySession) => memory.facts("tool_call_update").flatMap((each) => each.outcome?.text ?? []);

describe("the files that an agent has seen", () => {
  it("are known to the calls after the one that saw them, also after a resume", async () => {
    const script = [
      calling(call("a", "see", { read: "/x", ask: "/x" })),
      calling(call("b", "see", { changed: "/y", ask: "/x" })),
      saying("ok"),
    ];
    const memory = new MemorySession({ script, tools: [see] });
    await memory.say("go");
    expect(results(memory)).toEqual(['"never"', JSON.stringify(stamp("/x"))]);
    expect(memory.facts("tool_call_update").flatMap(({ outcome }) => outcome?.files ?? [])).toEqual([
      { path: "/x", how: "read", ...stamp("/x") },
      { path: "/y", how: "changed", ...stamp("/y changed") },
    ]);
    const resumed = new MemorySession({
      script: [calling(call("c", "see", { ask: "/y" })), saying("ok")],
      tools: [see],
      log: memory.log,
    });
    await resumed.say("go on");
    expect(results(resumed).at(-1)).toBe(JSON.stringify(stamp("/y changed")));
  });

  it("are those of one agent: a subagent has not read what its parent has", async () => {
    const memory = new MemorySession({
      tools: [see],
      script: ({ messages }) => {
        const isChild = JSON.stringify(messages[0]).includes("look");
        const answered = messages.some(({ role }) => role === "assistant");
        if (isChild) return answered ? saying("done") : calling(call("k", "see", { ask: "/x" }));
        if (answered) return saying("done");
        return calling(call("a", "see", { read: "/x" }), call("s", "start_subagent", { task: "look" }));
      },
    });
    await memory.say("go");
    expect(results(memory).at(-1)).toBe('"never"');
  });

  it("are void where the person goes back before they were seen, and known again after a redo", async () => {
    const memory = new MemorySession({
      tools: [see],
      script: [
        calling(call("a", "see", { read: "/x" })),
        saying("ok"),
        calling(call("b", "see", { changed: "/x" }), call("c", "see", { read: "/y" })),
        saying("ok"),
        calling(call("d", "see", { ask: "/y" })),
        saying("ok"),
      ],
      ports: { checkpoints: new MemoryCheckpoints(new Map()) },
    });
    await memory.say("one");
    await memory.say("two");
    expect(paths(historyOf(memory).inPlay(9))).toEqual(["/y", "/x"]);
    const [, second] = memory.facts("user_message");
    await memory.session.rewind(second?.messageId ?? "", "conversation");
    expect(historyOf(memory).inPlay(9)).toMatchObject([{ path: "/x", stamp: stamp("/x") }]);
    expect(historyOf(memory).changes).toEqual([]);
    await memory.session.redo();
    expect(paths(historyOf(memory).inPlay(9))).toEqual(["/y", "/x"]);
    expect(paths(historyOf(memory).changes)).toEqual(["/x"]);
  });

  it("lose a file that was removed, which stays among the changes; each file is there once, the last one first, 20 at most", async () => {
    const many = Array.from({ length: 25 }, (_, n) => calling(call(`m${n}`, "see", { changed: `/m${n}` })));
    const memory = new MemorySession({
      tools: [see],
      script: [
        calling(call("a", "see", { changed: "/x" })),
        calling(call("b", "see", { changed: "/y" })),
        calling(call("c", "see", { changed: "/x" })),
        calling(call("d", "see", { removed: "/y" })),
        saying("ok"),
        ...many,
        saying("ok"),
      ],
    });
    await memory.say("go");
    const history = historyOf(memory);
    expect(paths(history.inPlay(9))).toEqual(["/x"]);
    expect(history.changes).toMatchObject([
      { path: "/y", how: "removed" },
      { path: "/x", how: "changed" },
    ]);
    expect(history.seen("/y")).toBeUndefined();
    await memory.say("more");
    expect(paths(historyOf(memory).changes)).toHaveLength(20);
    expect(historyOf(memory).changes[0]).toMatchObject({ path: "/m24" });
  });
});
