import type { Todo, TodoStatus } from "@harness/protocol";
import { call, calling, MemoryCheckpoints, MemorySession, type Script, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { changedTodos } from "./changed-todos.ts";
import { todo } from "./todo.ts";

const task = (number: number, text: string, status: TodoStatus = "pending"): Todo => ({
  id: `todo_${number}`,
  text,
  status,
});
const AB = [task(1, "A"), task(2, "B", "in_progress")];

describe("a list of tasks", () => {
  it.each([
    ["by its words", [{ text: "A" }], "todo A"],
    ["with how many more there are", [{ id: "todo_1" }, { text: "A" }], "todo A and 1 more"],
    [
      "by number where only ids come, which say nothing to people",
      [{ id: "todo_1" }, { id: "todo_2" }],
      "todo 2 tasks changed",
    ],
    ["by its name where nothing comes", [], "todo"],
  ])("is named %s", (_, todos, title) => {
    const none = { todos: () => [], replace: () => undefined };
    expect(todo(() => none).title({ todos }, "/w")).toBe(title);
  });

  it.each<[string, readonly Todo[], Parameters<typeof changedTodos>[1], boolean, Todo[]]>([
    ["gets a first task", [], [{ text: " A\n b " }], false, [task(1, "A b")]],
    ["gets another one", AB, [{ text: "C", status: "in_progress" }], false, [...AB, task(3, "C", "in_progress")]],
    [
      "has one changed by its id",
      AB,
      [{ id: "todo_1", status: "completed" }],
      false,
      [task(1, "A", "completed"), AB[1] as Todo],
    ],
    ["has one worded anew", AB, [{ id: "todo_1", text: "A2" }], false, [task(1, "A2"), AB[1] as Todo]],
    [
      "takes two changes of one task",
      AB,
      [
        { id: "todo_1", status: "completed" },
        { id: "todo_1", text: "A2" },
      ],
      false,
      [task(1, "A2", "completed"), AB[1] as Todo],
    ],
    [
      "is replaced, and tasks that stay keep their ids",
      AB,
      [{ text: "B", status: "completed" }, { text: "C" }],
      true,
      [task(2, "B", "completed"), task(3, "C")],
    ],
    ["is replaced by a program with ids of its own", AB, [{ id: "x", text: "C" }], true, [task(3, "C")]],
    ["is emptied", AB, [], true, []],
    ["has two tasks of the same words", [], [{ text: "A" }, { text: "A" }], true, [task(1, "A"), task(2, "A")]],
  ])("%s", (_name, before, wanted, isWhole, todos) => {
    expect(changedTodos(before, wanted, { isWhole })).toMatchObject({ todos });
  });

  it.each<[string, Parameters<typeof changedTodos>[1], string]>([
    [
      "an unknown id",
      [{ id: "todo_9", status: "completed" }],
      "There is no task `todo_9`. The tasks are: todo_1, todo_2.",
    ],
    ["a task without words", [{ status: "pending" }], "A new task needs a `text`."],
    ["too many", Array.from({ length: 99 }, (_, n) => ({ text: `${n}` })), "at most 100 tasks; this would make 101"],
  ])("is refused with a reason: %s", (_name, wanted, problem) => {
    expect(changedTodos(AB, wanted, { isWhole: false })).toEqual({ problem: expect.stringContaining(problem) });
  });
});

const write = (id: string, ...todos: Record<string, unknown>[]) => call(id, "todo", { todos });
const todosOf = (memory: MemorySession, agentId = "main") => memory.session.state.agents.get(agentId)?.todos;
const results = (memory: MemorySession) =>
  memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome] : []));

describe("the todo tool", () => {
  it("answers with what changed, shows the whole list, asks nobody, and lists without arguments", async () => {
    const memory = new MemorySession({
      script: [
        calling(write("a", { text: "Find it" }, { text: "Mend it" })),
        calling(write("b", { id: "todo_1", status: "completed" }), call("c", "todo", {})),
        saying("ok"),
      ],
      options: { permission_mode: "default" },
    });
    await memory.say("go");
    const [first, second, third] = results(memory);
    expect(first?.text).toBe("[ ] todo_1 Find it\n[ ] todo_2 Mend it\n0 of 2 completed.");
    expect(second?.text).toBe("[x] todo_1 Find it\n1 of 2 completed.");
    expect(third?.text).toBe("[x] todo_1 Find it\n[ ] todo_2 Mend it");
    expect(second?.blocks).toEqual([
      {
        type: "todo",
        items: [
          { text: "Find it", status: "completed" },
          { text: "Mend it", status: "pending" },
        ],
      },
    ]);
    expect(memory.facts("permission_requested")).toEqual([]);
    expect(memory.facts("todo_update").map(({ todos }) => todos.length)).toEqual([2, 2]);
    const { live, folded, client } = memory.states;
    expect(folded).toEqual(live);
    expect(client).toEqual(live);
  });

  it("takes the whole list of another program, and the tasks that stay keep their ids", async () => {
    const plan = (id: string, ...steps: string[]) =>
      call(id, "update_plan", { plan: steps.map((step) => ({ step, status: "pending" })) });
    const memory = new MemorySession({
      script: [calling(plan("a", "A", "B")), calling(plan("b", "B", "C")), saying("ok")],
    });
    await memory.say("go");
    expect(results(memory).at(-1)?.text).toBe("[ ] todo_2 B\n[ ] todo_3 C");
    expect(todosOf(memory)).toEqual([task(2, "B"), task(3, "C")]);
  });

  it("changes nothing on disk where a call changes nothing or fails", async () => {
    const memory = new MemorySession({
      script: [
        calling(write("a", { text: "A" })),
        calling(write("b", { id: "todo_1", status: "pending" }), write("c", { text: "B" }, { id: "no" })),
        saying("ok"),
      ],
    });
    await memory.say("go");
    expect(results(memory).map(({ status }) => status)).toEqual(["ok", "ok", "error"]);
    expect(memory.facts("todo_update")).toHaveLength(1);
    expect(todosOf(memory)).toEqual([task(1, "A")]);
  });

  it("keeps a list of its own for each agent", async () => {
    const isChild = (text: string) => text.includes("look");
    const script: Script = ({ messages }) => {
      const [first] = messages;
      const text = first?.role === "user" ? JSON.stringify(first.content) : "";
      const answered = messages.some(({ role }) => role === "assistant");
      if (isChild(text)) return answered ? saying("done") : calling(write("k", { text: "of the child" }));
      return answered
        ? saying("done")
        : calling(write("a", { text: "of the parent" }), call("s", "start_subagent", { task: "look" }));
    };
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(todosOf(memory)).toEqual([task(1, "of the parent")]);
    expect(todosOf(memory, "agent-1")).toEqual([task(1, "of the child")]);
  });

  it("has the same tasks after a resume, and goes on counting", async () => {
    const memory = new MemorySession({ script: [calling(write("a", { text: "A" }, { text: "B" })), saying("ok")] });
    await memory.say("go");
    const resumed = new MemorySession({
      script: [calling(write("b", { text: "C" })), saying("ok")],
      log: memory.log,
    });
    expect(todosOf(resumed)).toEqual([task(1, "A"), task(2, "B")]);
    await resumed.say("go on");
    expect(todosOf(resumed)).toEqual([task(1, "A"), task(2, "B"), task(3, "C")]);
  });

  it("has the tasks of an earlier message again when the person goes back to it, also after a resume, and the later ones after a redo", async () => {
    const memory = new MemorySession({
      script: [
        calling(write("a", { text: "A" })),
        saying("ok"),
        calling(write("b", { id: "todo_1", status: "completed" }, { text: "B" })),
        saying("ok"),
      ],
      ports: { checkpoints: new MemoryCheckpoints(new Map()) },
    });
    await memory.say("one");
    await memory.say("two");
    const [, second] = memory.facts("user_message");
    await memory.session.rewind(second?.messageId ?? "", "conversation");
    expect(todosOf(memory)).toEqual([task(1, "A")]);
    const resumed = new MemorySession({
      script: [],
      log: memory.log,
      ports: { checkpoints: new MemoryCheckpoints(new Map()) },
    });
    expect(todosOf(resumed)).toEqual([task(1, "A")]);
    await resumed.session.redo();
    expect(todosOf(resumed)).toEqual([task(1, "A", "completed"), task(2, "B")]);
  });
});
