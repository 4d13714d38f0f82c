// Replays of what persons do in a session: modes, models, interrupts, goals, undo, skills, other processes, kills.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const plainServer = resolve(import.meta.dirname, "../../packages/mcp/test/servers/plain-server.ts");
const ok = turns.say("ok", { repeat: "always" as const });

type Reopening = { kill?: boolean; env?: Record<string, string>; more?: object };

class Recording {
  readonly sessionId: string;
  client: HarnessClient;
  process: Awaited<ReturnType<LiveServer["connect"]>>["process"];
  #prompts = 0;

  constructor(opened: Awaited<ReturnType<LiveServer["connect"]>>, sessionId: string) {
    this.client = opened.client;
    this.process = opened.process;
    this.sessionId = sessionId;
  }

  async talk(text: string): Promise<void> {
    const { seq } = await this.client.call("session/get", { sessionId: this.sessionId });
    this.#prompts += 1;
    const promptId = `p${this.#prompts}`;
    const { sessionId } = this;
    await this.client.call("session/prompt", { sessionId, promptId, prompt: say(text) });
    await live.until(
      ({ sessionId: id, seq: at = 0, agentId, update }) =>
        id === sessionId &&
        at > seq &&
        agentId === "main" &&
        update.sessionUpdate === "state_update" &&
        update.state === "idle",
    );
  }

  async command(name: string, args = ""): Promise<void> {
    await this.client.call("command/run", { sessionId: this.sessionId, name, args });
  }

  /** The session goes on in another process. */
  async reopen({ kill = false, env = {}, more = {} }: Reopening = {}): Promise<void> {
    if (kill) process.kill(this.process.pid ?? 0, "SIGKILL");
    else {
      await this.client.call("session/close", { sessionId: this.sessionId });
      await this.client.close();
    }
    if (kill) await this.process.exited;
    else await this.process.end(0);
    Object.assign(this, await live.connect(choose("allow_once"), env));
    await this.client.call("session/resume", { sessionId: this.sessionId, replay: { type: "none" }, ...more });
  }

  async replay() {
    await this.client.call("session/close", { sessionId: this.sessionId });
    return await this.client.call("session/replay", { sessionId: this.sessionId });
  }
}

async function record(
  script: Parameters<typeof LiveServer.start>[0],
  env: Record<string, string> = {},
  before?: () => void,
) {
  live = await LiveServer.start(script);
  mkdirSync(live.cwd);
  mkdirSync(live.home);
  writeFileSync(join(live.cwd, "AGENTS.md"), "# Rules\n");
  writeFileSync(join(live.cwd, "a.txt"), "one\n");
  before?.();
  const opened = await live.connect(choose("allow_once"), env);
  const { session } = await opened.client.call("session/new", { cwd: live.cwd });
  return new Recording(opened, session.sessionId);
}

function expectSame(replayed: Awaited<ReturnType<Recording["replay"]>>, requests: number): void {
  expect(replayed).toMatchObject({ differing: 0, differences: [], notes: [] });
  expect(replayed.requests).toBeGreaterThanOrEqual(requests);
  expect(replayed.exact).toBe(replayed.requests);
}

it("modes, models, effort and a goal are those of then", async () => {
  const recording = await record({
    turns: [turns.say('{"met":true,"why":"it is"}', { when: { lastUser: "A check by harness" } }), ok],
  });
  await recording.talk("one");
  await recording.command("plan");
  await recording.talk("two");
  await recording.command("agent");
  await recording.client.call("session/set_config_option", {
    sessionId: recording.sessionId,
    config: { model: "other" },
  });
  await recording.talk("three");
  const { seq } = await recording.client.call("session/get", { sessionId: recording.sessionId });
  await recording.command("goal", "be done");
  await live.idle(seq);
  expectSame(await recording.replay(), 4);
});

it("interrupts, undo and other processes, one of them killed", async () => {
  const recording = await record({
    turns: [
      turns.call("write", { file_path: "b.txt", content: "b\n" }),
      turns.say("Written."),
      turns.say("slow", { delayMs: 60_000 }),
      turns.call("read", { file_path: "a.txt" }),
      ok,
    ],
  });
  await recording.talk("write");
  const { seq } = await recording.client.call("session/get", { sessionId: recording.sessionId });
  await recording.client.call("session/prompt", {
    sessionId: recording.sessionId,
    promptId: "slow",
    prompt: say("slow"),
  });
  await live.until(({ seq: at = 0, update }) => at > seq && update.sessionUpdate === "user_message");
  await recording.client.call("session/cancel", { sessionId: recording.sessionId });
  await live.idle(seq);
  await recording.talk("read");
  writeFileSync(join(live.cwd, "a.txt"), "two\n");
  await recording.talk("and again");
  await recording.reopen({ kill: true });
  await recording.talk("after a kill");
  await recording.reopen();
  await recording.command("undo");
  await recording.talk("after an undo");
  expectSame(await recording.replay(), 7);
});

it("a session that is continued as another agent, with another model and other flags", async () => {
  const recording = await record({ turns: [turns.call("bash", { command: "touch b.txt" }), ok] }, {}, () => {
    mkdirSync(join(live.home, "agents"), { recursive: true });
    for (const name of ["one", "two"])
      writeFileSync(
        join(live.home, "agents", `${name}.md`),
        `---\nname: ${name}\ndescription: Is ${name}.\n---\nYou are agent ${name}.\n`,
      );
  });
  await recording.talk("as none");
  await recording.reopen({ more: { agent: "one" } });
  await recording.talk("as one");
  await recording.reopen({ more: { agent: "two", rules: { allow: ["bash"] }, customInstructions: "Be brief." } });
  await recording.talk("as two");
  await recording.reopen({ more: { config: { model: "other" } } });
  await recording.talk("as the last one");
  const sent = JSON.stringify(live.model.chatRequests.map(({ body }) => body));
  for (const text of ["You are agent one.", "You are agent two.", "Be brief."]) expect(sent).toContain(text);
  expectSame(await recording.replay(), 5);
});

it("forks, and what was said since a session has moved to another folder", async () => {
  const recording = await record({ turns: [turns.call("bash", { command: "touch b.txt" }), ok] });
  const { sessionId } = recording;
  await recording.talk("in the old place");
  const { session: fork } = await recording.client.call("session/fork", { sessionId });
  expectSame(await recording.replay(), 2);
  const moved = join(live.root, "moved");
  renameSync(live.cwd, moved);
  await expect(recording.client.call("session/replay", { sessionId })).rejects.toMatchObject({ kind: "folder_gone" });
  await recording.client.call("session/resume", { sessionId, cwd: moved });
  await recording.talk("in the new one");
  expect(await recording.replay()).toMatchObject({
    ...{ requests: 1, exact: 1, calls: 0, differing: 0 },
    notes: ["Not compared: 2 requests from before its folder changed."],
  });
  const resumed = await recording.client.call("session/resume", { sessionId: fork.sessionId, cwd: moved });
  Object.assign(recording, { sessionId: resumed.session.sessionId });
  await recording.talk("as a fork");
  expect(await recording.replay()).toMatchObject({
    ...{ requests: 1, exact: 1, differing: 0 },
    notes: [`Not compared: what it shares with session ${sessionId}, which it was forked from.`],
  });
});

it("a session of Markdown files, with a small window, a skill and tools that were found", async () => {
  const recording = await record(
    {
      turns: [
        turns.call("tool_search", { query: "send message agent" }),
        turns.call("skill", { name: "tidy" }),
        turns.call("shout", {}),
        ok,
      ],
    },
    {},
    () => {
      mkdirSync(join(live.home, ".claude/skills/tidy"), { recursive: true });
      mkdirSync(join(live.home, "tools"));
      const schema = JSON.stringify({ name: "shout", description: "Shouts.", input_schema: { type: "object" } });
      writeFileSync(join(live.home, "tools/shout"), `#!/bin/sh\necho '${schema}'\n`, { mode: 0o755 });
      writeFileSync(
        join(live.home, ".claude/skills/tidy/SKILL.md"),
        "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n",
      );
      const settings = { context_limit: 8192, session_format: "markdown" };
      writeFileSync(join(live.home, "settings.json"), JSON.stringify(settings));
    },
  );
  await recording.talk("one");
  await recording.talk("two");
  expectSame(await recording.replay(), 4);
});

it("MCP servers, pinned files, git, hooks and parallel agents, with the servers and files gone", async () => {
  const agents = [turns.say("Looked.", { repeat: "always" as const })];
  const recording = await record(
    {
      lanes: [
        { match: "look here", turns: agents },
        { match: "look there", turns: agents },
      ],
      turns: [
        turns.call("mcp__plain__echo", { words: "hello" }),
        turns.calls([
          ["agent", { task: "look here" }],
          ["agent", { task: "look there" }],
        ]),
        ok,
      ],
    },
    {},
    () => {
      const hook = (stage: string, name: string, script: string) => {
        mkdirSync(join(live.home, "hooks.d", stage), { recursive: true });
        writeFileSync(join(live.home, "hooks.d", stage, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      };
      hook("send", "05-add", "sed 's/You are harness/You are harness, or so/'");
      hook("tool_exec", "05-look", "cat >/dev/null; echo '{}'");
      const servers = { plain: { command: process.execPath, args: [plainServer] } };
      writeFileSync(join(live.home, "mcp.json"), JSON.stringify({ mcpServers: servers }));
      execFileSync("git", ["init", "-q", live.cwd]);
    },
  );
  await recording.command("add", "a.txt");
  await recording.talk("one");
  await recording.talk("two");
  rmSync(join(live.home, "mcp.json"));
  rmSync(join(live.cwd, "a.txt"));
  rmSync(join(live.cwd, ".git"), { recursive: true });
  const replayed = await recording.replay();
  expectSame(replayed, 6);
  expect(replayed.calls).toBe(3);
});
