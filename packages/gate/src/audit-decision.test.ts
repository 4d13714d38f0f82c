import type { PermissionOutcome } from "@harness/protocol";
import { call, calling, MemorySession, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { deciderPhrase } from "./describe-decider.ts";

const write = (id: string, path: string) => call(id, "write", { file_path: path, content: id });
const run = (id: string, command: string) => call(id, "bash", { command });
const chose = (optionId: string): PermissionOutcome => ({ outcome: "selected", optionId });

describe("the audit log", () => {
  it("has one decision for each call at the gate, and the outcome of those that ran", async () => {
    const parts = [
      call("a", "read", { file_path: "x" }),
      run("b", "ls"),
      run("c", "npm test"),
      write("d", "src/x"),
      write("e", "src/y"),
      write("f", "lock"),
      run("g", "make"),
      run("h", "make it"),
      call("i", "nonsense", {}),
    ];
    const memory = new MemorySession({
      script: [calling(...parts), saying("done")],
      options: { permission_mode: "default", rules: { allow: ["bash(npm test)"], deny: ["write(lock)"] } },
    });
    const answers: Record<string, string> = { d: "allow_session", g: "allow_once", h: "reject_once" };
    memory.ports.asker.onPermission = ({ toolCallId }) => chose(answers[toolCallId] ?? "reject_once");
    await memory.say("go");
    const decided = memory.ports.audit.decisions.map(({ toolCallId, verdict, by, auto }) => [
      toolCallId,
      verdict,
      by,
      auto,
    ]);
    expect(decided.sort()).toEqual([
      ["a", "allowed", "read-only", true],
      ["b", "allowed", "read-only", true],
      ["c", "allowed", "bash(npm test)", true],
      ["d", "allowed", "person (tester)", false],
      ["e", "allowed", "an answer given in this session", true],
      ["f", "denied", "write(lock)", true],
      ["g", "allowed", "person (tester)", false],
      ["h", "denied", "person (tester)", false],
    ]);
    expect(memory.ports.audit.ends.map(({ toolCallId, status }) => [toolCallId, status]).sort()).toEqual([
      ["a", "error"],
      ["b", "ok"],
      ["c", "ok"],
      ["d", "ok"],
      ["e", "ok"],
      ["g", "ok"],
    ]);
    expect(memory.ports.audit.decisions.find(({ toolCallId }) => toolCallId === "c")).toMatchObject({
      sessionId: memory.session.sessionId,
      tool: "bash",
      text: "npm test",
      cwd: "/work",
      mode: "default",
      risk: "medium",
    });
  });

  it("names the mode that decided, and the missing person", async () => {
    const memory = new MemorySession({ script: [calling(write("a", "x"), run("b", "sudo ls")), saying("done")] });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.ports.audit.decisions.map(({ verdict, by, mode }) => [verdict, by, mode]).sort()).toEqual([
      ["allowed", "mode allow-all", "allow-all"],
      ["denied", "nobody could be asked", "allow-all"],
    ]);
  });

  it.each([
    ["nobody could be asked", "denied, as nobody could be asked"],
    ["read-only", "denied, as it only reads"],
    ["mode deny", "denied by the permission mode deny"],
    ["person (window)", "denied by a person (window)"],
    ["an answer given in this session", "denied by an answer given in this session"],
    ["write(lock)", "denied by the rule write(lock)"],
    ["hook", "denied by a hook"],
    ["agent mode", "denied by the agent mode"],
    ["sandbox", "denied, as it would run without the sandbox"],
    ["stop", "denied, as it was stopped"],
    ["preview", "denied, as it would have failed"],
  ])("names %j so that it reads as part of a sentence", (by, sentence) => {
    expect(`denied${deciderPhrase(by)}`).toBe(sentence);
  });

  it("has requests that were cancelled while open or queued", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "x"), write("b", "y")), saying("done")],
      options: { permission_mode: "default" },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    memory.session.cancel();
    await memory.session.idle();
    expect(memory.ports.audit.decisions.map(({ toolCallId, verdict }) => [toolCallId, verdict]).sort()).toEqual([
      ["a", "cancelled"],
      ["b", "cancelled"],
    ]);
  });

  it("has an open request that another mode decides once", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "x")), saying("done")],
      options: { permission_mode: "default" },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    memory.session.setConfig({ permissionMode: "accept-edits" });
    await memory.session.idle();
    expect(memory.ports.audit.decisions).toMatchObject([{ verdict: "allowed", by: "mode accept-edits" }]);
  });
});

describe("an audit log that cannot be written", () => {
  it("makes every call ask that would run unasked", async () => {
    const memory = new MemorySession({ script: [calling(write("a", "x"), run("b", "ls")), saying("done")] });
    memory.ports.audit.works = false;
    memory.ports.asker.onPermission = ({ toolCallId }) => chose(toolCallId === "a" ? "allow_once" : "reject_once");
    await memory.say("go");
    const reasons = memory.ports.asker.permissions.map(({ reason }) => reason);
    expect(reasons.sort()).toEqual([
      "runs a command that only reads; the audit log cannot be written (/home/audit.jsonl: the disk is full, ENOSPC), so harness asks about every call",
      "writes x; the audit log cannot be written (/home/audit.jsonl: the disk is full, ENOSPC), so harness asks about every call",
    ]);
    const ends = memory
      .facts("tool_call_update")
      .flatMap(({ toolCallId, outcome }) => (outcome ? [[toolCallId, outcome.status]] : []));
    expect(ends.sort()).toEqual([
      ["a", "ok"],
      ["b", "denied"],
    ]);
  });

  it("lets nothing run where no person can be asked", async () => {
    const memory = new MemorySession({ script: [calling(write("a", "x")), saying("done")] });
    memory.ports.audit.works = false;
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({
      status: "denied",
      text: expect.stringContaining("the audit log cannot be written"),
    });
  });
});
