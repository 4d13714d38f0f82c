import type { Permission, PermissionOutcome } from "@harness/protocol";
import { call, calling, MemorySession, memoryTools, saying, usualGateSettings } from "@harness/testkit";
import { describe, expect, it } from "vitest";

const write = (id: string, path: string, tool = "write") => call(id, tool, { file_path: path, content: id });
const run = (id: string, command: string) => call(id, "bash", { command });
const chose = (optionId: string): PermissionOutcome => ({ outcome: "selected", optionId });

type TurnCalls = ReturnType<typeof call>[];

/** A session that makes these calls, one list per turn; `answers` by call. */
function sessionOf(turns: TurnCalls[], answers: Record<string, string>, mode: "default" | "accept-edits" = "default") {
  const [plainRead, plainWrite, bash] = memoryTools();
  if (!plainRead || !plainWrite || !bash) throw new Error("no tools");
  const memory = new MemorySession({
    script: turns.flatMap((parts) => [calling(...parts), saying("done")]),
    tools: [plainRead, plainWrite, { ...plainWrite, name: "edit" }, bash],
    options: { permission_mode: mode },
  });
  const asked: string[] = [];
  const requests: Permission[] = [];
  memory.ports.asker.onPermission = (permission) => {
    asked.push(permission.toolCallId);
    requests.push(permission);
    return chose(answers[permission.toolCallId] ?? "reject_once");
  };
  return { memory, asked, requests };
}

const kinds = (request: Permission | undefined) => request?.options.map(({ kind }) => kind);

describe("an answer for the turn", () => {
  const parts = [
    write("a", "x"),
    write("b", "y", "edit"),
    write("c", ".env"),
    write("d", ".git/config"),
    write("e", "/srv/z"),
    run("f", "npm test"),
  ];

  it("covers all changes of ordinary files of the workspace, by any tool, and nothing else", async () => {
    const { memory, asked } = sessionOf([parts], { a: "allow_turn" });
    await memory.say("go");
    expect(asked).toEqual(["a", "c", "d", "e", "f"]);
  });

  it("ends with the turn", async () => {
    const { memory, asked } = sessionOf([[write("a", "x"), write("b", "y")], [write("g", "x")]], { a: "allow_turn" });
    let during: string[] = [];
    memory.ports.asker.onPermission = (permission) => {
      asked.push(permission.toolCallId);
      return chose("allow_turn");
    };
    memory.ports.audit.ended = () => {
      during = memory.session.rules().rules.map(({ scope, text }) => `${scope} ${text}`);
    };
    await memory.say("go");
    expect(during).toEqual(["turn *: changes to ordinary files in the workspace"]);
    expect(memory.session.rules().rules).toEqual([]);
    await memory.say("again");
    expect(asked).toEqual(["a", "g"]);
  });

  it("is offered for such changes only", async () => {
    const { memory, requests } = sessionOf([parts], {});
    await memory.say("go");
    const offered = requests
      .filter((request) => kinds(request)?.includes("allow_turn"))
      .map(({ toolCallId }) => toolCallId);
    expect(offered).toEqual(["a", "b"]);
  });
});

describe("a kept rule about paths", () => {
  it("starts from the top of the project, wherever in it the session is", async () => {
    const { memory, asked, requests } = sessionOf([[write("a", "x/y"), write("b", "x/z")]], { a: "allow_always" });
    Object.assign(memory.ports.policies, { base: "/" });
    await memory.say("go");
    expect(requests[0]?.options.find(({ kind }) => kind === "allow_always")?.name).toContain("`write` under work/x/");
    expect(memory.ports.policies.set.rules.map(({ rule }) => rule.path)).toEqual(["work/x/**"]);
    expect(asked).toEqual(["a"]);
  });
});

describe("a kept answer for the session", () => {
  it("is listed and can be revoked", async () => {
    const { memory, asked } = sessionOf([[run("a", "npm test")], [run("b", "npm test")], [run("c", "npm test")]], {
      a: "allow_session",
    });
    await memory.say("one");
    const [rule] = memory.session.rules().rules;
    expect(rule).toMatchObject({
      ruleId: "answer-1",
      decision: "allow",
      scope: "session",
      text: "bash: exactly this command: npm test",
      where: "given in this session",
    });
    await memory.say("two");
    expect(asked).toEqual(["a"]);
    expect(memory.session.revoke("answer-1")).toEqual(rule);
    expect(memory.session.revoke("answer-1")).toBeUndefined();
    await memory.say("three");
    expect(asked).toEqual(["a", "c"]);
  });
});

describe("an answer for always", () => {
  it("keeps one rule for each command of a line, as it was shown", async () => {
    const { memory, asked, requests } = sessionOf(
      [
        [
          run("a", "npm run build --fast && make test"),
          run("b", "make test; npm run build"),
          run("c", "npm run other"),
        ],
      ],
      { a: "allow_always" },
    );
    await memory.say("go");
    expect(requests[0]?.options.find(({ kind }) => kind === "allow_always")?.name).toBe(
      "Yes, and don't ask again for `npm run build …` and `make test …`",
    );
    expect(memory.ports.policies.set.rules.map(({ rule }) => [rule.decision, rule.tool, rule.argv])).toEqual([
      ["allow", "bash", ["npm", "run", "build"]],
      ["allow", "bash", ["make", "test"]],
    ]);
    expect(memory.ports.policies.set.rules[0]?.rule).toMatchObject({ source: "answer", created: expect.any(String) });
    expect(asked).toEqual(["a", "c"]);
    expect(memory.session.rules().rules).toMatchObject([
      { text: "bash(npm run build)", scope: "project", where: "/policies.json", ruleId: "kept-1" },
      { text: "bash(make test)", scope: "project" },
    ]);
  });

  it("keeps a rule for a folder, or for the file alone at the top of the workspace", async () => {
    const { memory, asked } = sessionOf(
      [[write("a", "src/x"), write("b", "src/deep/y"), write("c", "top"), write("d", "lib/top"), write("e", "top")]],
      { a: "allow_always", c: "allow_always" },
    );
    await memory.say("go");
    expect(memory.ports.policies.set.rules.map(({ rule }) => rule.path)).toEqual(["src/**", "/work/top"]);
    expect(asked).toEqual(["a", "c", "d"]);
  });

  it("denies permanently, with the rule that was shown", async () => {
    const { memory, asked } = sessionOf([[run("a", "npm publish-it x"), run("b", "ls && npm publish-it")]], {
      a: "reject_always",
    });
    await memory.say("go");
    expect(memory.ports.policies.set.rules).toMatchObject([
      { rule: { decision: "deny", argv: ["npm", "publish-it"] } },
    ]);
    expect(memory.ports.policies.set.rules[0]?.rule).not.toHaveProperty("not_match");
    expect(asked).toEqual(["a"]);
    expect(
      memory.facts("tool_call_update").find((each) => each.toolCallId === "b" && each.outcome)?.outcome?.text,
    ).toContain("It is denied by the rule `bash(npm publish-it)`.");
  });

  it("allows only once when it cannot be saved, and says why", async () => {
    const { memory, asked } = sessionOf([[run("a", "npm test"), run("b", "npm test")]], { a: "allow_always" });
    memory.ports.policies.full = "The disk is full.";
    await memory.say("go");
    expect(asked).toEqual(["a", "b"]);
    expect(memory.facts("notice")).toMatchObject([
      {
        severity: "warning",
        title: "The rule was not saved.",
        description: "The disk is full. The call is allowed this time.",
      },
    ]);
    const statuses = memory.facts("tool_call_update").flatMap(({ outcome }) => (outcome ? [outcome.status] : []));
    expect(statuses.sort()).toEqual(["denied", "ok"]);
  });

  it("allows only once, and says so, when another rule was saved than the one that was shown", async () => {
    const { memory, asked } = sessionOf([[run("a", "npm test"), run("b", "npm test")]], { a: "allow_always" });
    const { policies } = memory.ports;
    policies.keep = () => ({
      kept: [{ ruleId: "k", rule: { decision: "allow", tool: "bash", argv: ["make"] }, scope: "project", path: "/p" }],
    });
    await memory.say("go");
    expect(asked).toEqual(["a", "b"]);
    expect(memory.facts("notice")).toMatchObject([
      { title: "The rule was not saved.", description: expect.stringContaining("`allow bash(npm test)`") },
    ]);
  });

  it.each([
    "node -e 1",
    "bash -c ls",
    "python3",
    "cat x | python3 -m y",
    "make -C ..",
    "make -C/etc",
    "kill 123",
    "cp a /w2/b",
    "find . -name x -newer y -fls z",
    "xargs ls",
    "ssh host ls",
    "docker run x",
    "npm test > out",
    "npm test $(ls)",
    "X=1 npm test",
    "npm test && rm x",
    "npm test | sh",
  ])("is not offered for %s", async (command) => {
    const { memory, requests } = sessionOf([[run("a", command)]], {});
    await memory.say("go");
    expect(kinds(requests[0])).not.toContain("allow_always");
    expect(kinds(requests[0])).not.toContain("reject_always");
  });

  it.each([
    ["python3 -m unittest tests.cart", ["python3 -m unittest -v"], ["python3 -m http.server", "python3 -c 1"]],
    ["python3 main.py", ["python3 main.py"], ["python3 main.py x", "python3 other.py"]],
    ["make -j2 all", ["make -j2 all"], ["make -j2", "make -j2 all x", "cd sub && make -j2 all"]],
    [
      "mkdir -p out && cp a.txt out/",
      ["mkdir -p out && cp a.txt out/"],
      ["cp a.txt out/", "mkdir -p out && cp b out/"],
    ],
    ["gcc -o main main.c", ["gcc -o main main.c"], ["gcc -o other main.c"]],
    ["ls && make", ["ls && make"], ["ls && make all"]],
  ])("after it on %s, exactly what was said runs", async (seen, covered, asked) => {
    const lines = [seen, ...covered, ...asked];
    const { memory, asked: ids } = sessionOf([lines.map((line, at) => run(`c${at}`, line))], { c0: "allow_always" });
    await memory.say("go");
    expect(ids).toEqual(["c0", ...asked.map((_, at) => `c${at + 1 + covered.length}`)]);
  });

  it("is not offered for a request that was too long to read", async () => {
    const [, plainWrite] = memoryTools();
    if (!plainWrite) throw new Error("no tools");
    const memory = new MemorySession({
      script: [calling(write("a", "src/x")), saying("done")],
      tools: [{ ...plainWrite, preview: async () => [{ type: "text", text: "x".repeat(10_001) }] }],
      options: { permission_mode: "default" },
    });
    memory.ports.asker.onPermission = () => chose("reject_once");
    await memory.say("go");
    expect(kinds(memory.ports.asker.permissions[0])).toEqual([
      "allow_once",
      "allow_turn",
      "allow_session",
      "reject_once",
    ]);
  });

  it("is not offered where a rule asks each time", async () => {
    const { memory, requests } = sessionOf([[run("a", "npm test")]], {});
    const rule = { decision: "ask" as const, tool: "bash", argv: ["npm"] };
    memory.ports.policies.set = {
      ...memory.ports.policies.set,
      rules: [{ ruleId: "k", rule, scope: "user", path: "/p" }],
      version: "1",
    };
    await memory.say("go");
    expect(kinds(requests[0])).toEqual(["allow_once", "reject_once"]);
    expect(requests[0]?.reason).toBe("runs a command; the rule `bash(npm)` asks each time");
  });
});

describe("a settings file", () => {
  it("makes every call ask in every mode while it cannot be read, and no answer is kept", async () => {
    const unreadable = ["settings.json is not valid JSON."];
    const bash = memoryTools().filter(({ name }) => name === "bash");
    const memory = new MemorySession({
      script: [calling(run("a", "npm test")), saying("done"), calling(run("b", "npm test")), saying("done")],
      tools: bash,
      options: { permission_mode: "allow-all", rules: { allow: ["bash"], deny: [] } },
      ports: { gateSettings: () => ({ ...usualGateSettings(), unreadable }) },
    });
    const requests: Permission[] = [];
    memory.ports.asker.onPermission = (permission) => {
      requests.push(permission);
      return chose("allow_once");
    };
    await memory.say("go");
    expect(requests).toMatchObject([
      { reason: "runs a command; settings that may deny cannot be read, so harness asks about everything" },
    ]);
    expect(kinds(requests[0])).toEqual(["allow_once", "reject_once"]);
    expect(memory.facts("notice")).toMatchObject([{ severity: "warning", description: unreadable[0] }]);
    expect(memory.session.rules()).toMatchObject({ problems: unreadable, everythingAsks: true });
    unreadable.length = 0;
    await memory.say("again");
    expect(requests).toHaveLength(1);
  });
});

describe("advice about rules", () => {
  it("is shown with the first call that follows it", async () => {
    const { memory } = sessionOf([[run("a", "ls")], [run("b", "ls")]], {});
    const advice = { title: "Check your rules.", description: "Some may be missing." };
    const due = [advice];
    Object.assign(memory.ports.policies, { advice: () => due.pop() });
    await memory.say("one");
    await memory.say("two");
    expect(memory.facts("notice")).toMatchObject([{ severity: "warning", ...advice }]);
  });
});

describe("a policy file", () => {
  it("makes every call ask while it is invalid, and people are notified", async () => {
    const { memory, asked } = sessionOf(
      [[write("a", "x"), call("b", "read", { file_path: "x" }), run("c", "ls")]],
      {},
      "accept-edits",
    );
    memory.ports.policies.set = {
      rules: [],
      problems: ["policies.json is not JSON."],
      everythingAsks: true,
      version: "1",
    };
    await memory.say("go");
    expect(asked.sort()).toEqual(["a", "b", "c"]);
    expect(memory.facts("notice")).toMatchObject([{ severity: "warning", description: "policies.json is not JSON." }]);
    expect(memory.session.rules()).toMatchObject({ everythingAsks: true, problems: ["policies.json is not JSON."] });
  });

  it("applies from the next call on after a change", async () => {
    const { memory, asked } = sessionOf([[run("a", "npm test")], [run("b", "npm test")]], { a: "allow_once" });
    await memory.say("one");
    const rule = { decision: "allow" as const, tool: "bash", argv: ["npm", "test"] };
    memory.ports.policies.set = {
      rules: [{ ruleId: "k", rule, scope: "user", path: "/p" }],
      problems: [],
      everythingAsks: false,
      version: "2",
    };
    await memory.say("two");
    expect(asked).toEqual(["a"]);
  });
});
