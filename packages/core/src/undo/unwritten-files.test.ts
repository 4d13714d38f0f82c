import { sumAgentChanges } from "@harness/protocol";
import {
  call,
  calling,
  MemoryCheckpoints,
  MemoryLog,
  MemorySession,
  memoryTools,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";

const write = (id: string, name: string, content: string) => call(id, "write", { file_path: name, content });

function begin(script: ScriptedEvent[][], files: Map<string, string>) {
  const checkpoints = new MemoryCheckpoints(files);
  const memory = new MemorySession({ script, tools: memoryTools(files), ports: { checkpoints } });
  return { memory, files, checkpoints, session: memory.session };
}

/** Turn 1 writes a and b, turn 2 writes a and c, turn 3 nothing. */
async function talked() {
  const script = [
    calling(write("c1", "a", "one"), write("c2", "b", "one")),
    saying("first"),
    calling(write("c3", "a", "two"), write("c4", "c", "two")),
    saying("second"),
    saying("third"),
    saying("fourth"),
  ];
  const all = begin(script, new Map([["/work/a", "zero"]]));
  await all.memory.say("1");
  await all.memory.say("2");
  return all;
}

const now = (files: Map<string, string>) => Object.fromEntries([...files].map(([path, text]) => [path.slice(6), text]));

function expectSameEverywhere(memory: MemorySession): void {
  const { live, folded, client } = memory.states;
  expect(live).toEqual(folded);
  expect(client).toEqual(folded);
}

describe("an undo that could not write a file", () => {
  it("an undo that could not write a file tries that file again, also after a message, and says why it failed", async () => {
    const { memory, session, files, checkpoints } = await talked();
    checkpoints.unwritable.add("a");
    const first = await session.undo();
    expect(first.files).toEqual([
      { path: "a", outcome: "failed", why: "it is not permitted, EPERM" },
      { path: "c", outcome: "deleted" },
    ]);
    expect(first.text).toContain("Could not be written: a (it is not permitted, EPERM).");
    expect(first.text).toContain("still have to be undone");
    expect(sumAgentChanges(session.state.undo)).toMatchObject({ changedFiles: 2 });
    const again = await session.undo();
    expect(again.text).toContain("No file could be reverted for the changes of one turn.");
    expect(again.text).toContain("it is not permitted, EPERM");
    expect(again.text).not.toContain("/redo");
    await memory.say("3");
    checkpoints.unwritable.clear();
    expect((await session.undo()).files).toEqual([{ path: "a", outcome: "restored" }]);
    expect(now(files)).toEqual({ a: "one", b: "one" });
    await session.undo();
    expect(now(files)).toEqual({ a: "zero" });
    expect((await session.undo()).text).toContain("nothing more to undo");
    expectSameEverywhere(memory);
  });

  it("an undo that could not write any file is not done: the turn is still to be undone, and nothing can be redone", async () => {
    const { session, files, checkpoints } = await talked();
    for (const name of ["a", "c"]) checkpoints.unwritable.add(name);
    await session.undo();
    expect(session.state.undo.turns.map(({ reverted }) => reverted)).toEqual([false, false]);
    expect((await session.redo()).text).toContain("nothing was undone");
    checkpoints.unwritable.clear();
    await session.undo();
    expect(now(files)).toEqual({ a: "one", b: "one" });
  });

  it("an undo that could not write a file is redone, and then undone whole", async () => {
    const { memory, session, files, checkpoints } = await talked();
    checkpoints.unwritable.add("a");
    await session.undo();
    checkpoints.unwritable.clear();
    await session.undo();
    await session.redo();
    expect(now(files)).toEqual({ a: "two", b: "one" });
    expect(session.state.undo.turns[1]).toMatchObject({ reverted: true, unwritten: [{ paths: ["a"] }] });
    await session.redo();
    expect(now(files)).toEqual({ a: "two", b: "one", c: "two" });
    expect(session.state.undo.turns[1]).toMatchObject({ reverted: false });
    await session.undo();
    expect(now(files)).toEqual({ a: "one", b: "one" });
    expectSameEverywhere(memory);
  });

  it("a rewind that could not write a file is completed by one undo, however many turns had changed the file", async () => {
    const { memory, session, files, checkpoints } = await talked();
    checkpoints.unwritable.add("a");
    const [first] = session.state.undo.messages;
    await session.rewind(first?.messageId ?? "", "files");
    expect(now(files)).toEqual({ a: "two" });
    await memory.say("3");
    const same = new MemorySession({
      script: [],
      log: new MemoryLog("s1", "/work", memory.log.lines),
      ports: { checkpoints },
    });
    checkpoints.unwritable.clear();
    expect((await same.session.undo()).text).toContain("Reverted the changes of 2 turns: 1 file.");
    expect(now(files)).toEqual({ a: "zero" });
  });

  it("a rewind goes further back than a file that could not be written, and tries it again", async () => {
    const { memory, session, files, checkpoints } = await talked();
    checkpoints.unwritable.add("a");
    await session.undo();
    await memory.say("3");
    const [first] = session.state.undo.messages;
    await session.rewind(first?.messageId ?? "", "files");
    expect(now(files)).toEqual({ a: "two" });
    checkpoints.unwritable.clear();
    await session.rewind(first?.messageId ?? "", "files");
    expect(now(files)).toEqual({ a: "zero" });
    expectSameEverywhere(memory);
  });

  it("a redo that could not write a file tries it again", async () => {
    const { memory, session, files, checkpoints } = await talked();
    await session.undo();
    checkpoints.unwritable.add("a");
    expect((await session.redo()).text).toContain("type /redo again");
    expect(now(files)).toEqual({ a: "one", b: "one", c: "two" });
    checkpoints.unwritable.clear();
    await session.redo();
    expect(now(files)).toEqual({ a: "two", b: "one", c: "two" });
    expectSameEverywhere(memory);
  });
});
