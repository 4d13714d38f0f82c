import { type Fact, ROOT_AGENT, textOf, type UpdateOf } from "@harness/protocol";
import { MemoryLog, MemorySession, saying } from "@harness/testkit";
import { expect, it } from "vitest";

const change = (update: Fact) => ({ agentId: ROOT_AGENT, update });
const fromFiles = (fromSeq: number): UpdateOf<"rewind_update"> => ({
  sessionUpdate: "rewind_update",
  rewindId: "files-1",
  kind: "rewind",
  turnIds: [],
  files: [],
  title: "1 message was edited in its file.",
  fromSeq,
  fromFiles: true,
});
const user = (text: string, messageId = `file-${text}`, of?: number): Fact => ({
  sessionUpdate: "user_message",
  messageId,
  content: [{ type: "text", text }],
  origin: "user",
  fromFile: of === undefined ? {} : { of, changed: true },
});
const reply = (text: string, messageId = `file-${text}`, of?: number): Fact => ({
  sessionUpdate: "agent_message",
  messageId,
  parts: [{ type: "text", text }],
  stop: "end",
  provider: "local",
  model: "m",
  fromFile: of === undefined ? {} : { of, changed: true },
});

it("sends the model messages as they were changed outside, from the person's next message on", async () => {
  const log = new MemoryLog();
  const memory = new MemorySession({ script: [saying("The port is 80."), saying("Done.")], log });
  await memory.say("Which port?");
  const [first, second] = log.facts.filter(
    ({ update }) => "messageId" in update && "origin" in update !== "cost" in update,
  );
  const idOf = (fact: typeof first) => (fact && "messageId" in fact.update ? fact.update.messageId : undefined);
  log.changedOutside.push(
    change(fromFiles(first?.seq ?? 0)),
    change(user("Which number?", idOf(first), first?.seq)),
    change(reply("The port is 8080.", idOf(second), second?.seq)),
  );
  await memory.say("Go on.");
  const sent = memory.provider.requests.at(-1)?.messages ?? [];
  const texts = sent.map((each) =>
    each.role === "user" ? textOf(each.content) : each.role === "assistant" ? textOf(each.parts) : "",
  );
  expect(texts.map((text) => text.replace(/\[.*date.*\]/i, ""))).toEqual([
    "Which number?",
    "The port is 8080.",
    "Go on.",
  ]);
  const items = memory.session.state.agents.get(ROOT_AGENT)?.items ?? [];
  expect(
    items.map((item) => ("content" in item ? textOf(item.content) : "parts" in item ? textOf(item.parts) : item.kind)),
  ).toEqual(["Which number?", "The port is 8080.", "turn", "rewind", "Go on.", "Done.", "turn"]);
  expect(memory.facts("agent_message").at(-1)?.prefix?.break?.cause).toBe("messages were changed in their files");
  expect((await memory.session.redo()).text).toBe("There is nothing to redo: nothing was undone.");
  const { live, folded, client } = memory.states;
  expect(live).toEqual(folded);
  expect(client).toEqual(folded);
});

it.each(["undo", "redo", "compact", "brief", "rewind", "takeFiles"] as const)(
  "takes what was changed outside in before anything else: %s",
  async (what) => {
    const log = new MemoryLog();
    const memory = new MemorySession({ script: [saying("The port is 80."), saying("A summary.")], log });
    await memory.say("Which port?");
    const before = log.facts.length;
    log.changedOutside.push(change(user("And mine?")), change(reply("It is 81.")));
    const { session } = memory;
    const messageId = session.state.undo.messages[0]?.messageId ?? "";
    const errands = {
      undo: () => session.undo(),
      redo: () => session.redo(),
      compact: () => session.compact(),
      brief: () => session.brief("more"),
      rewind: () => session.rewind(messageId, "conversation"),
      takeFiles: async () => session.takeFiles(),
    };
    await errands[what]();
    const taken = log.facts.slice(before, before + 2).map(({ update }) => "messageId" in update && update.messageId);
    expect(taken).toEqual(["file-And mine?", "file-It is 81."]);
  },
);

it("does not redo a rewind over messages that were changed meanwhile", async () => {
  const log = new MemoryLog();
  const memory = new MemorySession({ script: [saying("1"), saying("2")], log });
  await memory.say("one");
  await memory.say("two");
  const { session } = memory;
  const [first, second] = session.state.undo.messages;
  await session.rewind(second?.messageId ?? "", "conversation");
  log.changedOutside.push(change(fromFiles(first?.seq ?? 0)), change(user("One", first?.messageId, first?.seq)));
  expect((await session.redo()).text).toMatch(/^This rewind cannot be redone: messages were changed in their files/);
  expect(session.state.undo.messages).toMatchObject([{ messageId: first?.messageId, since: first?.seq }]);
});
