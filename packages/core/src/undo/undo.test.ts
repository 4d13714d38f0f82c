import { ROOT_AGENT, sumAgentChanges, textOf } from "@harness/protocol";
import {
  call,
  calling,
  commandTool,
  MemoryCheckpoints,
  MemoryLog,
  MemorySession,
  memoryTools,
  probeTool,
  type ScriptedEvent,
  saying,
  usualGateSettings,
} from "@harness/testkit";
import { describe, expect, it } from "vitest";

const ok = (text: string) => ({ status: "ok" as const, text, blocks: [] });
const write = (id: string, name: string, content: string) => call(id, "write", { file_path: name, content });
const run = (id: string, command: string) => call(id, "bash", { command });

type Setup = { script: ScriptedEvent[][]; files?: Map<string, string>; log?: MemoryLog; off?: boolean };

/** A session whose tools change a map of files; `rm -rf X` removes one. */
function begin({ script, files = new Map(), log, off = false }: Setup) {
  const checkpoints = new MemoryCheckpoints(files);
  const shell = commandTool(({ command }) => {
    const [, path] = /^rm -rf (\S+)$/.exec(command) ?? [];
    if (path) files.delete(`/work/${path}`);
    return ok(`ran ${command}`);
  });
  const tools = [...memoryTools(files).filter(({ name }) => name !== "bash"), shell];
  const ports = { checkpoints, gateSettings: () => ({ ...usualGateSettings(), checkpoints: !off }) };
  const memory = new MemorySession({ script, tools, ports, ...(log ? { log } : {}) });
  return { memory, files, checkpoints, session: memory.session };
}

/** The texts of the last request, one line per message. */
function sent(memory: MemorySession): string[] {
  const messages = memory.provider.requests.at(-1)?.messages ?? [];
  return messages.map((each) => (each.role === "user" ? textOf(each.content) : each.role));
}

function expectSameEverywhere(memory: MemorySession): void {
  const { live, folded, client } = memory.states;
  expect(live).toEqual(folded);
  expect(client).toEqual(folded);
}

const shown = (memory: MemorySession) =>
  memory.session.state.agents.get(ROOT_AGENT)?.items.map((item) => {
    if (item.kind === "user" || item.kind === "agent")
      return item.kind === "user" ? textOf(item.content) : textOf(item.parts);
    return item.kind === "notice" || item.kind === "rewind" ? item.title : item.kind;
  });
const messageId = (memory: MemorySession, index: number) =>
  memory.session.state.undo.messages[index]?.messageId ?? "none";

describe("checkpoints of a turn", () => {
  it("checkpoints of a turn are taken before the first change and at its end, once for calls side by side", async () => {
    const script = [
      calling(write("c1", "a", "1"), write("c2", "b", "2")),
      calling(write("c3", "a", "3")),
      saying("ok"),
    ];
    const { memory, checkpoints } = begin({ script });
    await memory.say("go");
    expect(checkpoints.taken).toBe(2);
    const kinds = memory.log.facts.flatMap(({ update }) => {
      if (update.sessionUpdate === "checkpoint") return [`checkpoint ${update.reason} ${update.checkpointId}`];
      if (update.sessionUpdate !== "tool_call_update" || update.status !== "in_progress") return [];
      return [`${update.toolCallId} starts`];
    });
    expect(kinds).toEqual([
      "checkpoint turn state-1",
      "c1 starts",
      "c2 starts",
      "c3 starts",
      "checkpoint turn state-2",
    ]);
    expect(memory.facts("turn_changes")).toMatchObject([
      { before: "state-1", after: "state-2", files: [{ path: "a", change: "create" }, { path: "b" }], added: 2 },
    ]);
    expect(memory.log.facts.at(-1)?.update).toMatchObject({ sessionUpdate: "state_update", state: "idle" });
    expectSameEverywhere(memory);
  });

  it("checkpoints of a turn are not taken for calls that only read, nor where they are switched off", async () => {
    const script = () => [calling(call("c1", "read", { file_path: "a" }), run("c2", "ls")), saying("ok")];
    const reads = begin({ script: script() });
    await reads.memory.say("go");
    const off = begin({ script: [calling(write("c1", "a", "1")), saying("ok")], off: true });
    await off.memory.say("go");
    expect([reads.checkpoints.taken, off.checkpoints.taken]).toEqual([0, 0]);
    expect((await off.session.undo()).text).toContain("checkpoints are off");
  });

  it("checkpoints of a turn that changed nothing are not recorded", async () => {
    const { memory, session } = begin({ script: [calling(run("c1", "make")), saying("ok")] });
    await memory.say("go");
    expect(memory.facts("turn_changes")).toEqual([]);
    expect((await session.undo()).text).toContain("this session has not changed any file");
    expectSameEverywhere(memory);
  });

  it("checkpoints of a turn are taken again before a command that destroys work", async () => {
    const files = new Map([["/work/old", "old"]]);
    const script = [calling(write("c1", "a", "1")), calling(run("c2", "rm -rf old")), saying("ok")];
    const { memory, session } = begin({ script, files });
    await memory.say("go");
    const [before, command] = memory.facts("checkpoint");
    expect([before?.reason, command?.reason]).toEqual(["turn", "command"]);
    const back = await session.rewind(String(command?.checkpointId), "files");
    expect(back.files).toEqual([{ path: "old", outcome: "restored" }]);
    expect(Object.fromEntries(files)).toEqual({ "/work/a": "1", "/work/old": "old" });
    expect(sumAgentChanges(session.state.undo)).toEqual({ added: 1, removed: 0, changedFiles: 1 });
    await session.undo();
    expect(Object.fromEntries(files)).toEqual({ "/work/old": "old" });
    await session.redo();
    await session.redo();
    expect(Object.fromEntries(files)).toEqual({ "/work/a": "1" });
    expectSameEverywhere(memory);
  });

  it("checkpoints of a turn include the changes of its subagents", async () => {
    const files = new Map<string, string>();
    const script = [
      calling(call("c1", "start_subagent", { task: "write b" })),
      saying("waiting"),
      calling(write("d1", "b", "child")),
      saying("done"),
      saying("all done"),
    ];
    // Parent and child use the turns of the script in any order.
    const { memory } = begin({ script, files });
    memory.provider.stream = async function* (request) {
      const text = JSON.stringify(request.messages);
      const isChild = JSON.stringify(request.messages[0]).includes("write b");
      const did = text.includes('"role":"tool"');
      const reply = isChild ? (did ? script[3] : script[2]) : did ? script[4] : script[0];
      for (const event of reply ?? []) if (event.type !== "until") yield event;
    };
    await memory.say("go");
    expect(memory.facts("turn_changes")).toMatchObject([{ files: [{ path: "b", change: "create" }] }]);
    expect(memory.log.facts.find(({ update }) => update.sessionUpdate === "turn_changes")?.agentId).toBe(ROOT_AGENT);
    await memory.session.undo();
    expect(files.size).toBe(0);
  });

  it("checkpoints of a turn that cannot be taken are reported once, and delay nothing", async () => {
    const { memory, checkpoints, files } = begin({
      script: [calling(write("c1", "a", "1")), calling(write("c2", "a", "2")), saying("ok")],
    });
    checkpoints.broken = () => "git was not found.";
    await memory.say("go");
    expect(files.get("/work/a")).toBe("2");
    expect(memory.facts("notice")).toMatchObject([{ severity: "warning", description: "git was not found." }]);
  });

  it("checkpoints of a turn are given up for the session after two failures, so that no later turn waits for them", async () => {
    const script = [1, 2, 3].flatMap((n) => [calling(write(`c${n}`, "a", `${n}`)), saying("ok")]);
    const { memory, checkpoints } = begin({ script });
    let tries = 0;
    checkpoints.broken = () => {
      tries += 1;
      return "There are too many files.";
    };
    for (const text of ["1", "2", "3"]) await memory.say(text);
    expect(tries).toBe(2);
    expect(memory.facts("notice").map(({ description }) => description)).toEqual([
      "There are too many files.",
      "There are too many files. harness does not try again in this session.",
    ]);
  });
});

describe("an undo", () => {
  const twoTurns = (): ScriptedEvent[][] => [
    calling(write("c1", "a", "one"), write("c2", "new", "n")),
    saying("first"),
    calling(write("c3", "a", "two")),
    saying("second"),
    saying("third"),
  ];
  const files = () => new Map([["/work/a", "zero"]]);

  it("an undo reverts turns one after another, and redo restores them", async () => {
    const { memory, session, files: now } = begin({ script: twoTurns(), files: files() });
    await memory.say("1");
    await memory.say("2");
    expect(sumAgentChanges(session.state.undo)).toMatchObject({ changedFiles: 2 });
    const first = await session.undo();
    expect(first.files).toEqual([{ path: "a", outcome: "restored" }]);
    expect(first.text).toContain("Reverted the changes of one turn: 1 file.\nRestored: a.");
    expect(now.get("/work/a")).toBe("one");
    await session.undo();
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "zero" });
    expect(sumAgentChanges(session.state.undo)).toEqual({ added: 0, removed: 0, changedFiles: 0 });
    expect((await session.undo()).text).toContain("nothing more to undo");
    await session.redo();
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "one", "/work/new": "n" });
    expect((await session.redo()).text).toContain("Redone: 1 file.");
    expect(now.get("/work/a")).toBe("two");
    expect((await session.redo()).text).toContain("nothing was undone");
    expectSameEverywhere(memory);
  });

  it("an undo keeps later changes of the person, and says so to both", async () => {
    const { memory, session, files: now } = begin({ script: twoTurns(), files: files() });
    await memory.say("1");
    now.set("/work/a", "mine");
    const undone = await session.undo();
    expect(undone.text).toContain("Left as it is: a (it was changed since).");
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "mine" });
    await memory.say("2");
    const [, ...later] = sent(memory).filter((line) => line !== "assistant" && line !== "tool");
    expect(later[0]).toContain("The person took back changes of files that you made.");
    expect(later[0]).toContain("Removed again: new.");
    expect(later[0]).toContain("Left as they are, with your changes: a.");
    expect(shown(memory)).toContain("2");
    expectSameEverywhere(memory);
  });

  it("an undo that was redone before the next message is not mentioned to the model", async () => {
    const { memory, session } = begin({ script: twoTurns(), files: files() });
    await memory.say("1");
    await session.undo();
    await session.redo();
    await memory.say("2");
    expect(sent(memory).join("\n")).not.toContain("took back");
  });

  it("an undo is not redone after a new message", async () => {
    const { memory, session, files: now } = begin({ script: twoTurns(), files: files() });
    await memory.say("1");
    await session.undo();
    await memory.say("2");
    expect((await session.redo()).text).toContain("sent a message since");
    expect(now.get("/work/a")).toBe("two");
  });

  it("an undo is refused while the agent works", async () => {
    const waits: ScriptedEvent = { type: "until", promise: new Promise<void>(() => undefined) };
    const { memory, session } = begin({ script: [[waits]] });
    memory.prompt("go");
    expect((await session.undo()).text).toContain("The agent is at work");
    session.cancel();
    await session.idle();
  });

  it("an undo lets a prompt that comes meanwhile wait", async () => {
    const { memory, session, checkpoints, files: now } = begin({ script: twoTurns(), files: files() });
    await memory.say("1");
    const go = Promise.withResolvers<void>();
    checkpoints.beforeTake = () => go.promise;
    const undone = session.undo();
    expect(memory.prompt("2")).toMatchObject({ conflict: expect.stringContaining("busy") });
    expect(memory.prompt("3", "queue")).toEqual({ disposition: "queued" });
    go.resolve();
    await undone;
    await session.idle();
    expect(now.get("/work/a")).toBe("two");
    expect(sent(memory).some((line) => line.includes("took back") && line.endsWith("3"))).toBe(true);
  });

  it("an undo takes the next turn's start for an end that could not be stored, and says so", async () => {
    const script = [calling(write("c1", "a", "1")), saying("1"), calling(write("c2", "c", "2")), saying("2")];
    const { memory, checkpoints, files } = begin({ script });
    let takes = 0;
    checkpoints.broken = () => {
      takes += 1;
      return takes === 2 ? "The disk is full." : undefined;
    };
    await memory.say("first");
    files.set("/work/a", "mine");
    await memory.say("second");
    files.set("/work/a", "1");
    files.set("/work/mine", "later");
    await memory.session.undo();
    expect((await memory.session.undo()).text).toContain("your own changes since then were reverted with it");
    expect(Object.fromEntries(files)).toEqual({ "/work/a": "1", "/work/mine": "later" });
    expectSameEverywhere(memory);
  });

  it("an undo changes nothing when the files cannot be stored first", async () => {
    const { memory, session, checkpoints, files: now } = begin({ script: twoTurns(), files: files() });
    await memory.say("1");
    checkpoints.broken = () => "The disk is full.";
    expect((await session.undo()).text).toContain("Nothing was reverted");
    expect(now.get("/work/a")).toBe("one");
    expect(memory.facts("rewind_update")).toEqual([]);
  });

  it("an undo after a crash knows what the interrupted turn changed, by the files found at reopening", async () => {
    const now = files();
    const crash = begin({ script: [calling(write("c1", "a", "one")), saying("first")], files: now });
    crash.memory.log.failure = (_attempt, { update }) =>
      update.sessionUpdate === "tool_call_update" && update.outcome ? "the process is gone" : undefined;
    await crash.memory.say("1");
    const same = new MemorySession({
      script: [],
      log: new MemoryLog("s1", "/work", crash.memory.log.lines),
      ports: { checkpoints: crash.checkpoints },
    });
    await same.untilFact((fact) => fact.sessionUpdate === "turn_changes");
    now.set("/work/b", "the person's, after reopening");
    expect((await same.session.undo()).files).toEqual([{ path: "a", outcome: "restored" }]);
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "zero", "/work/b": "the person's, after reopening" });
  });
});

describe("an undo that a crash interrupted", () => {
  it("an undo that a crash interrupted is reported once at reopening, and the next one completes it", async () => {
    const script = [calling(write("c1", "a", "one"), write("c2", "b", "one")), saying("ok")];
    const now = new Map([["/work/a", "zero"]]);
    const { memory, session, checkpoints } = begin({ script, files: now });
    await memory.say("1");
    memory.log.failure = (_attempt, { update }) =>
      update.sessionUpdate === "rewind_update" ? "the process is gone" : undefined;
    await session.undo().catch(() => undefined);
    now.set("/work/b", "one");
    const open = (lines: string[]) =>
      new MemorySession({ script: [], log: new MemoryLog("s1", "/work", lines), ports: { checkpoints } });
    const first = open(memory.log.lines);
    const told = (each: MemorySession) => shown(each)?.filter((title) => title?.startsWith("An undo"));
    expect(told(first)).toEqual(["An undo was interrupted."]);
    const second = open(first.log.lines);
    expect(told(second)).toHaveLength(1);
    expect((await second.session.undo()).files).toEqual([{ path: "b", outcome: "deleted" }]);
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "zero" });
  });
});

describe("a rewind", () => {
  const talk = (): ScriptedEvent[][] => [
    calling(write("c1", "a", "one")),
    saying("first"),
    saying("second"),
    calling(write("c3", "a", "three"), write("c4", "b", "three")),
    saying("third"),
    saying("anew"),
  ];
  const files = () => new Map([["/work/a", "zero"]]);
  async function talked() {
    const all = begin({ script: talk(), files: files() });
    for (const text of ["1", "2", "3"]) await all.memory.say(text);
    return all;
  }
  const reopened = (memory: MemorySession) =>
    new MemorySession({ script: [saying("anew")], log: new MemoryLog("s1", "/work", memory.log.lines) });

  it("a rewind of the conversation removes messages and leaves the files", async () => {
    const { memory, session, files: now } = await talked();
    const before = shown(memory);
    const answer = await session.rewind(messageId(memory, 1), "conversation");
    expect(answer).toMatchObject({ files: [], text: expect.stringContaining("Rewound the conversation.") });
    expect(now.get("/work/a")).toBe("three");
    expect(shown(memory)).toEqual([...(before?.slice(0, 5) ?? []), "Rewound the conversation."]);
    const stored = reopened(memory);
    await memory.say("2b");
    await stored.say("2b");
    expect(sent(memory)).toEqual(["1", "assistant", "tool", "assistant", expect.stringContaining("went back to here")]);
    expect(stored.provider.requests[0]?.messages).toEqual(memory.provider.requests.at(-1)?.messages);
    expectSameEverywhere(memory);
  });

  it("a rewind of both reverts all turns since in one go, and redo restores all", async () => {
    const { memory, session, files: now } = await talked();
    const items = shown(memory);
    const answer = await session.rewind(messageId(memory, 0), "both");
    expect(answer.text).toContain("Reverted the changes of 2 turns: 2 files.");
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "zero" });
    expect(shown(memory)).toEqual([expect.stringContaining("Rewound")]);
    expect((await session.rewind("m-unknown", "both")).text).toContain("There is no message m-unknown");
    await session.redo();
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "three", "/work/b": "three" });
    expect(shown(memory)?.slice(0, items?.length)).toEqual(items);
    const stored = reopened(memory);
    await memory.say("4");
    await stored.say("4");
    expect(sent(memory).filter((line) => line.length === 1)).toEqual(["1", "2", "3", "4"]);
    expect(stored.provider.requests[0]?.messages).toEqual(memory.provider.requests.at(-1)?.messages);
    expectSameEverywhere(memory);
  });

  it("a rewind of the files alone keeps the conversation, and informs the model", async () => {
    const { memory, session, files: now } = await talked();
    await session.rewind(messageId(memory, 2), "files");
    expect(Object.fromEntries(now)).toEqual({ "/work/a": "one" });
    await memory.say("4");
    expect(sent(memory).at(-1)).toContain("As they were before that change again: a.");
  });

  it("a rewind goes back behind a compaction", async () => {
    const { memory, session } = begin({
      script: [...Array.from({ length: 8 }, (_, n) => saying(`answer ${n + 1}`)), saying("SUMMARY"), saying("anew")],
    });
    for (let n = 1; n <= 8; n += 1) await memory.say(`${n}`);
    await session.compact();
    expect(memory.facts("compaction_update")).toHaveLength(1);
    await session.rewind(messageId(memory, 2), "conversation");
    const stored = reopened(memory);
    await memory.say("3b");
    await stored.say("3b");
    expect(sent(memory)).toEqual(["1", "assistant", "2", "assistant", expect.stringContaining("3b")]);
    expect(stored.provider.requests[0]?.messages).toEqual(memory.provider.requests.at(-1)?.messages);
    expectSameEverywhere(memory);
  });

  it("a call that reads is unharmed by a rewind: a probe does not change files", async () => {
    const tools = [probeTool("look", () => ok("seen"))];
    const checkpoints = new MemoryCheckpoints(new Map());
    const memory = new MemorySession({
      script: [calling(call("c1", "look", {})), saying("ok")],
      tools,
      ports: { checkpoints },
    });
    await memory.say("go");
    expect(checkpoints.taken).toBe(0);
  });
});
