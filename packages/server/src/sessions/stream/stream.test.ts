import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Delta, type Fact, ROOT_AGENT } from "@harness/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StreamFile } from "./stream-file.ts";
import { type StreamLine, StreamLineReader } from "./stream-lines.ts";

const running: Fact = { sessionUpdate: "state_update", state: "running" };
const idle: Fact = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
const call = { type: "tool_call", toolCallId: "c1", name: "bash", input: { command: "ls" } } as const;
const chunk = (text: string, offset: number): Delta => ({
  sessionUpdate: "agent_message_chunk",
  messageId: "r",
  offset,
  text,
});
const reply = (text: string, more: object = {}): Fact => ({
  sessionUpdate: "agent_message",
  messageId: "r",
  parts: [{ type: "text", text }],
  stop: "end",
  provider: "local",
  model: "small",
  ...more,
});
const calls = reply("", {
  parts: [{ type: "thinking", text: "Hm." }, { type: "text", text: "Look." }, call],
  stop: "tool_calls",
});
const result = (status: "ok" | "error", more: object = {}): Fact => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "c1",
  status: "completed",
  outcome: { status, text: "a.txt", blocks: [], durationMs: 1 },
  ...more,
});
const early: Fact = { sessionUpdate: "early_call", messageId: "r", call, provider: "local", model: "small" };

/** The lines of updates, where fact N is in message N. */
function linesOf(updates: readonly (Fact | Delta)[], agentId = ROOT_AGENT): StreamLine[] {
  const reader = new StreamLineReader((seq) => String(seq).padStart(4, "0"));
  const each = updates.map((update, index) => reader.see({ sessionId: "s", seq: index, at: "", agentId, update }));
  return each.flatMap(({ lines }) => lines);
}

describe("the lines of a turn", () => {
  const done = { type: "done" };
  const start = { type: "tool_start", id: "c1", name: "bash", input: { command: "ls" } };
  const output = { type: "tool_output", text: "a.txt" };
  const ended = (seq: string, error = "false") => ({ type: "tool_done", id: "c1", name: "bash", seq, error });
  const stop = (reason: string, seq: string) => ({ type: "stop", reason, seq });
  const failure = { kind: "network", message: "The server is away." } as const;
  const cases: [string, (Fact | Delta)[], unknown[]][] = [
    [
      "text as it comes, and its end",
      [running, chunk("He", 0), chunk("llo", 2), reply("Hello"), idle],
      [{ type: "text", text: "He" }, { type: "text", text: "llo" }, stop("end", "0003"), done],
    ],
    [
      "a reply that was not streamed, with a call and its result",
      [running, calls, result("ok"), idle],
      [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "Look." },
        start,
        stop("tool_calls", "0001"),
        output,
        ended("0002"),
        done,
      ],
    ],
    [
      "a call that failed",
      [running, reply("", { parts: [call] }), result("error")],
      [start, stop("tool_calls", "0001"), output, ended("0002", "true")],
    ],
    [
      "a call that ran before its reply was complete",
      [running, early, result("ok"), reply("", { parts: [call] }), idle],
      [start, stop("tool_calls", "0003"), output, ended("0002"), done],
    ],
    ["a full window", [running, reply("x", { stop: "length" })], [{ type: "text", text: "x" }, stop("length", "0001")]],
    ["a refusal", [running, reply("x", { stop: "refusal" })], [{ type: "text", text: "x" }, stop("error", "0001")]],
    [
      "a reply that is sent again",
      [
        running,
        chunk("He", 0),
        { sessionUpdate: "retry", messageId: "r", attempt: 1, maxAttempts: 2, delayMs: 1, error: failure },
        reply("Hello"),
      ],
      [
        { type: "text", text: "He" },
        { type: "error", message: failure.message },
        { type: "text", text: "Hello" },
        stop("end", "0003"),
      ],
    ],
    [
      "a turn that fails",
      [running, { sessionUpdate: "state_update", state: "idle", stopReason: "error", error: failure }],
      [{ type: "error", message: failure.message }, done],
    ],
    ["a pause for subagents", [running, { sessionUpdate: "state_update", state: "waiting" }, running, idle], [done]],
    ["a command of the person's", [running, result("ok", { byPerson: { command: "ls", share: true } })], []],
    ["messages of files", [running, reply("Hello", { fromFile: {} })], []],
    ["anything between turns", [reply("Hello"), chunk("x", 0), idle], []],
  ];
  it.each(cases)("%s", (_name, updates, lines) => expect(linesOf(updates)).toEqual(lines));

  it("are those of the main agent", () => expect(linesOf([running, reply("Hello"), idle], "a1")).toEqual([]));
});

describe("the file", () => {
  let root = "";
  const problems: string[] = [];
  const path = () => join(root, ".stream");
  const read = () => readFileSync(path(), "utf8");
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "stream-"));
    problems.length = 0;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function turn(file: StreamFile, ...texts: string[]): Promise<void> {
    file.begin();
    for (const text of texts) file.write([{ type: "text", text }]);
    file.write([{ type: "done" }]);
    file.end();
    await file.settled();
  }
  const opened = () => new StreamFile(root, (problem) => problems.push(problem));

  it("has the lines of the last turn, in order, for the person alone", async () => {
    const file = opened();
    await turn(file, "one", "two");
    expect(read()).toBe('{"type":"text","text":"one"}\n{"type":"text","text":"two"}\n{"type":"done"}\n');
    await turn(file, "three");
    expect(read()).toBe('{"type":"text","text":"three"}\n{"type":"done"}\n');
    expect(problems).toEqual([]);
  });

  it("says so where it could not keep up, and still ends", async () => {
    const file = opened();
    await turn(file, "x".repeat(8_000_001), "lost", "lost");
    const lines = read().trimEnd().split("\n").slice(1);
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(["error", "done"]);
    await turn(file, "again");
    expect(read()).toContain("again");
  });

  it.each([
    ["a link", (other: string) => symlinkSync(other, path())],
    ["another name of a file", (other: string) => linkSync(other, path())],
  ])("is not written through %s, and works again once that is gone", async (_name, make) => {
    const other = join(root, "precious");
    writeFileSync(other, "mine");
    make(other);
    const file = opened();
    await turn(file, "one");
    expect(readFileSync(other, "utf8")).toBe("mine");
    expect(problems).toHaveLength(1);
    rmSync(path());
    await turn(file, "two");
    expect(read()).toContain("two");
    expect(problems).toHaveLength(1);
  });
});
