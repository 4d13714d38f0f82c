import { call, calling, commandTool, MemorySession, memoryTools, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";

/** A promise with a function that resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
const ok = (text: string) => ({ status: "ok" as const, text, blocks: [] });

/** The results that the model read, by call id. */
function results(memory: MemorySession): Record<string, string> {
  const request = memory.provider.requests.at(-1);
  return Object.fromEntries(
    request?.messages.flatMap((each) => (each.role === "tool" ? [[each.toolCallId, each.text]] : [])) ?? [],
  );
}

/** One reply with these calls, then an end. */
async function answered(
  parts: ReturnType<typeof call>[],
  setup: Partial<ConstructorParameters<typeof MemorySession>[0]> = {},
) {
  const memory = new MemorySession({ script: [calling(...parts), saying("done")], ...setup });
  await memory.say("go");
  expect(memory.states.live).toEqual(memory.states.folded);
  expect(memory.states.client).toEqual(memory.states.folded);
  return memory;
}

describe("the calls of a reply", () => {
  it("the calls of a reply are recorded in an order from which a crash can be repaired", async () => {
    const memory = await answered([call("a", "write", { file_path: "x", content: "1" })]);
    expect(
      memory.log.facts.map(({ update }) =>
        update.sessionUpdate === "tool_call_update" ? `${update.toolCallId} ${update.status}` : update.sessionUpdate,
      ),
    ).toEqual([
      "state_update",
      "user_message",
      "session_info_update",
      "agent_message",
      "a pending",
      "a in_progress",
      "a completed",
      "agent_message",
      "state_update",
    ]);
    expect(memory.facts("tool_call_update")[0]).toMatchObject({ name: "write", title: "write x" });
  });

  it("the calls of a reply are on disk as started before they run", async () => {
    let before = "";
    const memory: MemorySession = new MemorySession({
      script: [calling(call("a", "probe", {})), saying("done")],
      tools: [
        probeTool("probe", () => {
          before = memory.log.lines.at(-1) ?? "";
          return ok("1");
        }),
      ],
    });
    await memory.say("go");
    expect(before).toContain('"in_progress"');
  });

  it("the calls of a reply run side by side, are logged as they end, and are sent in their order", async () => {
    const gates = { a: gate(), b: gate(), c: gate() };
    const probe = probeTool("probe", async ({ key }) => {
      await gates[key as "a"].opened;
      return ok(`${key}`);
    });
    const memory = new MemorySession({
      script: [calling(...["a", "b", "c"].map((key) => call(key, "probe", { key }))), saying("done")],
      tools: [probe],
    });
    memory.prompt("go");
    for (const key of ["c", "a", "b"] as const) {
      gates[key].open();
      await memory.untilFact(
        (fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === key && !!fact.outcome,
      );
    }
    await memory.session.idle();
    const ended = memory.facts("tool_call_update").filter((each) => each.outcome);
    expect(ended.map((each) => each.toolCallId)).toEqual(["c", "a", "b"]);
    expect(Object.keys(results(memory))).toEqual(["a", "b", "c"]);
  });

  it("a call sees what a command before it in the same reply has written", async () => {
    const files = new Map([["/work/gen.txt", "OLD"]]);
    const written = gate();
    const bash = commandTool(async () => {
      await written.opened;
      files.set("/work/gen.txt", "NEW");
      return ok("made");
    });
    const memory = new MemorySession({
      script: [
        calling(call("a", "bash", { command: "make gen" }), call("b", "read", { file_path: "gen.txt" })),
        saying("done"),
      ],
      tools: [bash, ...memoryTools(files).filter(({ name }) => name !== "bash")],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    written.open();
    await memory.session.idle();
    expect(results(memory)).toEqual({ a: "made", b: "NEW" });
  });

  it("a path that no system takes is refused before anything looks it up", async () => {
    const looked: string[] = [];
    const path = "d/".repeat(2100);
    const memory = await answered(
      [call("a", "read", { file_path: path }), call("b", "write", { file_path: path, content: "" })],
      {
        tools: memoryTools(),
        ports: {
          paths: {
            real: (each: string) => {
              looked.push(each);
              return each;
            },
          },
        },
      },
    );
    expect(results(memory).a).toContain("This path is too long (4206 bytes, at most 4095): /work/d/d/");
    expect(results(memory).b).toContain("This path is too long (4206 bytes");
    expect(looked.filter((each) => each.length > 100)).toEqual([]);
  });

  it("a call whose thousands of paths are being looked up is stopped at once", async () => {
    let looks = 0;
    const memory = new MemorySession({
      script: [calling(call("a", "many", {})), saying("done")],
      tools: [
        {
          ...probeTool("many", () => ok("1")),
          effects: () => Array.from({ length: 5000 }, (_, at) => ({ kind: "read" as const, path: `/work/${at}` })),
        },
      ],
      ports: {
        paths: {
          real: async (each: string) => {
            looks += 1;
            if (looks === 200) memory.session.cancel();
            return each;
          },
        },
      },
    });
    await memory.say("go");
    expect(looks).toBeLessThan(400);
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({ status: "cancelled" });
  });

  it("calls that clash wait for the earlier one, others do not", async () => {
    const order: string[] = [];
    const looked = gate();
    const bash = commandTool(async ({ command }) => {
      order.push(`start ${command}`);
      if (command === "cat a") await looked.opened;
      order.push(`end ${command}`);
      if (command === "cat b") looked.open();
      return ok(command);
    });
    await answered(
      ["cat a", "cat b", "make", "make test", "ls"].map((command) => call(command, "bash", { command })),
      { tools: [bash] },
    );
    expect(order).toEqual([
      "start cat a",
      "start cat b",
      "end cat b",
      "end cat a",
      ...["make", "make test", "ls"].flatMap((command) => [`start ${command}`, `end ${command}`]),
    ]);
  });

  it("commands that the model marks as independent run side by side, and what follows waits for all", async () => {
    const order: string[] = [];
    const both = gate();
    const bash = {
      ...commandTool(async ({ command }) => {
        order.push(`start ${command}`);
        if (command === "npm test") await both.opened;
        if (command === "npm run lint") both.open();
        order.push(`end ${command}`);
        return ok(command);
      }),
      args: z.object({ command: z.string(), parallel: z.boolean().optional() }),
      concurrency: (args: unknown) => ((args as { parallel?: boolean }).parallel ? "beside-its-kind" : "by-effects"),
    };
    const marked = ["npm test", "npm run lint"].map((command) => call(command, "bash", { command, parallel: true }));
    await answered([...marked, call("ls", "bash", { command: "ls" })], { tools: [bash] });
    expect(order).toEqual([
      "start npm test",
      "start npm run lint",
      "end npm run lint",
      "end npm test",
      "start ls",
      "end ls",
    ]);
  });

  it("a call is judged by what it would do when its turn comes, not by what was known before", async () => {
    let isMade = false;
    const bash = commandTool(() => {
      isMade = true;
      return ok("made");
    });
    const send: Tool = {
      ...probeTool("send", () => ok("sent")),
      categoryOf: () => (isMade ? "destructive" : "readOnly"),
      effects: (_args, cwd) => (isMade ? [{ kind: "run", command: "rm -r x", cwd }] : []),
    };
    const memory = new MemorySession({
      script: [calling(call("a", "bash", { command: "make" }), call("b", "send", {})), saying("done")],
      tools: [bash, send],
      options: { permission_mode: "default" },
    });
    memory.ports.asker.onPermission = ({ toolCallId }) => ({
      outcome: "selected",
      optionId: toolCallId === "a" ? "allow_once" : "reject_once",
    });
    await memory.say("go");
    expect(results(memory).a).toBe("made");
    expect(results(memory).b).toMatch(/denied|not run|said no/i);
  });

  it("a call that waits for a command is answered when it alone is stopped", async () => {
    const made = gate();
    const memory = new MemorySession({
      script: [calling(call("a", "bash", { command: "make" }), call("b", "read", { file_path: "x" })), saying("done")],
      tools: [commandTool(() => made.opened.then(() => ok("made"))), ...memoryTools().slice(0, 1)],
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "tool_call_update" && fact.status === "in_progress");
    memory.session.cancelToolCall("b");
    await memory.untilFact(
      (fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === "b" && !!fact.outcome,
    );
    made.open();
    await memory.session.idle();
    expect(results(memory)).toEqual({ a: "made", b: "cancelled: the person stopped it before it ran." });
  });

  it("the calls of a reply are at most eight at a time, and all get their result", async () => {
    let running = 0;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const probe = probeTool("probe", async ({ n }) => {
      running += 1;
      most = Math.max(most, running);
      if (running === 8) full.resolve();
      await full.promise;
      running -= 1;
      return ok(`${n}`);
    });
    const parts = Array.from({ length: 50 }, (_, n) => call(`c${n}`, "probe", { n }));
    const memory = await answered(parts, { tools: [probe] });
    expect(most).toBe(8);
    expect(results(memory)).toEqual(Object.fromEntries(parts.map((_, n) => [`c${n}`, `${n}`])));
  });

  it("row 27: fifty calls at once end in any order, and are sent in theirs", async () => {
    let left = 50;
    const ends: (() => void)[] = [];
    const probe = probeTool("probe", async ({ n }) => {
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        left -= 1;
        // The last calls end first.
        if (ends.length === Math.min(8, left + ends.length)) for (const end of ends.splice(0).reverse()) end();
      });
      return ok(`${n}`);
    });
    const parts = Array.from({ length: 50 }, (_, n) => call(`c${n}`, "probe", { n }));
    const memory = await answered(parts, { tools: [probe] });
    const order = memory.provider.requests
      .at(-1)
      ?.messages.flatMap((each) => (each.role === "tool" ? [each.toolCallId] : []));
    expect(order).toEqual(parts.map(({ toolCallId }) => toolCallId));
    const pending = memory.facts("tool_call_update").filter(({ status }) => status === "pending");
    expect(pending.map(({ toolCallId }) => toolCallId)).toEqual(order);
  });

  it("calls beyond the limit of a reply are answered with an error", async () => {
    const limits = { maxTurns: 10, maxToolCalls: 2 };
    const parts = ["a", "b", "c"].map((id) => call(id, "read", { file_path: id }));
    const memory = await answered(parts, { options: { limits } });
    expect(results(memory)).toEqual({
      a: "a does not exist",
      b: "b does not exist",
      c: "This reply had more than 2 calls; this one did not run. Send it again with fewer.",
    });
  });

  it("the calls of a reply get ids of their own where the server repeats them", async () => {
    const script = [
      calling(call("call_0", "read", { file_path: "a" })),
      calling(call("call_0", "read", { file_path: "b" }), call("", "read", { file_path: "c" })),
      saying("done"),
    ];
    const memory = new MemorySession({ script });
    await memory.say("go");
    expect(results(memory)).toEqual({
      call_0: "a does not exist",
      "call-1": "b does not exist",
      "call-2": "c does not exist",
    });
    expect(memory.states.live).toEqual(memory.states.folded);
  });
});

describe("row 19: a call that was cut at the limit of output", () => {
  const cut = {
    type: "tool_call" as const,
    toolCallId: "a",
    name: "write",
    inputText: '{"file_path":"x","content":"y"',
  };
  const whole = call("b", "write", { file_path: "x", content: "1" });

  const parts = /^Your call was cut after \d+ characters .* Send it in parts/;
  it.each<[string, "length" | "tool_calls", number | undefined, RegExp]>([
    ["to be sent in parts where the server says so", "length", undefined, parts],
    ["to be sent in parts where the count of tokens shows it", "tool_calls", 100, parts],
    ["to be sent again where only its text shows it", "tool_calls", undefined, /incomplete.* all of it again\.$/],
  ])("row 19: a call that was cut is not run, and is %s", async (_name, stop, maxOutputTokens, says) => {
    const files = new Map<string, string>();
    // Closed by a lenient server, or not at all: the model has completed neither call.
    const inputText = maxOutputTokens === undefined ? cut.inputText : "file_path: x, content: y";
    const usage = { outputTokens: 100 };
    const memory = new MemorySession({
      script: [[{ type: "end", parts: [whole, { ...cut, inputText }], stop, usage }], saying("done")],
      tools: memoryTools(files),
    });
    if (maxOutputTokens !== undefined) {
      const { chooseModel } = memory.ports;
      memory.ports.chooseModel = async (config) => ({ ...(await chooseModel(config)), maxOutputTokens }) as never;
    }
    await memory.say("go");
    expect(results(memory).a).toMatch(says);
    expect(results(memory).b).toBe("wrote 1 characters");
    expect(files.get("/work/x")).toBe("1");
  });
});

describe("the last call of a reply that ends with `length`", () => {
  const text = { type: "text" as const, text: "and" };
  const write = (id: string) => call(id, "write", { file_path: id, content: "1" });
  it.each<[string, Parameters<typeof calling>, string[]]>([
    ["is not run, although its JSON is whole: a server may have closed it", [write("a"), write("b")], ["/work/a"]],
    ["runs where something follows it", [write("a"), write("b"), text as never], ["/work/a", "/work/b"]],
  ])("the last call of a reply that ends with `length` %s", async (_name, parts, written) => {
    const files = new Map<string, string>();
    const memory = new MemorySession({
      script: [[{ type: "end", parts, stop: "length" }], saying("done")],
      tools: memoryTools(files),
    });
    await memory.say("go");
    expect([...files.keys()]).toEqual(written);
    if (written.length === 1) expect(results(memory).b).toMatch(/^Your call was cut .* it did not run/);
  });
});

describe("a call that cannot run", () => {
  const rows: [name: string, part: ReturnType<typeof call>, status: string, says: string][] = [
    ["an unknown tool", call("a", "raed", {}), "unknown_tool", "Did you mean `read`?"],
    ["arguments that are not valid", call("a", "read", {}), "invalid", "file_path: a string is required"],
    [
      "arguments that are not JSON",
      { type: "tool_call", toolCallId: "a", name: "read", inputText: "x" },
      "invalid",
      "not valid JSON",
    ],
    [
      "an unknown key for a changing tool",
      call("a", "write", { file_path: "x", content: "", mode: 1 }),
      "invalid",
      "no argument `mode`",
    ],
    [
      "a name with a character that nobody sees",
      call("a", "wri\u200bte", { file_path: "x", content: "" }),
      "unknown_tool",
      "no tool `name_with_invisible_characters`",
    ],
    [
      "a name with one before it",
      call("a", "\ufeffwrite", { file_path: "x", content: "" }),
      "unknown_tool",
      "no tool `name_with_invisible_characters`",
    ],
  ];
  it.each(rows)("a call that cannot run: %s", async (_name, part, status, says) => {
    const memory = await answered([part]);
    expect(memory.facts("tool_call_update").at(-1)).toMatchObject({ status: "failed", outcome: { status } });
    expect(results(memory).a).toContain(says);
  });
});

describe("a tool", () => {
  it("a tool that throws is a bug, reported to the log file and not to the model", async () => {
    const probe = probeTool("probe", () => {
      throw new Error("secret detail");
    });
    const memory = await answered([call("a", "probe", {})], { tools: [probe] });
    expect(results(memory).a).toContain("the tool failed unexpectedly");
    expect(results(memory).a).not.toContain("secret");
    expect(memory.ports.reports).toMatchObject([{ where: "tool probe", error: new Error("secret detail") }]);
  });

  it("a tool that throws while its effects are computed is answered too", async () => {
    const probe = { ...probeTool("probe", () => ok("")), effects: () => JSON.parse("{") };
    const memory = await answered([call("a", "probe", {})], { tools: [probe] });
    expect(results(memory).a).toContain("the tool failed unexpectedly");
  });

  it("a tool without output has a result that says so", async () => {
    const memory = await answered([call("a", "probe", {})], { tools: [probeTool("probe", () => ok("  \n"))] });
    expect(results(memory).a).toBe("(no output)");
  });

  it("a tool with too much output is cut, and the result names the file with the rest", async () => {
    const probe = probeTool("probe", (_args, context) => {
      context.spill(".txt");
      return ok("x".repeat(100_000));
    });
    const memory = await answered([call("a", "probe", {})], { tools: [probe], contextWindow: 8_192 });
    expect(results(memory).a?.length).toBeLessThan(8_400);
    expect(results(memory).a).toContain("The whole text is in /blobs/1.txt.");
  });

  it("a tool that returns invalid text gets it made valid", async () => {
    const memory = await answered([call("a", "probe", {})], { tools: [probeTool("probe", () => ok("\ud800!"))] });
    expect(results(memory).a).toBe("\ufffd!");
  });

  it("a tool streams its output while it runs, and not after", async () => {
    let emit: (text: string) => void = () => undefined;
    const probe = probeTool("probe", (_args, context) => {
      emit = context.emit;
      emit("one ");
      emit("");
      emit("two");
      return ok("one two");
    });
    const memory = await answered([call("a", "probe", {})], { tools: [probe] });
    emit("late");
    const chunks = memory.ports.events.all.flatMap((event) =>
      "delta" in event && event.delta.sessionUpdate === "tool_output_chunk" ? [event.delta] : [],
    );
    expect(chunks).toMatchObject([
      { offset: 0, text: "one " },
      { offset: 4, text: "two" },
    ]);
  });

  it("a tool gets the time it took into its result", async () => {
    const memory: MemorySession = new MemorySession({
      script: [calling(call("a", "probe", {})), saying("done")],
      tools: [
        probeTool("probe", () => {
          memory.ports.clock.advance(1_234);
          return ok("1");
        }),
      ],
    });
    await memory.say("go");
    expect(memory.facts("tool_call_update").at(-1)?.outcome?.durationMs).toBe(1_234);
  });

  it("a tool of another harness is known by its name and arguments", async () => {
    const repairable = { input: undefined, inputText: '{"command": "read", "path": "x",}' };
    const toolFor = ({ command }: Record<string, unknown>) => String(command);
    const memory = new MemorySession({
      script: [calling({ ...call("a", "view", {}), ...repairable }), saying("done")],
      ports: {
        tools: {
          tools: memoryTools(new Map([["/work/x", "text"]])),
          aliases: [{ name: "view", tool: "write", toolFor, convert: ({ path }) => ({ file_path: path }) }],
        },
      },
    });
    await memory.say("go");
    expect(results(memory)).toEqual({ a: "text" });
    expect(memory.facts("tool_call_update")[0]).toMatchObject({ name: "read", title: "read x" });
  });
});
