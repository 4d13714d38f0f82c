// Slash commands in Markdown files: a real server over stdio, a scripted model over HTTP, files in other programs'
// formats.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PermissionOption, UpdateOf } from "@harness/protocol";
import { type TurnInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

type Body = { model: string; messages: { role: string; content: string }[]; tools?: { function: { name: string } }[] };
const bodies = () => live.model.chatRequests.map(({ body }) => body as Body);
const lastUser = () =>
  bodies()
    .at(-1)
    ?.messages.findLast(({ role }) => role === "user")?.content ?? "";
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};

async function start(...script: TurnInput[]) {
  live = await LiveServer.start({ turns: [...script, turns.say("ok", { repeat: "always" })] });
  mkdirSync(join(live.cwd, ".git"), { recursive: true });
  const answers: PermissionOption["kind"][] = [];
  const asked: string[] = [];
  const whileAsked: { work?: () => Promise<unknown> } = {};
  const { client } = await live.connect(async ({ permission }) => {
    asked.push(permission.title);
    await whileAsked.work?.();
    const kind = answers.shift() ?? "reject_once";
    const option = permission.options.find((each) => each.kind === kind);
    return option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
  });
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  const run = async (name: string, args = "") => {
    const { seq } = await client.call("session/get", { sessionId });
    const answer = await client.call("command/run", { sessionId, name, args });
    await live.idle(seq);
    return answer;
  };
  const refusalOf = (name: string) =>
    client.call("command/run", { sessionId, name, args: "" }).then(
      () => "taken",
      ({ message }: Error) => message,
    );
  const listed = async () => {
    const { commands, unused } = await client.call("commands/list", { cwd: live.cwd });
    return { commands: commands.filter(({ origin }) => origin), unused };
  };
  const trust = async () => {
    const { hash } = await client.call("trust/get", { cwd: live.cwd });
    await client.call("trust/set", { cwd: live.cwd, hash, decision: "trust" });
  };
  return { client, sessionId, run, refusalOf, listed, trust, answers, asked, whileAsked };
}

const updatesOf = <K extends "user_message" | "tool_call_update">(kind: K) =>
  live.updates.flatMap(({ update }) => (update.sessionUpdate === kind ? [update as UpdateOf<K>] : []));

describe("a slash command of a Markdown file", () => {
  it("is found in the folders of harness, Claude Code and Codex, at every look", async () => {
    const { listed } = await start();
    const review = put(
      join(live.home, ".claude/commands/review.md"),
      "---\ndescription: Reviews a change.\nargument-hint: [number]\n---\nReview $1.",
    );
    const component = put(
      join(live.home, ".harness/commands/frontend/component.md"),
      "Write the component $ARGUMENTS.",
    );
    const codex = put(join(live.home, ".codex/prompts/draft.md"), "Draft it.");
    expect((await listed()).commands).toEqual([
      {
        name: "draft",
        description: "Draft it.",
        needsSession: true,
        startsTurn: true,
        origin: { kind: "markdown", owner: "person", from: codex },
      },
      {
        name: "frontend:component",
        description: "Write the component $ARGUMENTS.",
        needsSession: true,
        startsTurn: true,
        origin: { kind: "markdown", owner: "person", from: component },
      },
      {
        name: "review",
        description: "Reviews a change.",
        argumentHint: "[number]",
        needsSession: true,
        startsTurn: true,
        origin: { kind: "markdown", owner: "person", from: review },
      },
    ]);
    rmSync(review);
    put(codex, "---\ndescription: Another one.\n---\nDraft it.");
    expect((await listed()).commands.map(({ name, description }) => [name, description])).toEqual([
      ["draft", "Another one."],
      ["frontend:component", "Write the component $ARGUMENTS."],
    ]);
  });

  it("tells the agent what it says, with arguments and mentioned files; people see what they have typed", async () => {
    const { run } = await start();
    put(join(live.cwd, "style.md"), "No tabs.\n");
    put(join(live.home, ".claude/commands/review.md"), "Review $1 for $2, by @style.md.");
    const { turnId } = await run("REVIEW", '12 "dead code"');
    expect(turnId).toMatch(/./);
    expect(lastUser()).toMatch(
      /^\/review 12 "dead code"\n\nReview 12 for dead code, by @style\.md\.\n\n<file path="style\.md">\nNo tabs\.\n<\/file>/,
    );
    expect(updatesOf("user_message")[0]?.content).toEqual([{ type: "text", text: '/review 12 "dead code"' }]);
    expect(live.updates.find(({ update }) => update.sessionUpdate === "session_info_update")?.update).toMatchObject({
      title: '/review 12 "dead code"',
    });
  });

  it("of a project counts once it is trusted, and takes the place of the person's; both can be named", async () => {
    const { run, refusalOf, listed, trust } = await start();
    const own = put(join(live.home, ".harness/commands/ship.md"), "Ship it my way.");
    const theirs = put(join(live.cwd, ".claude/commands/ship.md"), "Ship it their way.");
    put(join(live.cwd, ".claude/commands/only.md"), "!`touch pwned`");
    const untrusted = await listed();
    expect(untrusted.commands.map(({ origin }) => origin?.from)).toEqual([own]);
    expect(untrusted.unused).toContainEqual({
      name: "ship",
      from: theirs,
      problem: `${theirs} is not used: its folder is not trusted.`,
    });
    expect(await refusalOf("only")).toMatch(
      /^\/only cannot be run\. .*only\.md is not used: its folder is not trusted\.$/,
    );
    await trust();
    expect((await listed()).commands.find(({ name }) => name === "ship")).toMatchObject({
      origin: { owner: "project", from: theirs },
      shadows: [own],
    });
    await run("ship");
    expect(lastUser()).toContain("Ship it their way.");
    await run("user:ship");
    expect(lastUser()).toContain("Ship it my way.");
    await run("project:ship");
    expect(lastUser()).toContain("Ship it their way.");
  });

  it("runs its commands through the gate, and has the words of a denial in the place of the output", async () => {
    const { run, answers, asked } = await start();
    put(
      join(live.home, ".claude/commands/state.md"),
      "Here:\n!`echo one`\n!`touch two && echo done $1`\n!`touch three`\nSay so.",
    );
    answers.push("allow_once", "reject_once");
    await run("state", "now");
    expect(asked).toEqual([expect.stringContaining("touch two"), expect.stringContaining("touch three")]);
    expect(lastUser()).toMatch(/^Here:\none\ndone now\nDenied: bash touch three\. .*the person said no.*\nSay so\.$/s);
    const calls = updatesOf("tool_call_update").filter(({ outcome }) => outcome);
    expect(calls.map(({ status }) => status)).toEqual(["completed", "completed", "failed"]);
    // The first request has all of it: the model got no earlier one.
    expect(bodies().length).toBe(1);
  });

  it("of the person's own lets calls run unasked and chooses model and mode, for its turn only", async () => {
    const { run, asked, client, sessionId } = await start(
      turns.call("bash", { command: "touch made.txt" }),
      turns.say("made"),
      turns.say("looked"),
      turns.call("bash", { command: "touch again.txt" }),
      turns.say("denied"),
    );
    put(
      join(live.home, ".claude/commands/make.md"),
      "---\nallowed-tools: Bash(touch:*)\nmodel: other-model\n---\nMake it.",
    );
    put(join(live.home, ".claude/commands/look.md"), "---\nmode: planning\n---\nLook.");
    await run("make");
    expect(asked).toEqual([]);
    expect(bodies().at(-1)?.model).toBe("other-model");
    await run("look");
    const names =
      bodies()
        .at(-1)
        ?.tools?.map(({ function: { name } }) => name) ?? [];
    expect(names).toContain("switch_mode");
    expect(names).not.toContain("write");
    const { seq } = await client.call("session/get", { sessionId });
    await client.call("session/prompt", { sessionId, promptId: "p", prompt: [{ type: "text", text: "again" }] });
    await live.idle(seq);
    expect(asked).toEqual([expect.stringContaining("touch again.txt")]);
    expect(bodies().at(-1)?.model).toBe("scripted");
  });

  it("of a project allows nothing: its tools are the only ones that may do more than look, and are asked about", async () => {
    const { run, asked, answers, trust } = await start(
      turns.call("bash", { command: "touch made.txt" }),
      turns.call("write", { file_path: "x.txt", content: "x" }),
      turns.say("done"),
    );
    put(join(live.cwd, ".claude/commands/make.md"), "---\nallowed-tools: Bash(touch:*)\nmode: agent\n---\nMake it.");
    await trust();
    answers.push("allow_once");
    await run("make");
    expect(asked).toEqual([expect.stringContaining("touch made.txt")]);
    const last = updatesOf("tool_call_update").findLast(({ outcome }) => outcome);
    expect(last?.outcome).toMatchObject({
      status: "denied",
      text: expect.stringContaining("`/make`, the command of this turn, allows only these tools: bash."),
    });
  });

  it("waits while the agent is at work, and holds for its own turn only", async () => {
    const { client, sessionId, answers, whileAsked } = await start(
      turns.call("bash", { command: "touch first.txt" }),
      turns.say("first"),
      turns.say("planned"),
      turns.say("third"),
    );
    put(join(live.home, ".claude/commands/plan-it.md"), "---\nmode: planning\n---\nPlan $1.");
    answers.push("allow_once");
    whileAsked.work = async () => {
      const { turnId } = await client.call("command/run", { sessionId, name: "plan-it", args: "it" });
      expect(turnId).toBeUndefined();
    };
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: [{ type: "text", text: "go" }] });
    const first = await live.idle();
    await live.idle(first.seq);
    const tools = (body: Body | undefined) => body?.tools?.map(({ function: { name } }) => name) ?? [];
    expect(lastUser()).toContain("Plan it.");
    expect(tools(bodies()[1])).toContain("write");
    expect(tools(bodies()[2])).not.toContain("write");
    expect((await client.call("session/get", { sessionId })).config.mode).not.toBe("planning");
  });

  it("is the same for the model after a restart", async () => {
    const { client, sessionId, run } = await start();
    put(join(live.home, ".claude/commands/review.md"), "Review it.");
    await run("review");
    const before = JSON.stringify(bodies().at(-1)?.messages);
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
    await run("review", "once more");
    expect(JSON.stringify(bodies().at(-1)?.messages).startsWith(before.slice(0, -1))).toBe(true);
  });
});
