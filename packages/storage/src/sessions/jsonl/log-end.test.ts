import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_PAGE_LENGTH, type SessionStore } from "@harness/core";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { appendAll, got, idle, userSays } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../session-store.ts";

const NOTHING = { facts: [], more: false };
const START = Date.UTC(2026, 10, 21);
const at = new Date(START).toISOString();

let root = "";
let store: SessionStore;
beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), "log-end-")), "conversations");
  store = openStore(root, { clock: { now: () => START } });
});
afterEach(() => rmSync(join(root, ".."), { recursive: true, force: true }));

const logOf = (sessionId: string, ...agent: string[]) => join(root, sessionId, ...agent, "log.jsonl");
const header = () => ({ sessionId: store.newSessionId(), cwd: "/project", createdAt: at, version: 1 });

/** A closed session with this many messages. */
function stored(texts: readonly string[]): string {
  const log = store.create(header());
  appendAll(
    log,
    texts.flatMap((text) => [userSays(text), idle]),
    START,
  );
  log.close();
  return log.header.sessionId;
}

const lastOf = (sessionId: string, limit: number) =>
  got(store.load(sessionId)).read({ before: Number.POSITIVE_INFINITY, limit });
const seqsOf = (sessionId: string, limit: number) => store.tail(sessionId, limit).facts.map(({ seq }) => seq);
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => `message ${index + 1} ${"x".repeat(200)}`);

describe("the end of a log", () => {
  it("is read without a look at its beginning", () => {
    const sessionId = stored(numbered(4_000));
    const { size } = statSync(logOf(sessionId));
    const whole = lastOf(sessionId, 60);
    const fd = openSync(logOf(sessionId), "r+");
    writeSync(fd, Buffer.alloc(size - 8 * MAX_PAGE_LENGTH, 0));
    closeSync(fd);
    expect(store.tail(sessionId, 60)).toEqual(whole);
    expect(whole.facts).toHaveLength(60);
  });

  it("is all of a short one", () => {
    const sessionId = stored(["one", "two"]);
    expect(store.tail(sessionId, 60)).toEqual({ ...lastOf(sessionId, 60), more: false });
    expect(seqsOf(sessionId, 60)).toEqual([1, 2, 3, 4]);
  });

  it("ends before it grows long, and has at least one fact that fits", () => {
    const long = "y".repeat(MAX_PAGE_LENGTH);
    const sessionId = stored(["one", long]);
    expect(seqsOf(sessionId, 60)).toEqual([4]);
    expect(store.tail(stored(["one", "y".repeat(5 * MAX_PAGE_LENGTH)]), 60)).toEqual(NOTHING);
  });

  it("has the facts of subagents in their places", () => {
    const log = store.create(header());
    const { sessionId } = log.header;
    const child = "a1";
    const says = (agentId: string, update: Fact) => log.append({ agentId, at, update });
    says(ROOT_AGENT, userSays("look"));
    says(ROOT_AGENT, {
      ...{ sessionUpdate: "subagent_update", childAgentId: child, toolCallId: "c1" },
      ...{ state: "running", task: "look" },
    });
    for (let n = 0; n < 3; n += 1) {
      says(child, idle);
      says(ROOT_AGENT, idle);
    }
    log.close();
    expect(store.tail(sessionId, 4)).toEqual({ ...lastOf(sessionId, 4), more: true });
    expect(store.tail(sessionId, 4).facts.map(({ agentId }) => agentId)).toEqual([
      child,
      ROOT_AGENT,
      child,
      ROOT_AGENT,
    ]);
    rmSync(logOf(sessionId, "subagent", child));
    expect(store.tail(sessionId, 4)).toEqual(NOTHING);
  });

  it.each<[string, (path: string) => void]>([
    ["its last line is being written", (path) => appendFileSync(path, '{"seq":9,"at":"')],
    ["its last line is damaged", (path) => writeFileSync(path, readFileSync(path, "latin1").replace(/.{20}\n$/, "\n"))],
    ["a line is lost", (path) => writeFileSync(path, readFileSync(path, "utf8").replace(/^\{"seq":4,.*\n/m, ""))],
    ["a number is there twice", (path) => appendFileSync(path, `${readFileSync(path, "utf8").split("\n").at(-2)}\n`)],
    ["there are blank lines", (path) => appendFileSync(path, "\n")],
    ["it is empty", (path) => writeFileSync(path, "")],
    ["there is none", (path) => rmSync(path)],
  ])("tells nothing where %s", (_name, spoil) => {
    const sessionId = stored(["one", "two", "three"]);
    spoil(logOf(sessionId));
    expect(store.tail(sessionId, 6)).toEqual(NOTHING);
  });

  it("tells nothing of a fork whose own messages are too few", () => {
    const sessionId = stored(["one", "two"]);
    const fork = got(store.fork(sessionId, { sessionId: store.newSessionId(), createdAt: at, seq: 4 }));
    appendAll(fork, [userSays("on"), idle], START);
    fork.close();
    expect(store.tail(fork.header.sessionId, 60)).toEqual(NOTHING);
    expect(seqsOf(fork.header.sessionId, 1)).toEqual([6]);
  });
});
