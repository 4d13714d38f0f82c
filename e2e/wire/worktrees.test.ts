// A subagent that works apart, in its own git worktree: a real server process, real git.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { Permission } from "@harness/protocol";
import { type TurnInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.runIf(hasGit)("a subagent in a worktree of its own", () => {
  let live: LiveServer;
  let client: HarnessClient;
  let sessionId: string;
  let asked: Permission[];
  let prompts: number;
  let pid: number;
  const start = turns.call("start_subagent", { task: "change a.txt", worktree: true });
  const path = (name: string) => join(live.cwd, name);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: live.cwd, encoding: "utf8" });

  afterEach(() => live.close());

  async function begin(child: TurnInput[], main: TurnInput[], isRepository = true): Promise<void> {
    asked = [];
    prompts = 0;
    live = await LiveServer.start({
      lanes: [{ match: "change a.txt", perConversation: true, turns: child }],
      turns: [start, turns.say("I wait."), ...main],
    });
    mkdirSync(live.cwd);
    writeFileSync(path("a.txt"), "one\ntwo\nthree\n");
    if (isRepository) {
      git("init", "-q", "-b", "main");
      git("add", "-A");
      git("commit", "-q", "-m", "first");
    }
    writeFileSync(path("open.txt"), "not committed\n");
    const once = choose("allow_once");
    const connected = await live.connect((call, signal) => {
      asked.push(call.permission);
      return once(call, signal);
    });
    client = connected.client;
    pid = connected.process.pid ?? Number.NaN;
    ({ sessionId } = (
      await client.call("session/new", { cwd: live.cwd, config: { permissionMode: "allow-all" } })
    ).session);
  }

  async function prompt(text: string): Promise<void> {
    prompts += 1;
    const after = live.lastSeq;
    await client.call("session/prompt", { sessionId, promptId: `p${prompts}`, prompt: say(text) });
    await live.idle(after);
  }

  /** The last fact about the subagent. */
  const last = () =>
    live.updates.flatMap(({ update }) => (update.sessionUpdate === "subagent_update" ? [update] : [])).at(-1);
  const outcomes = (agent: "main" | "child") =>
    live.updates.flatMap(({ agentId, update }) =>
      (agentId === "main") === (agent === "main") && update.sessionUpdate === "tool_call_update" && update.outcome
        ? [update.outcome]
        : [],
    );
  const run = async (args: string) => (await client.call("command/run", { sessionId, name: "worktree", args })).text;
  const change = [
    turns.call("read", { file_path: "a.txt" }),
    turns.call("edit", { file_path: "a.txt", old_string: "two", new_string: "TWO" }),
    turns.call("write", { file_path: "made.txt", content: "made\n" }),
  ];

  it("changes files there alone; its diff reaches the parent; the person applies it to files that went on, and undoes it", async () => {
    await begin(
      [...change, turns.call("bash", { command: "cat open.txt && pwd" }), turns.say("Done.")],
      [turns.say("Seen.")],
    );
    await prompt("go");
    const agentId = last()?.childAgentId ?? "";
    const worktree = last()?.worktree;
    expect(worktree).toMatchObject({
      state: "open",
      files: 2,
      added: 2,
      removed: 1,
      branch: expect.stringMatching(/^harness\/w_/),
    });
    expect(outcomes("child").map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(outcomes("child").at(-1)?.text).toContain(`not committed\n${worktree?.path}`);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    const told = JSON.stringify(live.model.chatRequests.at(-1)?.body);
    for (const words of ["modify a.txt +1 −1", "create made.txt +1 −0", "+TWO", `\\"agent\\":\\"${agentId}`])
      expect(told).toContain(words);
    expect(await run("")).toContain(`${agentId} (completed): 2 changed files, +2 −1`);
    expect(await run(`diff ${agentId}`)).toContain("-two\n+TWO");
    writeFileSync(path("a.txt"), "ONE\ntwo\nthree\n");
    const applied = await client.call("agents/worktree", { sessionId, agentId, action: "apply" });
    expect(applied).toEqual({ done: false, text: expect.stringContaining("a.txt: the same lines were changed") });
    expect(existsSync(path("made.txt"))).toBe(false);
    writeFileSync(path("a.txt"), "one\ntwo\nthree\nfour\nfive\nsix\n");
    expect(await run(`apply ${agentId}`)).toBe("merged a.txt\napplied made.txt");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\nTWO\nthree\nfour\nfive\nsix\n");
    await live.until(
      ({ update }) => update.sessionUpdate === "subagent_update" && update.worktree?.state === "applied",
    );
    expect(existsSync(worktree?.path ?? "")).toBe(false);
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(await run(`apply ${agentId}`)).toContain("were already applied");
    await client.call("session/undo", { sessionId });
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\ntwo\nthree\nfour\nfive\nsix\n");
    expect(existsSync(path("made.txt"))).toBe(false);
  });

  it("is asked about before it writes in the workspace itself, which is outside for it", async () => {
    await begin([], []);
    const write = turns.call("write", { file_path: path("b.txt"), content: "x" });
    live.model.setScenario({
      lanes: [{ match: "change a.txt", perConversation: true, turns: [write, turns.say("Done.")] }],
      turns: [start, turns.say("I wait."), turns.say("Seen.")],
    });
    await prompt("go");
    expect(asked.map(({ reason }) => reason)).toEqual([`writes outside the workspace: ${path("b.txt")}`]);
    expect(last()?.output).toContain("It changed no files; its worktree was removed.");
    expect(last()?.worktree?.state).toBe("dropped");
    expect(git("branch", "--list").trim()).toBe("* main");
  });

  it("has what it changed applied by its parent, whose turn has it as its own change", async () => {
    await begin([...change, turns.say("Done.")], [turns.say("I ask the person first.")]);
    await prompt("go");
    const apply = turns.call("agent_changes", { agent: last()?.childAgentId ?? "", action: "apply" });
    live.model.setScenario({ turns: [apply, turns.say("Applied.")] });
    await prompt("apply it");
    expect(outcomes("main").at(-1)).toMatchObject({ status: "ok", text: "applied a.txt\napplied made.txt" });
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\nTWO\nthree\n");
    await client.call("session/undo", { sessionId });
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("is refused with a sentence if the workspace is not a repository", async () => {
    await begin([turns.say("Done.")], [], false);
    await prompt("go");
    expect(outcomes("main")[0]).toMatchObject({
      status: "error",
      text: expect.stringContaining("The workspace is not a git repository. A subagent cannot have its own worktree"),
    });
    expect(last()).toBeUndefined();
  });

  it("leaves it behind when the program is killed: it is listed again, can be applied, and goes with its session", async () => {
    await begin([...change.slice(0, 2), turns.fail({ kind: "hang" })], [turns.say("Seen.")]);
    void client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("go") }).catch(() => undefined);
    await live.model.hanging();
    process.kill(pid, "SIGKILL");
    const { worktree, childAgentId: agentId = "" } = last() ?? {};
    ({ client } = await live.connect());
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
    const { agents } = await client.call("agents/list", { sessionId });
    expect(agents[1]).toMatchObject({
      agentId,
      state: "interrupted",
      worktree: { state: "open", path: worktree?.path },
    });
    expect(await run("")).toContain(`${agentId} (interrupted): not counted yet, in ${worktree?.path}`);
    expect(await run(`diff ${agentId}`)).toContain("+TWO");
    expect(await run(`apply ${agentId}`)).toBe("applied a.txt");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\nTWO\nthree\n");
  });

  it("is shared by those that its agent starts, which are refused one of their own, and has their changes as well", async () => {
    await begin([], []);
    const deeper = (args: object) => turns.call("agent", { task: "deeper: change a.txt and b.txt", ...args });
    const edit = turns.call("edit", { file_path: "a.txt", old_string: "TWO", new_string: "DEEP" });
    const write = turns.call("write", { file_path: "deep/b.txt", content: "b\n" });
    const apply = turns.call("agent_changes", { agent: "agent-2", action: "apply" });
    live.model.setScenario({
      lanes: [
        {
          match: { firstUser: "deeper: change" },
          perConversation: true,
          turns: [
            turns.call("bash", { command: "pwd && cat a.txt open.txt" }),
            turns.call("read", { file_path: "a.txt" }),
            edit,
            write,
            turns.say("Done below."),
          ],
        },
        {
          match: "change a.txt",
          perConversation: true,
          turns: [
            ...change.slice(0, 2),
            deeper({ worktree: true }),
            deeper({ worktree: false }),
            apply,
            turns.call("bash", { command: "cat a.txt deep/b.txt" }),
            turns.say("Done."),
          ],
        },
      ],
      turns: [start, turns.say("I wait."), turns.say("Seen.")],
    });
    await prompt("go");
    const of = (agentId: string) =>
      live.updates.flatMap(({ agentId: id, update }) =>
        id === agentId && update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
      );
    const { worktree } = last() ?? {};
    expect(asked).toEqual([]);
    expect(of("agent-1").map(({ status }) => status)).toEqual(["ok", "ok", "error", "ok", "error", "ok"]);
    expect(of("agent-1")[2]?.text).toContain("You are in a worktree yourself: start it without `worktree`.");
    expect(of("agent-1")[3]?.text).toContain("Done below.");
    expect(of("agent-1")[4]?.text).toContain("There is no agent `agent-2` with a worktree.");
    expect(of("agent-1")[5]?.text).toContain("one\nDEEP\nthree\nb");
    expect(of("agent-2").map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(of("agent-2")[0]?.text).toContain(`${worktree?.path}\none\nTWO\nthree\nnot committed`);
    expect(worktree).toMatchObject({ state: "open", files: 2, added: 2, removed: 1 });
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\ntwo\nthree\n");
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(2);
    expect(await run("apply agent-1")).toBe("applied a.txt\napplied deep/b.txt");
    expect(readFileSync(path("deep/b.txt"), "utf8")).toBe("b\n");
    expect(readFileSync(path("a.txt"), "utf8")).toBe("one\nDEEP\nthree\n");
  });

  it("goes with its session, from the repository as well", async () => {
    await begin([...change, turns.say("Done.")], [turns.say("Seen.")]);
    await prompt("go");
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(2);
    await client.call("session/delete", { sessionId, now: true });
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(git("branch", "--list").trim()).toBe("* main");
  });
});
