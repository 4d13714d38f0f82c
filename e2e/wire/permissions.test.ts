// Rules that outlive sessions and the log of decisions, over the wire of a real server process.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Permission, SessionUpdate } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { answerOf, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
let asked: Permission[] = [];
afterEach(() => live.close());

const touch = (name: string) => turns.call("bash", { command: `touch ${name}` });

/** A session whose permission requests are all refused, and recorded. */
type Script = Parameters<typeof LiveServer.start>[0]["turns"];

async function start(...script: Exclude<Script, undefined>) {
  live = await LiveServer.start({ turns: script });
  asked = [];
  mkdirSync(live.cwd);
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission);
    const refusal = permission.options.find(({ kind }) => kind === "reject_once");
    return { outcome: "selected", optionId: refusal?.optionId ?? "" };
  });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  let last = 0;
  return {
    client,
    sessionId: session.sessionId,
    run: (name: string, args: string) =>
      answerOf(client.call("command/run", { sessionId: session.sessionId, name, args })),
    async prompt(text: string) {
      await client.call("session/prompt", { sessionId: session.sessionId, promptId: text, prompt: say(text) });
      last = (await live.idle(last)).seq ?? last;
    },
  };
}

const there = (name: string) => existsSync(join(live.cwd, name));
function put(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
}

describe("an answer that lasts, over the wire", () => {
  const kinds = ({ options }: Permission) => options.map(({ kind }) => kind);

  it("is offered only where the same call would not be asked again", async () => {
    const outside = ["cat ~/notes.txt", "cat ~/.ssh/id_rsa"].map((command) => turns.call("bash", { command }));
    const { prompt } = await start(...outside, touch("one"), turns.say("done"));
    await prompt("go");
    const [notes, key, plain] = asked.map((each) => ({ ...each, kinds: kinds(each) }));
    expect(notes).toMatchObject({ risk: "medium", kinds: ["allow_once", "allow_session", "reject_once"] });
    expect(notes?.notes?.some(({ kind }) => kind === "undo")).toBe(false);
    expect(key).toMatchObject({ risk: "high", kinds: ["allow_once", "reject_once"] });
    expect(plain?.options.map(({ name }) => name)).toEqual([
      "Yes, once",
      "Yes, and don't ask again in this session for this exact command",
      "Yes, and don't ask again for `touch …`",
      "No",
      "No, and never for `touch …`",
    ]);
  });

  it("is for exactly one line where the programs are the project's own", async () => {
    const line = "sh ./a.sh && ./b.sh < in.txt";
    const run = (command: string) => turns.call("bash", { command });
    const calls = [line, line, "./b.sh < other.txt"].map(run);
    live = await LiveServer.start({ turns: [...calls, turns.say("done")] });
    asked = [];
    mkdirSync(live.cwd);
    for (const name of ["a.sh", "b.sh"]) writeFileSync(join(live.cwd, name), "#!/bin/sh\n", { mode: 0o755 });
    for (const name of ["in.txt", "other.txt"]) writeFileSync(join(live.cwd, name), "");
    const { client } = await live.connect(async ({ permission }) => {
      asked.push(permission);
      return { outcome: "selected", optionId: asked.length === 1 ? "allow_always" : "reject_once" };
    });
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p", prompt: say("go") });
    await live.idle();
    expect(asked[0]?.options.find(({ kind }) => kind === "allow_always")).toMatchObject({
      name: "Yes, and don't ask again for exactly this command",
      covers: `exactly \`${line}\`, in this project`,
    });
    expect(asked.map(({ title }) => title)).toEqual([`bash ${line}`, "bash ./b.sh < other.txt"]);
  });

  it("holds for the same call, also in the next session", async () => {
    live = await LiveServer.start({ turns: [touch("a b"), turns.say("1"), touch("a b"), turns.say("2")] });
    asked = [];
    mkdirSync(live.cwd);
    const { client } = await live.connect(async ({ permission }) => {
      asked.push(permission);
      return { outcome: "selected", optionId: "allow_always" };
    });
    let last = 0;
    for (const promptId of ["p1", "p2"]) {
      const { session } = await client.call("session/new", { cwd: live.cwd });
      const { sessionId } = session;
      const over = live.until((each) => each.sessionId === sessionId && isIdle(each));
      await client.call("session/prompt", { sessionId, promptId, prompt: say("go") });
      last = (await over).seq ?? last;
    }
    expect(asked.map(kinds)).toHaveLength(1);
    expect([there("a"), there("b")]).toEqual([true, true]);
  });
});

const isIdle = ({ update }: SessionUpdate) => update.sessionUpdate === "state_update" && update.state === "idle";

describe("a policy rule over the wire", () => {
  it("can be added, applies to the next call, is listed, and can be removed", async () => {
    const { client, sessionId, prompt } = await start(
      touch("one"),
      turns.say("done"),
      touch("two"),
      turns.say("done"),
      touch("three"),
      turns.say("done"),
    );
    await prompt("before");
    expect([there("one"), asked.length]).toEqual([false, 1]);
    const { rule } = await client.call("permissions/add", {
      cwd: live.cwd,
      scope: "project",
      decision: "allow",
      rule: "bash(touch two)",
      why: "for the test",
    });
    expect(rule).toMatchObject({ decision: "allow", text: "bash(touch two)", scope: "project", why: "for the test" });
    await prompt("with the rule");
    expect([there("two"), asked.length]).toEqual([true, 1]);
    const list = await client.call("permissions/list", { sessionId });
    expect(list.rules).toContainEqual(rule);
    expect(list.projectPath).toMatch(/home\/projects\/[0-9a-f]{64}\.json$/);
    expect(list.userPath).toBe(join(live.home, "policies.json"));
    expect((await client.call("permissions/list", { cwd: live.cwd })).rules).toEqual([rule]);
    const ruleId = rule.ruleId ?? "";
    expect(await client.call("permissions/revoke", { sessionId, ruleId })).toEqual({ rule });
    expect(await client.call("permissions/revoke", { cwd: live.cwd, ruleId })).toEqual({});
    await client.call("permissions/add", { cwd: live.cwd, scope: "user", decision: "deny", rule: "bash(touch three)" });
    await prompt("denied");
    expect([there("three"), asked.length]).toEqual([false, 1]);
    expect(JSON.parse(readFileSync(join(live.home, "policies.json"), "utf8")).rules).toMatchObject([
      { decision: "deny", tool: "bash", argv: ["touch", "three"], source: "user" },
    ]);
  });

  it("is told apart from others about MCP tools, by the command as well", async () => {
    const { client, run } = await start(turns.say("done"));
    for (const rule of ["mcp(evil/get)", "mcp(db/drop)", "mcp(evil/*)"]) {
      expect(await run("permissions", `deny ${rule}`)).toMatch(`Added: deny ${rule}  (this project)`);
    }
    expect(await run("permissions", "revoke 2")).toMatch("Removed: deny mcp(db/drop)");
    const { rules } = await client.call("permissions/list", { cwd: live.cwd });
    expect(rules.map(({ text }) => text)).toEqual(["mcp(evil/get)", "mcp(evil/*)"]);
  });

  it.each([
    ["bash(", "cannot be read"],
    ["bash(npm test | tee x)", "shell syntax"],
    ["nothing(x)", "names an unknown tool"],
    ["*(x)", "needs a tool"],
  ])("is refused with a message: %s", async (rule, words) => {
    const { client } = await start(turns.say("done"));
    const add = client.call("permissions/add", { cwd: live.cwd, scope: "user", decision: "deny", rule });
    await expect(add).rejects.toMatchObject({ kind: "invalid_params", message: expect.stringContaining(words) });
  });

  it("makes every call ask, with a notice, when the rules cannot be read", async () => {
    const { client, sessionId, prompt, run } = await start(
      turns.call("ls", { path: "." }),
      turns.say("done"),
      turns.call("ls", { path: "." }),
      turns.say("done"),
    );
    await prompt("plain");
    expect(asked).toEqual([]);
    const path = join(live.home, "policies.json");
    put(path, '{"version":1,"rules":[{"decision":"deny"}],"extra":1}');
    await prompt("faulty");
    expect(asked).toHaveLength(1);
    const list = await client.call("permissions/list", { sessionId });
    expect(list).toMatchObject({ everythingAsks: true, problems: [expect.stringContaining(path), expect.any(String)] });
    expect(await run("permissions", "")).toMatch(
      /^Until this is repaired, harness asks about everything:\n.*policies\.json/,
    );
    expect(readFileSync(path, "utf8")).toContain('"extra"');
  });

  it("applies from the next call on when it comes from the settings", async () => {
    const allow = { allow: ["bash(touch)"], deny: [] };
    live = await LiveServer.start({ turns: [touch("one"), turns.say("done"), touch("two"), turns.say("done")] });
    mkdirSync(live.cwd);
    const { client } = await live.connect();
    const { session } = await client.call("session/new", { cwd: live.cwd, rules: allow });
    const { sessionId } = session;
    await client.call("session/prompt", { sessionId, promptId: "1", prompt: say("one") });
    const { seq } = await live.idle();
    expect(there("one")).toBe(true);
    put(join(live.cwd, ".tinyharness", "config.json"), { denied_command_prefixes: ["touch"] });
    await client.call("session/prompt", { sessionId, promptId: "2", prompt: say("two") });
    await live.idle(seq);
    expect(there("two")).toBe(false);
  });

  it("makes every call ask in every mode when it may be lost in unreadable settings", async () => {
    const { client, sessionId, prompt } = await start(touch("one"), turns.say("done"), touch("two"), turns.say("done"));
    await client.call("session/set_config_option", { sessionId, config: { permissionMode: "allow-all" } });
    await prompt("plain");
    expect(asked).toEqual([]);
    put(join(live.home, "settings.json"), { denied_command_prefixes: "touch" });
    await prompt("faulty");
    expect(asked).toMatchObject([{ reason: expect.stringContaining("settings that may deny cannot be read") }]);
    expect([there("one"), there("two")]).toEqual([true, false]);
    expect(await client.call("permissions/list", { cwd: live.cwd })).toMatchObject({
      everythingAsks: true,
      problems: [expect.stringContaining("denied_command_prefixes from")],
    });
  });

  it("can be edited by a slash command of every client", async () => {
    const { run } = await start(turns.say("done"));
    expect(await run("permissions", "")).toContain("No rules");
    expect(await run("permissions", "allow bash(npm test)")).toMatch(
      /^Added: allow bash\(npm test\) {2}\(this project\)\./,
    );
    expect(await run("permissions", "deny write(.env)")).toMatch(/^Added: deny write\(\.env\)/);
    const listed = await run("permissions", "list");
    expect(listed).toMatch(/1\. .*bash\(npm test\)[\s\S]*2\. deny write\(\.env\)/);
    // The name of the project's file has 64 digits, which mean nothing to people.
    expect(listed).not.toMatch(/[0-9a-f]{64}/);
    expect(await run("permissions", "revoke 7")).toBe(
      "There is no rule 7. /permissions lists them with their numbers.",
    );
    expect(await run("permissions", "revoke 1")).toMatch(/^Removed: allow bash\(npm test\)/);
    expect(await run("permissions", "")).not.toContain("npm test");
    expect(await run("permissions", "what")).toMatch(/^Type \/permissions/);
  });
});

describe("the audit log over the wire", () => {
  it("holds each decision, its decider and the outcome, and is emptied on request", async () => {
    const { client, sessionId, prompt, run } = await start(
      turns.call("ls", { path: "." }),
      touch("one"),
      turns.call("bash", { command: "echo sk-live-5e3b1f0c9d8a7b6c5d4e3f2a1b0c > x" }),
      turns.say("done"),
    );
    await prompt("go");
    const { entries, path, problems } = await client.call("audit/list", {});
    expect(problems).toEqual([]);
    expect(entries).toMatchObject([
      { sessionId, tool: "ls", verdict: "allowed", auto: true, status: "ok" },
      {
        sessionId,
        tool: "bash",
        text: "touch one",
        verdict: "denied",
        auto: false,
        by: expect.stringContaining("test"),
      },
      { sessionId, tool: "bash", verdict: "denied" },
    ]);
    expect(entries[0]?.durationMs).toBeGreaterThanOrEqual(0);
    expect(path).toBe(join(live.home, "audit.jsonl"));
    expect(readFileSync(path, "utf8")).not.toContain("5e3b1f0c9d8a");
    expect((await client.call("audit/list", { last: 1 })).entries).toHaveLength(1);
    expect((await client.call("audit/list", { sessionId: "nobody" })).entries).toEqual([]);
    expect(await run("audit", "last 1")).toMatch(/denied by a person \(test.*\): bash echo/);
    expect(await run("audit", "session")).toContain("allowed, as it only reads: ls");
    expect(await run("audit", "session nobody")).toBe("There are no permission decisions in session nobody yet.");
    expect(await run("audit", "last none")).toMatch(/^Type \/audit/);
    expect(await run("audit", "clear")).toBe("The audit log is empty: 3 entries were removed.");
    expect(await client.call("audit/clear", {})).toEqual({ removedEntries: 0 });
    expect(await run("audit", "")).toContain("There are no permission decisions yet.");
  });
});

describe("a command list", () => {
  it("is edited by /command, for the user only", async () => {
    const { client, run } = await start(turns.say("done"));
    const own = async (key: string) =>
      (await client.call("settings/get", { cwd: live.cwd })).settings.find((each) => each.key === key)?.value;
    expect(await run("command", "")).toMatch(/^Without asking \(the built-in list.*ls.*\nAlways denied: \(none\)/s);
    // Plain words that break between words, not inside, though one of them begins like a JSON list.
    expect(await run("command", "")).toMatch(/: \[, arch, awk, .*, git log, /);
    expect(await run("command", "")).not.toMatch(/cargo|glob/);
    expect(await run("command", "add npm  test")).toContain("begin with npm test run without asking");
    expect(await own("safe_command_prefixes")).toEqual(["npm test"]);
    expect(await run("command", "list")).toMatch(/ ls, .*\nYours: npm test\n/s);
    expect(await run("command", "add npm test")).toContain("already");
    expect(await run("command", "add npm test | sh")).toContain("shell syntax");
    for (const args of ["add npm *", "deny *", "deny npm*"])
      expect(await run("command", args)).toContain("shell syntax");
    expect(await run("command", "add sed -i")).toMatch(/^Nothing was saved: .*\/permissions allow bash\(sed -i\)/s);
    expect(await run("command", "add git log")).toContain("runs without asking already");
    expect(await own("safe_command_prefixes")).toEqual(["npm test"]);
    expect(await run("command", `deny ${"x".repeat(1001)}`)).toContain("too long");
    expect(await run("command", "rm ls")).toContain("harness asks about commands that begin with ls again");
    expect(await own("safe_command_prefixes")).toEqual(["npm test", "!ls"]);
    expect(await run("command", "list")).toMatch(/: (?:(?! ls,).)*\nYours: npm test\nAsked about again: ls\n/s);
    expect(await run("command", "rm ls")).toContain("not in the list");
    expect(await run("command", "add ls")).toContain("ls run without asking again");
    expect(await own("safe_command_prefixes")).toEqual(["npm test"]);
    expect(await run("command", "rm npm test")).toContain("harness asks about commands that begin with npm test again");
    expect(await own("safe_command_prefixes")).toBeNull();
    await run("command", "add npm test");
    expect(await run("command", "reset")).toContain("built-in list applies again");
    expect(await own("safe_command_prefixes")).toBeNull();
    put(join(live.cwd, ".harness", "settings.json"), { denied_command_prefixes: ["git push"] });
    expect(await run("command", "deny rm -rf")).toContain("always denied");
    expect(await own("denied_command_prefixes")).toEqual(["rm -rf", "git push"]);
    expect(await run("command", "undeny git push")).toContain("files of this project");
    expect(await run("command", "undeny rm -rf")).toContain("no longer denied");
    expect(await own("denied_command_prefixes")).toEqual(["git push"]);
    await run("command", "deny x");
    expect(await run("command", "resetdeny")).toContain("Your settings no longer deny any prefix.");
    for (const args of ["help", "add", "list more", "nonsense"])
      expect(await run("command", args)).toContain("/command list");
    expect(JSON.parse(readFileSync(join(live.home, "settings.json"), "utf8"))).toEqual({});
  });

  it("is switched off by /autoaccept", async () => {
    const { run } = await start(turns.say("done"));
    expect(await run("autoaccept", "")).toContain("run without asking");
    expect(await run("autoaccept", "off")).toBe("Safe commands run only after asking from now on.");
    expect(await run("autoaccept", "maybe")).toBe("Type /autoaccept on or /autoaccept off.");
    put(join(live.cwd, ".harness", "settings.json"), { auto_accept_safe_commands: false });
    expect(await run("autoaccept", "ON")).toMatch(/^Saved\. In this folder they still run only after asking/);
  });
});
