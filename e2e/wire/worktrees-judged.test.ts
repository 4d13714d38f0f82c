// Exactly the judged changes of a worktree are applied: a real server process, real git.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { CallParams, Permission, ServerMethods } from "@harness/protocol";
import { type TurnInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
const PROTECTED = [".github/workflows/x.yml", "lefthook.yml", "sub/.husky/pre-commit", "sub/.vscode/tasks.json"];

describe.runIf(hasGit)("the changes of a worktree", () => {
  let live: LiveServer;
  let client: HarnessClient;
  let sessionId: string;
  let asked: Permission[];
  let prompts: number;
  /** Runs while a question is open. */
  let meanwhile: () => void;
  let answer: "allow_once" | "reject_once";

  afterEach(() => live.close());

  type Begin = Pick<CallParams<ServerMethods, "session/new">, "config" | "rules"> & {
    child?: TurnInput[];
    deaf?: true;
  };

  /** A session whose subagent has written `src/new.txt` in its worktree, and ended. */
  async function begin({ child = [], deaf, ...more }: Begin): Promise<void> {
    asked = [];
    prompts = 0;
    meanwhile = () => undefined;
    answer = "allow_once";
    const write = turns.call("write", { file_path: "src/new.txt", content: "new\n" });
    live = await LiveServer.start({
      lanes: [{ match: "work apart", perConversation: true, turns: [write, ...child, turns.say("Done.")] }],
      turns: [
        turns.call("start_subagent", { task: "work apart", worktree: true }),
        turns.say("I wait."),
        turns.say("Seen."),
      ],
    });
    mkdirSync(live.cwd);
    writeFileSync(join(live.cwd, "a.txt"), "one\n");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: live.cwd, encoding: "utf8" });
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    const onPermission: Parameters<LiveServer["connect"]>[0] = (call, signal) => {
      asked.push(call.permission);
      meanwhile();
      return choose(answer)(call, signal);
    };
    ({ client } = await live.connect(deaf ? undefined : onPermission));
    const config = { permissionMode: "allow-all" as const };
    ({ sessionId } = (await client.call("session/new", { cwd: live.cwd, config, ...more })).session);
    await prompt("go");
    asked = [];
  }

  async function prompt(text: string): Promise<void> {
    prompts += 1;
    const after = live.lastSeq;
    await client.call("session/prompt", { sessionId, promptId: `p${prompts}`, prompt: say(text) });
    await live.idle(after);
  }

  const worktree = () =>
    live.updates.flatMap(({ update }) => (update.sessionUpdate === "subagent_update" ? [update] : [])).at(-1)?.worktree;
  /** Something that still runs in the worktree, after its agent has ended. */
  function writeLate(names: readonly string[]): void {
    for (const name of names) {
      const path = join(worktree()?.path ?? "", name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "late\n");
    }
  }
  async function applied(): Promise<string> {
    const apply = turns.call("agent_changes", { agent: "agent-1", action: "apply" });
    live.model.setScenario({ turns: [apply, turns.say("That is it.")] });
    await prompt("apply it");
    const outcomes = live.updates.flatMap(({ agentId, update }) =>
      agentId === "main" && update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome] : [],
    );
    return outcomes.at(-1)?.text ?? "";
  }
  const inWorkspace = () =>
    readdirSync(live.cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes("/.git/"))
      .map(({ parentPath, name }) => join(parentPath, name).slice(live.cwd.length + 1))
      .sort();

  it("are those of the moment when they were judged: what comes while the question is open is not applied", async () => {
    await begin({ config: { permissionMode: "default" } });
    meanwhile = () => writeLate(PROTECTED);
    expect(await applied()).toBe("applied src/new.txt");
    expect(asked.map(({ reason }) => reason)).toEqual(["writes src/new.txt"]);
    expect(inWorkspace()).toEqual(["a.txt", "src/new.txt"]);
  });

  it("are judged as they are, not as they were when their agent ended", async () => {
    await begin({ config: { permissionMode: "accept-edits" } });
    writeLate(PROTECTED);
    answer = "reject_once";
    await applied();
    const [permission] = asked;
    expect(permission).toMatchObject({ reason: "writes to a protected file: .github/workflows/x.yml", risk: "high" });
    expect(
      permission?.effects.map((effect) => ("path" in effect ? effect.path.slice(live.cwd.length + 1) : "")),
    ).toEqual([...PROTECTED, "src/new.txt"]);
    expect(inWorkspace()).toEqual(["a.txt"]);
  });

  it("are denied as a whole where a rule denies one of them", async () => {
    await begin({ rules: { deny: ["write(deploy/**)"] } });
    writeLate(["deploy/prod.yml"]);
    expect(await applied()).toContain("is denied by the rule `write(deploy/**)`");
    expect(inWorkspace()).toEqual(["a.txt"]);
  });

  it("are judged and named whole where they are many, and nothing broad is offered for them", async () => {
    await begin({ config: { permissionMode: "accept-edits" } });
    writeLate([...Array.from({ length: 520 }, (_, n) => `a${n}.txt`), "lefthook.yml", "z/.husky/pre-commit"]);
    await applied();
    const [permission] = asked;
    expect(permission?.effects).toHaveLength(523);
    expect(permission?.notes).toContainEqual({
      kind: "warning",
      text: "of 523 files, these are protected, secret or outside: lefthook.yml, z/.husky/pre-commit",
    });
    expect(permission?.options.map(({ kind }) => kind)).toEqual(["allow_once", "reject_once"]);
    expect(permission?.preview.slice(0, 2)).toMatchObject([{ path: "lefthook.yml" }, { path: "z/.husky/pre-commit" }]);
    expect(inWorkspace()).toHaveLength(524);
  });

  it("are looked at once the processes of their agent have ended", async () => {
    const command = "while true; do echo more >> src/log.txt; sleep 0.05; done";
    await begin({ child: [turns.call("bash", { command, background: true })] });
    expect(await applied()).toMatch(
      /^applied src\/log\.txt\napplied src\/new\.txt\nIts process `while true;.*` was ended first\.$/,
    );
    const { processes } = await client.call("process/list", { sessionId });
    expect(processes.map(({ state }) => state)).toEqual(["stopped"]);
  });

  const byPerson = () => client.call("agents/worktree", { sessionId, agentId: "agent-1", action: "apply" });

  it("are applied for the person without a question where they are ordinary files", async () => {
    await begin({ config: { permissionMode: "default" } });
    expect(await byPerson()).toEqual({ done: true, text: "applied src/new.txt" });
    expect(asked).toEqual([]);
  });

  it("are confirmed by the person where some are protected, each by its name, and stay as they were then", async () => {
    await begin({ rules: { deny: ["write(deploy/**)"] } });
    writeLate([...PROTECTED, "deploy/prod.yml"]);
    answer = "reject_once";
    const { done, text } = await byPerson();
    expect([done, text]).toEqual([false, expect.stringContaining("Nothing was applied")]);
    for (const name of [...PROTECTED, "deploy/prod.yml"]) expect(asked.at(-1)?.reason).toContain(name);
    expect(asked.at(-1)).toMatchObject({ risk: "high", title: "apply the changes of agent-1 in 6 files" });
    answer = "allow_once";
    meanwhile = () => writeLate([".envrc"]);
    expect((await byPerson()).done).toBe(true);
    expect(inWorkspace()).toEqual([...PROTECTED, "a.txt", "deploy/prod.yml", "src/new.txt"].sort());
    expect(existsSync(join(live.cwd, ".envrc"))).toBe(false);
  });

  it("are not applied for a client that cannot show them, where some are protected", async () => {
    await begin({ deaf: true });
    writeLate(["lefthook.yml"]);
    const { done, text } = await byPerson();
    expect(done).toBe(false);
    expect(text).toContain("nobody is connected who could give it: lefthook.yml.");
    expect(inWorkspace()).toEqual(["a.txt"]);
  });
});
