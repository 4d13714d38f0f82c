import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "@harness/core";
import { call, calling, probeTool, type ScriptedEvent, saying } from "@harness/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookHome } from "../../../test/hook-session.ts";

let home: HookHome;
beforeEach(() => {
  home = new HookHome();
});
afterEach(() => home.remove());

const twoCalls = [
  calling(call("a", "read", { file_path: "x" }), call("b", "read", { file_path: "y" })),
  saying("done"),
];
function reader(ran: unknown[] = []): Tool {
  const tool = probeTool("read", (args) => {
    ran.push(args);
    return { status: "ok", text: `content ${ran.length}`, blocks: [] };
  });
  const pathOf = (args: unknown) => join(home.cwd, String((args as { file_path: string }).file_path));
  return { ...tool, effects: (args) => [{ kind: "read", path: pathOf(args) }] };
}
async function say(script: ScriptedEvent[][], ran: unknown[] = [], options = {}) {
  const memory = home.session({ script, tools: [reader(ran)], options });
  await memory.say("go");
  return memory;
}
const outcomes = (memory: Awaited<ReturnType<typeof say>>) =>
  memory.facts("tool_call_update").flatMap(({ outcome, toolCallId }) => (outcome ? [{ toolCallId, ...outcome }] : []));
const end = (memory: Awaited<ReturnType<typeof say>>) => memory.facts("state_update").at(-1);
/** Keeps its input, and passes it on. */
const tee = (name: string) => `tee -a "${home.root}/${name}"`;
const lines = (name: string) =>
  home
    .read(name)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Results arrive concurrently. */
const byCall = (name: string) => lines(name).sort((one, other) => (one.call_id < other.call_id ? -1 : 1));

describe("hooks of stages", () => {
  it("hooks of stages get what the contract of each stage says, and hand it on unchanged", async () => {
    for (const stage of ["start", "assemble", "send", "receive", "tool_done", "done"]) {
      home.hook(`${stage}/05-before`, tee(`${stage}-before`));
      home.hook(`${stage}/90-after`, tee(`${stage}-after`));
    }
    home.hook("tool_exec/05-before", tee("exec-before"));
    home.hook("tool_exec/90-after", tee("exec-after"));
    const memory = await say(twoCalls);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.provider.requests).toHaveLength(2);
    expect(lines("start-before")).toEqual([{}]);
    expect(lines("start-after")).toEqual([{ next_state: "assemble" }]);
    expect(lines("assemble-before")).toEqual([{}, {}]);
    const [draft] = lines("assemble-after");
    expect(draft).toEqual({
      model: memory.provider.requests[0]?.model,
      system: memory.provider.requests[0]?.system,
      messages: [{ role: "user", content: [{ type: "text", text: "go" }] }],
      tools: expect.arrayContaining([
        { name: "read", description: expect.any(String), input_schema: expect.any(Object) },
      ]),
      next_state: "send",
    });
    const { next_state: _, ...payload } = draft;
    expect(lines("send-before")[0]).toEqual(payload);
    const reply = {
      type: "message",
      role: "assistant",
      content: [
        { type: "tool_use", id: "a", name: "read", input: { file_path: "x" } },
        { type: "tool_use", id: "b", name: "read", input: { file_path: "y" } },
      ],
      stop_reason: "tool_use",
    };
    expect(lines("send-after")[0]).toMatchObject({ ...reply, next_state: "receive" });
    expect(lines("receive-before")[0]).toMatchObject(reply);
    const queue = [
      { id: "a", name: "read", input: { file_path: "x" } },
      { id: "b", name: "read", input: { file_path: "y" } },
    ];
    expect(lines("receive-after")).toMatchObject([
      { next_state: "tool_exec", tool_calls: queue, model: draft.model },
      { next_state: "done", output: "done", stop_reason: "end_turn", model: draft.model },
    ]);
    expect(lines("exec-before")).toEqual([{ tool_calls: queue }, { tool_calls: queue.slice(1) }]);
    const result = { call_id: "b", name: "read", input: { file_path: "y" }, error: false, tool_calls: [] };
    expect(byCall("exec-after")[1]).toEqual({ ...result, result: "content 2", next_state: "tool_done" });
    expect(byCall("tool_done-before")[1]).toEqual({ ...result, result: "content 2" });
    expect(lines("tool_done-after")).toEqual([{ next_state: "assemble" }]);
    expect(lines("done-before")).toEqual([{ output: "done", stop_reason: "end_turn" }]);
  });

  it("hooks of stages change what is sent, answered and shown to the model", async () => {
    home.hook("assemble/50-rhyme", `sed 's/"system":"[^"]*/&RHYME/'`);
    home.hook("receive/05-other", `sed 's/"file_path":"x"/"file_path":"z"/'`);
    home.hook("tool_exec/90-redact", `sed 's/content [0-9]/content …/'`);
    const ran: unknown[] = [];
    const memory = await say(twoCalls, ran);
    expect(memory.provider.requests[0]?.system).toContain("RHYME");
    expect(ran).toEqual([{ file_path: "z" }, { file_path: "y" }]);
    expect(outcomes(memory).map(({ text }) => text)).toEqual(["content …", "content …"]);
    expect(JSON.stringify(memory.log.facts)).not.toMatch(/content \d/);
  });

  it("hooks of stages know where they are by their variables, and nothing of the person's secrets", async () => {
    Object.assign(home.env, { MY_KEY: "k", OTHER_TOKEN: "t" });
    home.hook("send/05-env", `cat > /dev/null; env > "${home.root}/env"; pwd > "${home.root}/pwd"`, {
      conf: "# limits\npass_env=MY_KEY\ntimeout=5\n",
    });
    await say([saying("done")]);
    const env = home.read("env").split("\n");
    const expected = [
      "HARNESS_STAGE=send",
      "HARNESS_SESSION=/s/1",
      "HARNESS_MAX_TURNS=7",
      "HARNESS_VERSION=1",
      "HARNESS_ROOT=/harness",
    ];
    const more = [
      `HARNESS_HOME=${home.config}`,
      "HARNESS_CONFIG_HOME=/config",
      "HARNESS_SESSIONS=/s",
      `HARNESS_SOURCES=${home.config}`,
      `HARNESS_LOG=${home.logPath}`,
    ];
    for (const line of [...expected, ...more, "MY_KEY=k"]) expect(env).toContain(line);
    expect(env.some((line) => /^HARNESS_(MODEL|PROVIDER)=./.test(line))).toBe(true);
    expect(env.join("\n")).not.toContain("OTHER_TOKEN");
    expect(home.read("pwd").trim()).toBe(home.cwd);
  });

  it("hooks of the first stage know the model that is going to answer", async () => {
    home.hook("start/05-env", `cat > /dev/null; env > "${home.root}/env"`);
    await say([saying("done")]);
    const env = home.read("env").split("\n");
    for (const name of ["HARNESS_MODEL", "HARNESS_PROVIDER"])
      expect(env.some((line) => line.startsWith(`${name}=`) && line.length > name.length + 1)).toBe(true);
  });

  it("hooks of stages are found before each request, and gone when their file is", async () => {
    const memory = home.session({
      script: (request) => {
        if (request.messages.length === 1) {
          home.hook("receive/20-late", tee("late"));
          home.inventory.forgetMoment();
        }
        return request.messages.length < 4
          ? calling(call(`c${request.messages.length}`, "read", { file_path: "x" }))
          : saying("done");
      },
      tools: [reader()],
    });
    await memory.say("go");
    expect(lines("late")).toHaveLength(2);
  });
});

describe("a hook before the calls", () => {
  it("a hook before the calls refuses one of them with its words, and the others run", async () => {
    home.hook(
      "tool_exec/05-approve",
      `read -r line; case "$line" in *'[{"id":"a"'*) echo '{"error":"not x."}'; exit 1;; esac`,
    );
    const ran: unknown[] = [];
    const memory = await say(twoCalls, ran);
    expect(outcomes(memory)).toMatchObject([
      {
        toolCallId: "a",
        status: "denied",
        text: expect.stringMatching(/is refused by the hook 05-approve: not x\.\n/),
      },
      { toolCallId: "b", status: "ok" },
    ]);
    expect(ran).toEqual([{ file_path: "y" }]);
    expect(memory.provider.requests).toHaveLength(2);
  });

  it.each<[string, string, string, { conf?: string }]>([
    ["without a message", "echo no >&2; exit 3", "/tool_exec/05-x (exit 3), which gave no reason", {}],
    ["by a decision without a reason", `echo '{"decision":"deny"}'`, "/tool_exec/05-x (decision deny), which", {}],
    ["with prose", "echo 'not on a Friday'; exit 1", "is refused by the hook 05-x: not on a Friday", {}],
    ["by taking too long", "sleep 60", "the hook 05-x did not end within 0.2 s", { conf: "timeout=0.2" }],
    [
      "by crashing",
      "kill -9 $$",
      "the hook 05-x was killed by SIGKILL (it was stopped by force, often because memory ran out)",
      {},
    ],
    ["by nonsense", "echo hello", "the hook 05-x wrote something other than a JSON object: hello", {}],
    ["by a broken object", `echo '{"tool_calls":'`, "wrote something other than a JSON object", {}],
    ["by taking it out", `echo '{"tool_calls":[]}'`, "the hook 05-x removed it", {}],
    ["by an empty shell", "#!/bin/sh\r\ncat\r\n", "save it with Unix line breaks", {}],
    ["by endless output", "yes", "wrote over 1 MB more", {}],
  ])("a hook before the calls refuses them: %s", async (_name, text, words, conf) => {
    home.hook("tool_exec/05-x", text, conf);
    const ran: unknown[] = [];
    const memory = await say(twoCalls, ran);
    expect(outcomes(memory)).toMatchObject([
      { status: "denied", text: expect.stringContaining(words) },
      { status: "denied", text: expect.stringContaining(words) },
    ]);
    expect(ran).toEqual([]);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(memory.provider.requests)).not.toContain("echo no");
  });

  it("a hook before the calls changes the arguments, and the gate judges the changed call", async () => {
    home.hook("tool_exec/05-x", `sed 's/"x"/"secret.txt"/'`);
    const ran: unknown[] = [];
    const memory = await say(twoCalls, ran, { rules: { allow: [], deny: ["read(secret.txt)"] } });
    expect(outcomes(memory)).toMatchObject([{ status: "denied" }, { status: "ok" }]);
    expect(ran).toEqual([{ file_path: "y" }]);
    expect(memory.facts("repair")).toMatchObject([
      { toolCallId: "a", what: "arguments", detail: expect.stringContaining("05-x") },
    ]);
  });

  it("a hook before the calls allows nothing that a rule denies", async () => {
    home.hook("tool_exec/05-x", "cat");
    const memory = await say(twoCalls, [], { rules: { allow: [], deny: ["read"] } });
    expect(outcomes(memory)).toMatchObject([{ status: "denied" }, { status: "denied" }]);
  });

  it("a hook before the calls sees the tool that would run, whatever the model has called it", async () => {
    home.hook("tool_exec/05-x", tee("seen"));
    await say([calling(call("a", "Read", { file_path: "x" })), saying("done")]);
    expect(lines("seen")[0].tool_calls).toEqual([{ id: "a", name: "read", input: { file_path: "x" } }]);
  });

  it.each(["tool_exec", "done"])(
    "a hook of %s is ended with what it started when the turn is cancelled",
    async (stage) => {
      home.hook(`${stage}/05-x`, `sleep 300 & echo $! > "${home.root}/child"; wait`);
      const memory = home.session({ script: twoCalls, tools: [reader()] });
      memory.prompt("go");
      while (!existsSync(join(home.root, "child")) || home.read("child") === "")
        await new Promise((done) => setImmediate(done));
      memory.session.cancel();
      await memory.session.idle();
      expect(end(memory)).toMatchObject({ state: "idle" });
      const isAlive = () =>
        existsSync(`/proc/${home.read("child").trim()}/fd`) &&
        readFileSync(`/proc/${home.read("child").trim()}/stat`, "utf8").split(" ")[2] !== "Z";
      await expect.poll(isAlive, { interval: 5, timeout: 60_000 }).toBe(false);
    },
  );
});

describe("a hook that fails elsewhere", () => {
  it.each(["start", "assemble", "send", "receive", "done"])(
    "a hook that fails elsewhere ends the turn in the stage error with its words: %s",
    async (stage) => {
      const path = home.hook(`${stage}/05-x`, `echo '{"error":"no budget left"}'; echo why >&2; exit 4`);
      home.hook("error/10-note", tee("error"));
      const memory = await say([saying("done")]);
      const message = `The hook ${path} of the stage ${stage} ended with exit 4: no budget left.`;
      expect(end(memory)).toMatchObject({
        stopReason: "error",
        error: { kind: "hook", message: expect.stringContaining(message) },
      });
      expect(lines("error")[0].error).toContain("no budget left");
      expect(home.log).toMatch(new RegExp(`${stage}/05-x: why`));
    },
  );

  it("a hook that fails in the stage error ends the turn with the first error", async () => {
    home.hook("send/05-x", "echo first; exit 1");
    home.hook("error/10-x", "echo second; exit 1");
    const memory = await say([saying("done")]);
    expect(end(memory)?.error?.message).toContain("first");
    expect(end(memory)?.error?.message).not.toContain("second");
  });

  it("a hook that names a stage that there is not is a failure that says so", async () => {
    home.hook("receive/20-x", `echo '{"next_state":"elsewhere"}'`);
    expect(end(await say([saying("done")]))?.error?.message).toContain('names an unknown stage: "elsewhere"');
  });

  it("a hook that answers without a next stage ends the turn in order", async () => {
    home.hook("assemble/90-x", `echo '{"model":"m"}'`);
    const memory = await say([saying("done")]);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(memory.provider.requests).toEqual([]);
  });

  it("a hook of the stage error may send the turn back, and the limit of turns stops what goes round", async () => {
    home.hook("send/05-x", "echo again; exit 1");
    home.hook("error/10-x", `echo '{"next_state":"assemble"}'`);
    const memory = await say([saying("done")], [], { limits: { maxTurns: 2, maxToolCalls: 5 } });
    expect(end(memory)).toMatchObject({ stopReason: "max_turn_requests" });
  });
});

describe("a hook in the place of a built-in step", () => {
  it("10-send: its answer is the reply, written down and gone through as any other", async () => {
    home.hook(
      "send/10-send",
      `cat > "${home.root}/payload"; if [ -e "${home.root}/said" ]; then echo '{"choices":[{"message":{"content":"All read."},"finish_reason":"stop"}]}'; else touch "${home.root}/said"; echo '{"model":"m2","content":[{"type":"tool_use","id":"t1","name":"read","input":{"file_path":"x"}}],"stop_reason":"tool_use","usage":{"input_tokens":5,"output_tokens":2},"next_state":"receive"}'; fi`,
    );
    const ran: unknown[] = [];
    const memory = await say([], ran);
    expect(ran).toEqual([{ file_path: "x" }]);
    expect(memory.facts("agent_message")).toMatchObject([
      { model: "m2", stop: "tool_calls", usage: { inputTokens: 5, outputTokens: 2 } },
      { parts: [{ type: "text", text: "All read." }], stop: "end" },
    ]);
    expect(memory.provider.requests).toEqual([]);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("10-exec: it runs what the gate lets through, and nothing else", async () => {
    home.hook("tool_exec/10-exec", `${tee("ran")} > /dev/null; echo '{"result":"by the hook","error":false}'`);
    const ran: unknown[] = [];
    const memory = await say(twoCalls, ran, { rules: { allow: [], deny: ["read(y)"] } });
    expect(
      outcomes(memory)
        .map(({ toolCallId, status, text }) => [toolCallId, status, text])
        .sort(),
    ).toEqual([
      ["a", "ok", "by the hook"],
      ["b", "denied", expect.any(String)],
    ]);
    expect(ran).toEqual([]);
    expect(lines("ran")).toHaveLength(1);
  });

  it("10-save of the replies: the reply is in the log whatever it answers, and it says where the turn goes", async () => {
    home.hook("receive/10-save", `echo '{"next_state":"done","output":"stopped"}'`);
    const memory = await say(twoCalls);
    expect(memory.facts("agent_message")).toHaveLength(1);
    expect(outcomes(memory)).toMatchObject([{ status: "error" }, { status: "error" }]);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("10-save of the results: they are in the log by then, and it says where the turn goes", async () => {
    home.hook("tool_done/10-save", `${tee("saved")} > /dev/null; echo '{"next_state":"done","output":"enough"}'`);
    const memory = await say(twoCalls);
    expect(outcomes(memory)).toMatchObject([{ status: "ok" }, { status: "ok" }]);
    expect(lines("saved").map(({ call_id }) => call_id)).toEqual(["a", "b"]);
    expect(memory.provider.requests).toHaveLength(1);
  });

  it("10-messages, 20-tools and 30-prompts: the request is what they say, and new messages are in the log", async () => {
    home.hook("assemble/10-messages", `echo '{"messages":[{"role":"user","content":"other"}]}'`);
    home.hook("assemble/20-tools", `sed 's/}$/,"tools":[]}/'`);
    home.hook("assemble/30-prompts", `sed 's/}$/,"system":"Be brief."}/'`);
    const memory = await say([saying("done")]);
    expect(memory.provider.requests[0]).toMatchObject({
      messages: [{ role: "user", content: [{ type: "text", text: "other" }] }],
      tools: [],
      system: "Be brief.",
    });
    expect(memory.facts("user_message")).toHaveLength(1);
  });
});

describe("files that are not hooks", () => {
  it("files that are not hooks are left out: without a run bit, a folder, a page, of an unknown stage", async () => {
    home.hook("send/05-x", "exit 1", { mode: 0o644 });
    home.hook("sending/05-x", "exit 1");
    mkdirSync(join(home.config, "hooks.d/send/06-folder"));
    writeFileSync(join(home.config, "hooks.d/send/README.md"), "exit 1");
    const memory = await say([saying("done")]);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
  });

  it("what a hook leaves behind is ended where it holds the output, and the turn goes on", async () => {
    home.hook("receive/20-x", "sleep 300 & cat");
    const memory = await say([saying("done")]);
    expect(end(memory)).toMatchObject({ stopReason: "end_turn" });
    expect(home.log).toContain("processes that it left behind with its output open");
  });

  it("the runs of hooks are kept for those who ask why, also after a restart", async () => {
    const path = home.hook("receive/20-x", "cat");
    await say([saying("done")]);
    expect(home.runs.last("receive", path)).toMatchObject({
      outcome: "ok",
      exit: "exit 0",
      sessionId: "s1",
      cwd: home.cwd,
    });
  });
});
