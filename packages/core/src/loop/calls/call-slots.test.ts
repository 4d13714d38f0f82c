import { call, calling, MemorySession, memoryTools, probeTool, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../ports/provider.ts";

const isChild = ({ messages: [first] }: ModelRequest) => JSON.stringify(first).includes("task ");
const replies = ({ messages }: ModelRequest) => messages.filter(({ role }) => role === "assistant").length;
const starting = (count: number) =>
  calling(...Array.from({ length: count }, (_, n) => call(`s${n}`, "start_subagent", { task: `task ${n}` })));

describe("calls of subagents", () => {
  it("calls of subagents that fill all slots never hold up a call of the main agent", async () => {
    let held = 0;
    const eight = Promise.withResolvers<void>();
    const freed = Promise.withResolvers<void>();
    const hold = probeTool("hold", async () => {
      held += 1;
      if (held === 8) eight.resolve();
      await freed.promise;
      return { status: "ok", text: "held", blocks: [] };
    });
    const script: Script = (request, n) => {
      if (isChild(request)) return replies(request) === 0 ? calling(call(`h${n}`, "hold", {})) : saying("done");
      if (replies(request) === 0) return starting(8);
      if (replies(request) > 1) return saying("all is well");
      return [{ type: "until", promise: eight.promise }, ...calling(call("r", "read", { file_path: "/work/a" }))];
    };
    const memory = new MemorySession({ script, tools: [...memoryTools(new Map([["/work/a", "text"]])), hold] });
    memory.prompt("go");
    await memory.untilFact(
      (fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === "r" && !!fact.outcome,
    );
    expect(held).toBe(8);
    freed.resolve();
    await memory.session.idle();
  });

  it("calls of subagents that wait for a person take no slot from those that work", async () => {
    const script: Script = (request, n) => {
      if (!isChild(request)) return replies(request) === 0 ? starting(8) : saying("all is well");
      if (replies(request) > 0) return saying("done");
      const question = call(`q${n}`, "question", { question: "Which one?" });
      return JSON.stringify(request.messages[0]).includes("task 7")
        ? calling(call(`r${n}`, "read", { file_path: "/work/a" }))
        : calling(question, { ...question, toolCallId: `q${n}b` });
    };
    const memory = new MemorySession({ script, tools: memoryTools(new Map([["/work/a", "text"]])) });
    const answered = Promise.withResolvers<string>();
    memory.ports.asker.onQuestion = () => answered.promise;
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.outcome?.text === "text");
    answered.resolve("this one");
    await memory.session.idle();
  });
});
