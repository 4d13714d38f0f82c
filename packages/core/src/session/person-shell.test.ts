import { call, calling, MemorySession, memoryPorts, memoryTools, ScriptedProvider, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool, type Tool } from "../ports/tool.ts";

type Ending = { resolve(text: string): void; signal: AbortSignal; emit(text: string): void };

/** A shell whose commands end when the test says so. */
function scriptedShell(): { shell: Tool; commands: Ending[] } {
  const commands: Ending[] = [];
  const shell = defineTool({
    name: "shell",
    description: "Runs.",
    args: z.strictObject({ command: z.string() }),
    category: "destructive",
    effects: () => [],
    title: () => "shell",
    run: ({ command }, { signal, emit }) =>
      new Promise((resolve) => {
        const end = (text: string) =>
          resolve({
            status: "ok",
            text,
            blocks: [{ type: "terminal", command, output: text, exitCode: 0, durationMs: 1 }],
          });
        signal.addEventListener("abort", () => end("stopped"), { once: true });
        commands.push({ resolve: end, signal, emit });
      }),
  });
  return { shell, commands };
}

function session(...script: ConstructorParameters<typeof MemorySession>[0]["script"] & object[]) {
  const { shell, commands } = scriptedShell();
  const { tools } = memoryPorts({ provider: new ScriptedProvider([]), tools: memoryTools() });
  const memory = new MemorySession({ script, ports: { tools: { ...tools, shell } } });
  const ended = (toolCallId: string) =>
    memory.untilFact(
      (fact) =>
        fact.sessionUpdate === "tool_call_update" && fact.toolCallId === toolCallId && fact.outcome !== undefined,
    );
  const run = (command: string, share = true) => {
    const answer = memory.session.shell({ command, share });
    if ("problem" in answer) throw new Error(answer.problem);
    return { ...answer, at: commands.at(-1) as Ending };
  };
  return { memory, run, ended };
}

const userTexts = (memory: MemorySession, request: number) =>
  (memory.provider.requests[request]?.messages ?? []).flatMap((message) =>
    message.role === "user" ? [message.content.map((part) => ("text" in part ? part.text : "")).join("|")] : [],
  );

describe("a command of the person", () => {
  it("is a fact before it runs, streams what it prints, and reaches the model with the next message, once", async () => {
    const { memory, run, ended } = session(saying("one"), saying("two"));
    const { toolCallId, at } = run("npm test");
    expect(memory.log.facts.at(-1)?.update).toMatchObject({
      status: "in_progress",
      title: "! npm test",
      byPerson: { command: "npm test", share: true },
    });
    at.emit("pass");
    expect(memory.session.state.agents.get("main")?.output.get(toolCallId)).toBe("pass");
    at.resolve("passed");
    await ended(toolCallId);
    expect(memory.facts("tool_call_update").at(-1)).toMatchObject({ outcome: { text: "passed" } });
    expect(memory.session.state.agents.get("main")?.items).toMatchObject([
      { kind: "tool", name: "shell", status: "completed", byPerson: true },
    ]);
    await memory.say("fix it");
    await memory.say("more");
    expect(userTexts(memory, 0)).toEqual(["[The person ran a command of their own:]\n$ npm test\npassed|fix it"]);
    expect(userTexts(memory, 1)[1]).toBe("more");
  });

  it("stays with the person when they say so", async () => {
    const { memory, run, ended } = session(saying("one"));
    const { toolCallId, at } = run("cat diary", false);
    at.resolve("private");
    await ended(toolCallId);
    await memory.say("go");
    expect(userTexts(memory, 0)).toEqual(["go"]);
  });

  it("goes on when a turn ends or is cancelled meanwhile", async () => {
    const { memory, run, ended } = session(calling(call("a", "read", { file_path: "/x" })), saying("done"));
    const { toolCallId, at } = run("sleep 10");
    at.emit("a");
    await memory.say("go");
    expect(memory.session.state.agents.get("main")?.output.get(toolCallId)).toBe("a");
    expect(at.signal.aborted).toBe(false);
    at.emit("b");
    at.resolve("ab");
    await ended(toolCallId);
    const { live, folded, client } = memory.states;
    expect(live).toEqual(folded);
    expect(client).toEqual(folded);
  });

  it("is stopped by its id, by a cancel when no turn runs, and by the end of the session", async () => {
    const { memory, run, ended } = session();
    const [first, second, third] = [run("a"), run("b"), run("c")];
    expect(memory.session.cancelToolCall(first.toolCallId)).toBe(true);
    await ended(first.toolCallId);
    expect(second.at.signal.aborted).toBe(false);
    expect(memory.session.cancel()).toBe(true);
    await ended(second.toolCallId);
    await ended(third.toolCallId);
    expect(memory.session.cancel()).toBe(false);
    const last = run("d");
    await memory.session.close(1_000);
    expect(last.at.signal.aborted).toBe(true);
    expect(memory.facts("tool_call_update").at(-1)).toMatchObject({ outcome: { status: "cancelled" } });
    expect(memory.session.shell({ command: "e", share: true })).toMatchObject({
      problem: expect.stringContaining("closed"),
    });
  });

  it("is not run when it cannot be stored", () => {
    const { memory } = session();
    memory.log.failure = () => "the disk is full";
    expect(memory.session.shell({ command: "a", share: true })).toMatchObject({ unsaved: true });
  });
});
