import { call, calling, MemoryCheckpoints, MemorySession, memoryTools, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const write = (id: string, content: string) => call(id, "write", { file_path: "a", content });

/** Three turns that each write a file; `go` lets the pending checkpoint complete. */
function begin() {
  const files = new Map([["/work/a", "zero"]]);
  const checkpoints = new MemoryCheckpoints(files);
  const begun = Promise.withResolvers<AbortSignal | undefined>();
  const go = Promise.withResolvers<void>();
  checkpoints.beforeTake = async (signal) => {
    begun.resolve(signal);
    await go.promise;
  };
  const script = ["1", "2", "3"].flatMap((content) => [calling(write(`c${content}`, content)), saying("ok")]);
  const memory = new MemorySession({ script, tools: memoryTools(files), ports: { checkpoints } });
  return { memory, checkpoints, files, begun, go };
}

const notices = (memory: MemorySession) => memory.facts("notice").map(({ title }) => title);

describe("the first checkpoint of a large folder", () => {
  it("the first checkpoint of a large folder goes on behind the calls after two seconds, says so, and makes later turns undoable", async () => {
    const { memory, files, begun, go } = begin();
    memory.prompt("1");
    await begun.promise;
    memory.ports.clock.advance(2_001);
    await memory.session.idle();
    expect(files.get("/work/a")).toBe("1");
    expect(memory.facts("notice")).toMatchObject([
      { description: expect.stringContaining("continues in the background") },
    ]);
    expect((await memory.session.undo()).text).toContain("nothing to undo");
    await memory.say("2");
    expect(files.get("/work/a")).toBe("2");
    expect(notices(memory)).toHaveLength(1);
    go.resolve();
    await memory.untilFact((fact) => fact.sessionUpdate === "notice" && fact.title.includes("are stored"));
    await memory.say("3");
    expect((await memory.session.undo()).files).toEqual([{ path: "a", outcome: "restored" }]);
    expect(files.get("/work/a")).toBe("2");
  });

  it("the first checkpoint of a large folder stops with its session, without a word", async () => {
    const { memory, begun, go } = begin();
    memory.prompt("1");
    const signal = await begun.promise;
    memory.ports.clock.advance(2_001);
    await memory.session.idle();
    await memory.session.close(0);
    expect(signal?.aborted).toBe(true);
    go.resolve();
    expect(notices(memory)).toHaveLength(1);
  });

  it("the first checkpoint of a large folder that fails in the background is named", async () => {
    const { memory, checkpoints, begun, go } = begin();
    checkpoints.broken = () => "The disk is full.";
    memory.prompt("1");
    await begun.promise;
    memory.ports.clock.advance(2_001);
    await memory.session.idle();
    go.resolve();
    await memory.untilFact((fact) => fact.sessionUpdate === "notice" && fact.description === "The disk is full.");
  });
});

it("a later checkpoint is waited for up to ten seconds", async () => {
  const { memory, checkpoints, files, begun, go } = begin();
  checkpoints.taken = 1;
  memory.prompt("1");
  await begun.promise;
  memory.ports.clock.advance(9_000);
  expect(files.get("/work/a")).toBe("zero");
  go.resolve();
  await memory.session.idle();
  expect(memory.facts("turn_changes")).toHaveLength(1);
});
