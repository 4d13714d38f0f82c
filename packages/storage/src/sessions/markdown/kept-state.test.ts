import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { factsOf, Projection, type SessionLog, type SessionStore } from "@harness/core";
import { type AgentState, type Fact, fold, ROOT_AGENT, textOf } from "@harness/protocol";
import { got, idle } from "@harness/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  append,
  asks,
  callsBash,
  MARKDOWN_AT,
  MARKDOWN_ID,
  openMarkdown,
  result,
  says,
  take,
} from "../../../test/markdown-session.ts";

let root = "";
let store: SessionStore;

const file = (name: string) => join(root, MARKDOWN_ID, "messages", name);
const edit = (name: string, from: string, to: string) =>
  writeFileSync(file(name), readFileSync(file(name), "utf8").replace(from, to));

function begin(...updates: Fact[]): SessionLog {
  const log = store.create({ sessionId: MARKDOWN_ID, cwd: "/project", createdAt: MARKDOWN_AT, version: 1 });
  append(log, ...updates);
  return log;
}

const stateOf = (log: SessionLog) => fold(MARKDOWN_ID, factsOf(log));
const mainOf = (log: SessionLog) => stateOf(log).agents.get(ROOT_AGENT) as AgentState;

function projectionOf(log: SessionLog): Projection {
  const projection = new Projection((before) => factsOf(log, { before }));
  for (const fact of factsOf(log)) projection.see(fact);
  return projection;
}

const textsOf = (log: SessionLog) =>
  projectionOf(log).messages.map((message) =>
    message.role === "tool" ? message.text : textOf(message.role === "user" ? message.content : message.parts),
  );

const paid = (text: string) => says(text, { cost: { usd: 1, unpricedRequests: 0, freeRequests: 0 } });
const todo: Fact = { sessionUpdate: "todo_update", todos: [{ id: "1", text: "Test it.", status: "pending" }] };
const notice: Fact = { sessionUpdate: "notice", severity: "warning", title: "The disk is slow." };
const checkpoint = (checkpointId: string, reason: "turn" | "undo"): Fact => ({
  sessionUpdate: "checkpoint",
  checkpointId,
  reason,
});
const compaction = (keepFromSeq: number): Fact =>
  ({
    sessionUpdate: "compaction_update",
    compactionId: "k1",
    reason: "manual",
    summary: "They counted.",
    keepFromSeq,
    tokensBefore: 10,
    tokensAfter: 5,
  }) as Fact;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "kept-state-"));
  store = openMarkdown(root);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("keeps everything that is not a message, in its place, and counts nothing twice", () => {
  const log = begin(asks("one"), paid("1"), idle, asks("two"), todo, notice, paid("2"), idle, asks("three"), paid("3"));
  append(log, idle);
  const before = mainOf(log);
  const total = stateOf(log);
  edit("0001-user.md", "one", "One");
  expect(take(log)).toHaveLength(7);
  const after = mainOf(log);
  expect(after.items.map(({ kind }) => kind)).toEqual([...before.items.map(({ kind }) => kind), "rewind"]);
  expect(after.todos).toEqual(before.todos);
  expect(after.total).toEqual(before.total);
  const { requests, cost, usage } = stateOf(log);
  expect({ requests, cost, usage }).toEqual({ requests: total.requests, cost: total.cost, usage: total.usage });
  expect(log.digest.turns).toBe(3);
  log.close();
  const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
  expect(again.digest).toMatchObject({ turns: 3, model: "small" });
  expect(textsOf(again)).toEqual(["One", "1", "two", "2", "three", "3"]);
  again.close();
});

it("keeps the ids of messages, and what later messages brought about belongs to them", () => {
  const log = begin(asks("one"), paid("1"), idle, asks("two"), todo, checkpoint("A", "turn"), paid("2"), idle);
  const before = stateOf(log).undo;
  edit("0002-assistant.md", "1\n", "one\n");
  edit("0003-user.md", "two", "Two");
  take(log);
  const { undo } = stateOf(log);
  expect(undo.messages.map(({ messageId, since }) => [messageId, since])).toEqual([
    ["m-one", 1],
    ["m-two", 4],
  ]);
  expect(undo.turns).toEqual(before.turns);
  const fromSeq = undo.messages[1]?.seq ?? 0;
  append(log, { sessionUpdate: "rewind_update", rewindId: "w", kind: "rewind", turnIds: [], files: [], fromSeq });
  expect(textsOf(log)).toEqual(["one", "one"]);
  expect(mainOf(log).todos).toEqual([]);
  expect(mainOf(log).items.map(({ kind }) => kind)).toEqual(["user", "agent", "rewind"]);
  log.close();
});

it("keeps a summary of what came before the change, and drops one of the changed messages", () => {
  const log = begin(
    asks("one"),
    paid("1"),
    idle,
    asks("two"),
    paid("2"),
    idle,
    compaction(4),
    asks("three"),
    paid("3"),
  );
  append(log, idle);
  edit("0003-user.md", "two", "Two");
  take(log);
  expect(textsOf(log)).toEqual([expect.stringContaining("They counted."), "Two", "2", "three", "3"]);
  edit("0001-user.md", "one", "One");
  take(log);
  expect(textsOf(log)).toEqual(["One", "1", "Two", "2", "three", "3"]);
  log.close();
});

it("changes a result in its place, and a call whose result is gone keeps its place", () => {
  const log = begin(asks("one"), callsBash, result("a.txt"), paid("1"), idle, asks("two"), paid("2"), idle);
  const kinds = mainOf(log).items.map(({ kind }) => kind);
  edit("0003-tool_result.md", "a.txt", "b.txt");
  take(log);
  expect(mainOf(log).items.map(({ kind }) => kind)).toEqual([...kinds, "rewind"]);
  expect(textsOf(log)).toEqual(["one", "Let me look.", "b.txt", "1", "two", "2"]);
  rmSync(file("0003-tool_result.md"));
  take(log);
  expect(mainOf(log).items.map(({ kind }) => kind)).toEqual([...kinds, "rewind", "rewind"]);
  expect(textsOf(log)[2]).toMatch(/^The result of this call is not in the files/);
  expect(take(log)).toEqual([]);
  log.close();
});

it("shows a message that is added between two others there", () => {
  const log = begin(asks("one"), paid("1"), idle, asks("two"), paid("2"), idle);
  writeFileSync(file("0002.1-user.md"), "Between.");
  take(log);
  const texts = mainOf(log).items.map((item) => ("content" in item ? textOf(item.content) : item.kind));
  expect(texts).toEqual(["one", "agent", "Between.", "two", "agent", "rewind"]);
  expect(textsOf(log)).toEqual(["one", "1", "Between.", "two", "2"]);
  log.close();
});

it("goes on with a change that was stored in part", () => {
  const log = begin(asks("one"), paid("1"), idle, asks("two"), paid("2"), idle, asks("three"), paid("3"), idle);
  edit("0001-user.md", "one", "One");
  const changes = log.outsideChanges();
  const count = mainOf(log).items.length;
  for (let stored = 1; stored < changes.length; stored += 1) {
    const [change] = changes.slice(stored - 1, stored);
    if (change) log.append({ agentId: ROOT_AGENT, at: MARKDOWN_AT, update: change.update });
    const read = got(openMarkdown(root).load(MARKDOWN_ID));
    // It is open: others read what is stored.
    expect([...factsOf(read)].length).toBe([...factsOf(log)].length);
  }
  log.close();
  const again = got(openMarkdown(root).open(MARKDOWN_ID)).log;
  expect(textsOf(again)).toEqual(["One", "1", "two", "2", "three", "3"]);
  expect(mainOf(again).items.filter(({ kind }) => kind !== "rewind")).toHaveLength(count);
  expect(again.digest.turns).toBe(3);
  expect(take(again)).toEqual([]);
  again.close();
});
