import { call, calling, MemoryLog, MemorySession, memoryTools, type ScriptedEvent, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ProcessChange } from "../ports/live-session.ts";
import { defineTool } from "../ports/tool.ts";

const watched = defineTool({
  name: "process",
  description: "Works with processes.",
  args: z.strictObject({}),
  category: "readOnly",
  offer: "with-processes",
  effects: () => [],
  title: () => "process",
  run: async () => ({ status: "ok", text: "p1", blocks: [] }),
});

const process: ProcessChange = {
  processId: "p1",
  command: "npm run dev",
  state: "running",
  kept: false,
  outputPath: "/out",
};
const ended: ProcessChange = { ...process, state: "exited", exitCode: 1, lastLines: "boom" };

const session = (script: ScriptedEvent[][], log = new MemoryLog()) =>
  new MemorySession({ script, tools: [...memoryTools(), watched], log });
const messagesOf = (memory: MemorySession, request: number) =>
  (memory.provider.requests[request]?.messages ?? []).map((message) =>
    message.role === "user" ? message.content.map((part) => ("text" in part ? part.text : "")).join("|") : message.role,
  );
const toolsOf = (memory: MemorySession, request: number) =>
  memory.provider.requests[request]?.tools.map(({ name }) => name) ?? [];

describe("what happens to a process that stays", () => {
  it("reaches the agent with its next request, as a message of harness that people do not see twice", async () => {
    const memory = session([calling(call("a", "read", { file_path: "/x" })), saying("I see.")]);
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "pending");
    memory.session.processChanged("main", process);
    memory.session.processChanged("main", ended);
    await memory.session.idle();
    const note = "[The background process p1 (`npm run dev`) ended with exit code 1. Its last lines:\nboom]";
    expect(messagesOf(memory, 1)).toEqual(["go", "assistant", "tool", note]);
    const items = memory.session.state.agents.get("main")?.items ?? [];
    expect(items.map(({ kind }) => kind).sort()).toEqual(["agent", "agent", "process", "tool", "turn", "user"]);
  });

  it("makes an agent go on that was about to end its turn", async () => {
    const memory = session([saying("Started."), saying("It printed.")]);
    memory.prompt("go");
    memory.session.processChanged("main", { ...process, matched: "Local: :5173" });
    await memory.session.idle();
    expect(memory.provider.requests).toHaveLength(2 - Number(messagesOf(memory, 0).length > 1));
    expect(messagesOf(memory, memory.provider.requests.length - 1).join("\n")).toContain("printed: Local: :5173");
  });

  it("waits for the next message of the person when no agent works, also in the next life of the session", async () => {
    const memory = session([saying("Started.")]);
    await memory.say("go");
    memory.session.processChanged("main", process);
    memory.session.processChanged("main", { ...process, state: "stopped", stoppedBy: "session" });
    const again = session([saying("Well.")], memory.log);
    await again.say("and now?");
    expect(messagesOf(again, 0).at(-1)).toBe(
      "[The background process p1 (`npm run dev`) ended when the session was closed.]|and now?",
    );
  });

  it("is that it was interrupted when harness was killed, unless a person wanted it to go on", async () => {
    const memory = session([saying("Started.")]);
    await memory.say("go");
    memory.session.processChanged("main", process);
    memory.session.processChanged("main", { ...process, processId: "p2", kept: true });
    const again = session([saying("Well.")], memory.log);
    const states = [...again.session.state.processes.values()].map(({ processId, state }) => [processId, state]);
    expect(states).toEqual([
      ["p1", "interrupted"],
      ["p2", "running"],
    ]);
  });

  it("is reported to the main agent when the subagent that started it is gone", async () => {
    const memory = session([saying("Started."), saying("Well.")]);
    await memory.say("go");
    memory.session.processChanged("agent-9", ended);
    await memory.say("and now?");
    expect(messagesOf(memory, 1).at(-1)).toContain("ended with exit code 1");
    expect(memory.session.state.agents.has("agent-9")).toBe(false);
  });

  it("is not reported to an agent that stopped it itself", async () => {
    const memory = session([saying("Started."), saying("Well.")]);
    await memory.say("go");
    memory.session.processChanged("main", process);
    memory.session.processChanged("main", { ...process, state: "stopped", stoppedBy: "agent" });
    await memory.say("and now?");
    expect(messagesOf(memory, 1)).toEqual(["go", "assistant", "and now?"]);
  });
});

describe("a tool for processes that stay", () => {
  it("is described once the agent has one, and from then on", async () => {
    const memory = session([saying("a"), saying("b"), saying("c")]);
    await memory.say("one");
    memory.session.processChanged("main", process);
    await memory.say("two");
    memory.session.processChanged("main", { ...process, state: "stopped", stoppedBy: "agent" });
    await memory.say("three");
    expect(toolsOf(memory, 0)).not.toContain("process");
    expect(toolsOf(memory, 1)).toEqual([...toolsOf(memory, 0), "process"]);
    expect(toolsOf(memory, 2)).toEqual(toolsOf(memory, 1));
  });
});
