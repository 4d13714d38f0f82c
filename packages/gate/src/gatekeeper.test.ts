import type { Permission, PermissionOutcome } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, probeTool, saying } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const write = (id: string, path: string) => call(id, "write", { file_path: path, content: id });
const run = (id: string, command: string) => call(id, "bash", { command });
const chose = (optionId: string, feedback?: string): PermissionOutcome => ({
  outcome: "selected",
  optionId,
  ...(feedback ? { feedback } : {}),
});

type Answer = (permission: Permission) => PermissionOutcome | undefined;

async function asked(
  parts: ReturnType<typeof call>[],
  answer: Answer,
  setup: Partial<ConstructorParameters<typeof MemorySession>[0]> = {},
) {
  const memory = new MemorySession({
    script: [calling(...parts), saying("done")],
    tools: memoryTools(),
    ...setup,
    options: { permission_mode: "default", ...setup.options },
  });
  memory.ports.asker.onPermission = answer;
  await memory.say("go");
  expect(memory.states.live).toEqual(memory.states.folded);
  const outcomes = Object.fromEntries(
    memory.facts("tool_call_update").flatMap((each) => (each.outcome ? [[each.toolCallId, each.outcome]] : [])),
  );
  return { memory, outcomes, questions: memory.ports.asker.permissions };
}

describe("a permission request", () => {
  it("shows the call, its effect, and what each answer covers", async () => {
    const { questions, memory, outcomes } = await asked([write("a", "src/x.ts")], () => chose("allow_once"));
    expect(questions).toEqual([
      {
        permissionId: "permission-1",
        agentId: "main",
        toolCallId: "a",
        tool: "write",
        title: "write src/x.ts",
        reason: "writes src/x.ts",
        risk: "medium",
        effects: [{ kind: "write", path: "/work/src/x.ts" }],
        preview: [],
        notes: [],
        options: [
          { optionId: "allow_once", name: "Yes, once", kind: "allow_once" },
          {
            optionId: "allow_turn",
            name: "Yes, and all edits in this folder until this turn ends",
            kind: "allow_turn",
          },
          {
            optionId: "allow_session",
            name: "Yes, and don't ask again in this session for `write` under src/",
            kind: "allow_session",
          },
          {
            optionId: "allow_always",
            name: "Yes, and don't ask again for `write` under src/",
            kind: "allow_always",
            covers: "`write` under src/, in this project",
          },
          { optionId: "reject_once", name: "No", kind: "reject_once" },
          {
            optionId: "reject_always",
            name: "No, and never for `write` under src/",
            kind: "reject_always",
            covers: "`write` under src/, in this project",
          },
        ],
      },
    ]);
    expect(outcomes.a?.status).toBe("ok");
    const kinds = memory.log.facts.map(({ update }) =>
      update.sessionUpdate === "state_update"
        ? update.state
        : update.sessionUpdate === "tool_call_update"
          ? update.status
          : update.sessionUpdate,
    );
    expect(kinds.slice(3)).toEqual([
      "agent_message",
      "pending",
      "permission_requested",
      "requires_action",
      "permission_resolved",
      "running",
      "in_progress",
      "completed",
      "agent_message",
      "idle",
    ]);
    expect(memory.facts("permission_resolved")).toMatchObject([{ by: "tester", toolCallId: "a" }]);
  });

  it("shows the command of a call without a preview", async () => {
    const { questions } = await asked([run("a", "npm test")], () => chose("allow_once"));
    expect(questions[0]?.preview).toEqual([
      { type: "terminal", command: "npm test", output: "", exitCode: null, durationMs: 0 },
    ]);
    expect(questions[0]?.options[1]?.name).toBe("Yes, and don't ask again in this session for this exact command");
  });

  it("shows the tool's own preview, and is made without one that fails", async () => {
    const block = { type: "text" as const, text: "+1" };
    const [, plain] = memoryTools();
    if (!plain) throw new Error("no write tool");
    const tools = [{ ...plain, preview: async () => [block] }];
    const shown = await asked([write("a", "x")], () => chose("allow_once"), { tools });
    expect(shown.questions[0]?.preview).toEqual([block]);
    const failing = [{ ...plain, preview: () => Promise.reject(new Error("bug")) }];
    const { memory, outcomes } = await asked([write("a", "x")], () => chose("allow_once"), { tools: failing });
    expect(outcomes.a?.status).toBe("ok");
    expect(memory.ports.reports).toMatchObject([{ where: "preview of write" }]);
  });

  it("offers no lasting answer when the risk is high", async () => {
    const { questions } = await asked([run("a", "rm -rf dist"), write("b", "/tmp/x")], () => chose("reject_once"));
    expect(questions.map((each) => each.options.map((option) => option.kind))).toEqual([
      ["allow_once", "reject_once"],
      ["allow_once", "reject_once"],
    ]);
    expect(questions[0]).toMatchObject({
      risk: "high",
      reason: "runs a command that removes folders with everything in them",
    });
  });
});

describe("row 24: a call that was found in text", () => {
  const found = (part: ReturnType<typeof call>) => ({ ...part, foundInText: true });

  it("is asked about in every mode, once each, and runs when a person allows it", async () => {
    const parts = [found(write("a", "x")), found(write("b", "y")), found(call("c", "read", { file_path: "x" }))];
    const { questions, outcomes } = await asked(parts, () => chose("allow_once"), {
      options: { permission_mode: "allow-all" },
    });
    expect(questions.map(({ toolCallId }) => toolCallId)).toEqual(["a", "b"]);
    expect(questions[0]).toMatchObject({
      reason: "was written as plain text and may be a quotation; it writes x",
      options: [{ optionId: "allow_once" }, { optionId: "reject_once" }],
    });
    expect([outcomes.a?.status, outcomes.b?.status, outcomes.c?.status]).toEqual(["ok", "ok", "ok"]);
  });

  it("is not covered by grants for native calls", async () => {
    const { questions } = await asked([write("a", "x"), found(write("b", "x"))], ({ options }) =>
      chose(options.some(({ optionId }) => optionId === "allow_session") ? "allow_session" : "reject_once"),
    );
    expect(questions.map(({ toolCallId }) => toolCallId)).toEqual(["a", "b"]);
  });
});

describe("an answer to a permission request", () => {
  it("reaches the model with the person's feedback when it denies", async () => {
    const { outcomes } = await asked([write("a", "x")], () => chose("reject_once", "use y instead"));
    expect(outcomes.a).toMatchObject({
      status: "denied",
      blocks: [{ type: "text", text: 'You denied this: "use y instead"' }],
    });
    expect(outcomes.a?.text).toBe(
      "Denied: write x. It writes x; the person said no.\nTheir words: use y instead\nIt did not run. Do not retry the same call or work around the denial.",
    );
  });

  it("covers, for the session, the folder and no more, and waiting calls at once", async () => {
    const parts = [write("a", "src/a"), write("b", "src/deep/b"), write("c", "lib/c"), write("d", "src/.env")];
    const answers: Record<string, PermissionOutcome> = {
      a: chose("allow_session"),
      c: chose("reject_once"),
      d: chose("allow_once"),
    };
    const { questions, outcomes } = await asked(parts, ({ toolCallId }) => answers[toolCallId]);
    expect(questions.map((each) => each.toolCallId)).toEqual(["a", "c", "d"]);
    expect(
      Object.values(outcomes)
        .map((each) => each.status)
        .sort(),
    ).toEqual(["denied", "ok", "ok", "ok"]);
  });

  it("covers, for the session, exactly the command", async () => {
    const parts = [run("a", "npm test"), run("b", "npm test"), run("c", "npm test -- --all")];
    const { questions } = await asked(parts, ({ toolCallId }) =>
      chose(toolCallId === "a" ? "allow_session" : "reject_once"),
    );
    expect(questions.map((each) => each.toolCallId)).toEqual(["a", "c"]);
  });

  it("allows nothing when it was not offered", async () => {
    const { outcomes } = await asked([write("a", "x"), write("b", "/tmp/x")], ({ toolCallId }) =>
      chose(toolCallId === "a" ? "allow_for_ever" : "allow_always"),
    );
    expect([outcomes.a?.status, outcomes.b?.status]).toEqual(["denied", "denied"]);
  });

  it("counts as a denial when it never comes, and the turn continues", async () => {
    const { outcomes, memory } = await asked([write("a", "x")], () => ({ outcome: "cancelled" }));
    expect(outcomes.a).toMatchObject({ status: "denied", text: expect.stringContaining("left unanswered") });
    expect(memory.facts("state_update").at(-1)).toMatchObject({ stopReason: "end_turn" });
  });
});

describe("a decision without a request", () => {
  it("denies where no person can be asked, and explains how to allow the call", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "x")), saying("done")],
      options: { permission_mode: "default" },
    });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.facts("permission_requested")).toEqual([]);
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({
      status: "denied",
      text: expect.stringContaining("nobody can be asked in this run; allow it with --allow or --permission-mode"),
    });
  });

  it("does not suggest a flag for what a rule has asked about", async () => {
    const memory = new MemorySession({
      script: [calling(call("a", "bash", { command: "mytool $x" })), saying("done")],
      tools: memoryTools(),
      options: { permission_mode: "allow-all", rules: { allow: [], deny: ["read(a.txt)"] } },
    });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    const text = "nobody can be asked in this run, and no --allow covers it";
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({ text: expect.stringContaining(text) });
  });

  it("does not suggest a flag for a call that is always asked about", async () => {
    const memory = new MemorySession({ script: [calling(run("a", "sudo ls")), saying("done")] });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    const text = memory.facts("tool_call_update").at(-1)?.outcome?.text;
    expect(text).toContain("asked in every mode, and nobody can be asked");
    expect(text).not.toContain("--allow");
  });

  it("row 25: never runs a call that was found in text, in any mode or by any rule", async () => {
    const found = { ...run("a", "npm test"), foundInText: true };
    const memory = new MemorySession({
      script: [calling(found), saying("done")],
      options: { rules: { allow: ["bash(npm test)"], deny: [] } },
    });
    memory.ports.asker.isThere = false;
    await memory.say("go");
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({
      status: "denied",
      text: expect.stringContaining(
        "It was written as plain text and may be a quotation; it runs a command; it is asked in every mode, and nobody can be asked in this run.",
      ),
    });
  });

  it("is made by a rule, which is named", async () => {
    const rules = { allow: ["bash(npm test)"], deny: ["write(*.lock)"] };
    const { outcomes, questions } = await asked(
      [run("a", "npm test"), write("b", "x.lock")],
      () => chose("allow_once"),
      { options: { rules } },
    );
    expect(questions).toEqual([]);
    expect([outcomes.a?.status, outcomes.b?.status]).toEqual(["ok", "denied"]);
    expect(outcomes.b?.text).toContain(
      "Denied: write x.lock. It is denied by the rule `write(*.lock)`.\nIt did not run.",
    );
  });

  it("is made after links are resolved", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "out/x"), call("b", "read", { file_path: "out/x" })), saying("done")],
      options: { permission_mode: "default" },
    });
    memory.ports.paths.real = (path) => path.replace("/work/out", "/etc");
    memory.ports.asker.onPermission = () => chose("reject_once");
    await memory.say("go");
    expect(memory.ports.asker.permissions.map((each) => each.reason).sort()).toEqual([
      "reads outside the workspace: /etc/x",
      "writes to a protected file: /work/out/x",
    ]);
  });

  it("accepts a workspace behind a link", async () => {
    const memory = new MemorySession({
      script: [calling(call("a", "read", { file_path: "x" }), write("b", "y")), saying("done")],
      options: { permission_mode: "accept-edits" },
      ports: { paths: { real: (path: string) => path.replace(/^\/work/, "/private/work") } },
    });
    await memory.say("go");
    expect(memory.facts("tool_call_update").filter((each) => each.outcome?.status === "denied")).toEqual([]);
  });
});

describe("an unreadable rule", () => {
  it("is reported, and if it is a deny rule harness asks about everything", async () => {
    const { memory, questions } = await asked([call("a", "read", { file_path: "x" })], () => chose("allow_once"), {
      options: { rules: { allow: ["((("], deny: ["bash("] } },
    });
    expect(memory.facts("notice")).toMatchObject([
      { severity: "warning", description: expect.stringContaining("`(((`") },
      { severity: "warning", description: expect.stringContaining("`bash(`") },
    ]);
    expect(questions).toHaveLength(1);
  });

  it.each(["shell(rm)", "bash(rm*)", "wri*", "write(../x)"])("makes every call ask when it is %s", async (text) => {
    const parts = [call("a", "read", { file_path: "x" })];
    const rules = { allow: [], deny: [text, "start_subagent", "*(secret)"] };
    const { memory, questions } = await asked(parts, () => chose("allow_once"), { options: { rules } });
    expect(memory.facts("notice")).toMatchObject([
      { severity: "warning", description: expect.stringContaining(`\`${text}\``) },
    ]);
    expect(questions).toHaveLength(1);
  });

  it("allows nothing when it is an allow rule", async () => {
    const rules = { allow: ["shell(ls)", "bash(npm*)"], deny: [] };
    const parts = [call("a", "read", { file_path: "x" }), run("b", "npm test")];
    const { memory, questions } = await asked(parts, () => chose("allow_once"), { options: { rules } });
    expect(memory.facts("notice")).toHaveLength(2);
    expect(questions.map((each) => each.toolCallId)).toEqual(["b"]);
  });
});

describe("a change of mode", () => {
  it("withdraws the open request and evaluates the call again", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "x"), write("b", "y")), saying("done")],
      options: { permission_mode: "default" },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    memory.session.setConfig({ permissionMode: "accept-edits" });
    await memory.session.idle();
    expect(memory.facts("permission_resolved")).toMatchObject([{ outcome: { outcome: "cancelled" }, by: "harness" }]);
    expect(
      memory
        .facts("tool_call_update")
        .filter((each) => each.outcome)
        .map((each) => each.outcome?.status),
    ).toEqual(["ok", "ok"]);
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("denies an open request when the new mode is stricter", async () => {
    const probe = {
      ...probeTool("probe", () => ({ status: "ok", text: "1", blocks: [] })),
      category: "destructive" as const,
    };
    const memory = new MemorySession({
      script: [calling(call("a", "probe", {})), saying("done")],
      tools: [probe],
      options: { permission_mode: "default" },
    });
    memory.prompt("go");
    await memory.untilFact((fact) => fact.sessionUpdate === "permission_requested");
    memory.session.setConfig({ permissionMode: "deny" });
    await memory.session.idle();
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({ status: "denied" });
  });
});

describe("an evaluated call", () => {
  const read = (id: string, path: string) => call(id, "read", { file_path: path });
  /** A tool that waits until the test releases it. */
  function heldProbe() {
    const { promise: held, resolve: open } = Promise.withResolvers<void>();
    const tool = probeTool("hold", async () => {
      await held;
      return { status: "ok", text: "1", blocks: [] };
    });
    return { tool, open };
  }

  it("is evaluated again when a link changes while it waits for its place", async () => {
    const { tool, open } = heldProbe();
    const holds = Array.from({ length: 8 }, (_, index) => call(`h${index}`, "hold", {}));
    const memory = new MemorySession({
      script: [calling(...holds, read("a", "link/x")), saying("done")],
      tools: [...memoryTools(new Map([["/work/link/x", "secret"]])), tool],
      options: { permission_mode: "default" },
    });
    memory.ports.asker.onPermission = () => chose("reject_once");
    memory.prompt("go");
    await memory.untilFact(
      (fact) => fact.sessionUpdate === "tool_call_update" && fact.toolCallId === "h7" && fact.status === "in_progress",
    );
    memory.ports.paths.real = (path) => path.replace("/work/link", "/etc");
    open();
    await memory.session.idle();
    expect(memory.ports.asker.permissions).toMatchObject([
      { toolCallId: "a", reason: "reads outside the workspace: /etc/x" },
    ]);
    expect(
      memory.facts("tool_call_update").find((each) => each.toolCallId === "a" && each.outcome)?.outcome,
    ).toMatchObject({ status: "denied" });
    expect(memory.states.live).toEqual(memory.states.folded);
  });

  it("is allowed for exactly what was asked, and for the session no less", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "link/x")), saying("done")],
      options: { permission_mode: "default" },
    });
    let real = "/work/src";
    memory.ports.paths.real = (path) => path.replace("/work/link", real);
    memory.ports.asker.onPermission = ({ reason }) => {
      real = "/work/lib";
      return chose(reason.includes("src") ? "allow_session" : "reject_once");
    };
    await memory.say("go");
    expect(memory.ports.asker.permissions.map((each) => each.reason)).toEqual([
      "writes src/x (through a link)",
      "writes lib/x (through a link)",
    ]);
    expect(memory.facts("tool_call_update").at(-1)?.outcome).toMatchObject({ status: "denied" });
  });

  it("is not allowed by an earlier answer when a deny rule matches its path", async () => {
    const memory = new MemorySession({
      script: [calling(write("a", "link/x")), saying("done")],
      options: { permission_mode: "default", rules: { allow: [], deny: ["write(lib)"] } },
    });
    let real = "/work/src";
    memory.ports.paths.real = (path) => path.replace("/work/link", real);
    memory.ports.asker.onPermission = () => {
      real = "/work/lib";
      return chose("allow_once");
    };
    await memory.say("go");
    expect(memory.facts("tool_call_update").at(-1)?.outcome?.text).toContain("It is denied by the rule `write(lib)`.");
  });

  it("stays allowed when the client that allowed it leaves", async () => {
    const left = new MemorySession({
      script: [calling(write("a", "x")), saying("done")],
      options: { permission_mode: "default" },
    });
    left.ports.asker.onPermission = () => {
      left.ports.asker.isThere = false;
      return chose("allow_once");
    };
    await left.say("go");
    expect(left.facts("tool_call_update").at(-1)?.outcome?.status).toBe("ok");
  });

  it("gets the real paths, also for its preview", async () => {
    const seen: [string, string][][] = [];
    const [, plain] = memoryTools();
    if (!plain) throw new Error("no write tool");
    const tool = {
      ...plain,
      preview: async (_args: unknown, _context: unknown, { realPaths }: { realPaths: ReadonlyMap<string, string> }) => {
        seen.push([...realPaths]);
        return [];
      },
      run: async (_args: unknown, _context: unknown, { realPaths }: { realPaths: ReadonlyMap<string, string> }) => {
        seen.push([...realPaths]);
        return { status: "ok" as const, text: "1", blocks: [] };
      },
    };
    const memory = new MemorySession({
      script: [calling(write("a", "link/x")), saying("done")],
      tools: [tool],
      options: { permission_mode: "default" },
    });
    memory.ports.paths.real = (path) => path.replace("/work/link", "/work/src");
    memory.ports.asker.onPermission = () => chose("allow_once");
    await memory.say("go");
    expect(seen).toEqual([[["/work/link/x", "/work/src/x"]], [["/work/link/x", "/work/src/x"]]]);
  });
});
