// Modes and questions as other programs see them: a real server process over stdio, a scripted model over real HTTP.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallParams, ClientMethods, Result, SessionUpdate } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { answerOf, LiveServer, say } from "../support/live-server.ts";

type Question = CallParams<ClientMethods, "elicitation/create">;
type Answer = Result<ClientMethods, "elicitation/create">;
type Body = { messages: { role: string; content: unknown }[]; tools?: { function: { name: string } }[] };

let live: LiveServer;
afterEach(() => live.close());

async function start(
  script: Parameters<typeof LiveServer.start>[0]["turns"],
  answer?: (question: Question) => Answer | Promise<Answer>,
) {
  live = await LiveServer.start({ turns: script });
  mkdirSync(live.cwd);
  const asked: Question[] = [];
  const onQuestion = async (question: Question) => {
    asked.push(question);
    return (await answer?.(question)) ?? { action: "decline" as const };
  };
  const { client } = await live.connect(undefined, {}, answer ? onQuestion : undefined);
  let prompts = 0;
  const prompt = async (sessionId: string, text = "go") => {
    prompts += 1;
    const answered = new Set(live.updates);
    await client.call("session/prompt", { sessionId, promptId: `p${prompts}`, prompt: say(text) });
    await live.until((each) => !answered.has(each) && each.sessionId === sessionId && isIdle(each));
  };
  return { client, prompt, asked };
}

const isIdle = ({ update }: SessionUpdate) => update.sessionUpdate === "state_update" && update.state === "idle";
const bodies = () => live.model.chatRequests.map(({ body }) => body as Body);
const systems = () => bodies().map(({ messages }) => String(messages[0]?.content));
const tools = () => bodies().map((body) => (body.tools ?? []).map((each) => each.function.name));
const outcomes = () =>
  live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" && "outcome" in update && update.outcome ? [update.outcome] : [],
  );

describe("a mode over the wire", () => {
  it("is changed by a command for its session, and shown; new sessions begin as the setting says", async () => {
    const { client, prompt } = await start([turns.say("One."), turns.say("Two."), turns.say("Three.")]);
    const { commands } = await client.call("commands/list", {});
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["mode", "plan", "agent", "research", "casual"]),
    );
    const { session } = await client.call("session/new", { cwd: live.cwd });
    const { sessionId } = session;
    await prompt(sessionId);
    const run = (name: string, args = "") => answerOf(client.call("command/run", { sessionId, name, args }));
    expect(await run("mode")).toContain("→ agent: Does the work");
    expect(await run("mode", "yolo")).toContain("There is no mode");
    expect(await run("plan", "a bridge")).toContain("Nothing was changed");
    expect(await run("plan")).toBe("Planning mode: reads and plans, changes nothing.");
    expect(await run("mode", "plan")).toBe("Planning mode, as before: reads and plans, changes nothing.");
    expect(await client.call("hud/get", { sessionId })).toMatchObject({ mode: "planning" });
    expect(await client.call("hud/get", { cwd: live.cwd })).toMatchObject({ mode: "agent" });
    expect(existsSync(join(live.home, "settings.json"))).toBe(false);
    await prompt(sessionId);
    expect(tools()[0]).toContain("bash");
    expect(tools()[1]).not.toContain("bash");
    expect(tools()[1]).toContain("switch_mode");
    expect(systems()[1]).toMatch(/^planning mode/im);
    const broken = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "agent_message" && "prefix" in update ? [update.prefix?.break?.cause] : [],
    );
    expect(broken.at(-1)).toBe("the mode changed to planning");
    const later = await client.call("session/new", { cwd: live.cwd });
    await prompt(later.session.sessionId);
    expect(systems()[2]).not.toMatch(/^planning mode/im);
    await client.call("settings/set", { edits: [{ key: "preferred_mode", value: "research" }] });
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
    expect(await client.call("hud/get", { sessionId })).toMatchObject({ mode: "planning" });
    expect(await client.call("hud/get", { cwd: live.cwd })).toMatchObject({ mode: "research" });
  });

  it("has one name: the permission modes of older versions are accepted, and answered with today's", async () => {
    const { client, prompt } = await start([
      turns.call("write", { file_path: "a.txt", content: "new\n" }),
      turns.say("One."),
      turns.call("write", { file_path: "a.txt", content: "new\n" }),
      turns.say("Two."),
    ]);
    // As a client of an older version sends it, which the types do not allow.
    const older = { permissionMode: "plan" } as unknown as { permissionMode: "deny" };
    const all = { permissionMode: "auto" } as unknown as { permissionMode: "allow-all" };
    const { session } = await client.call("session/new", { cwd: live.cwd, config: older, rules: { allow: ["write"] } });
    const { sessionId } = session;
    expect(await client.call("hud/get", { sessionId })).toMatchObject({ mode: "planning", permissionMode: "deny" });
    await prompt(sessionId);
    await client.call("session/set_config_option", { sessionId, config: { ...all, mode: "agent" } });
    expect(await client.call("hud/get", { sessionId })).toMatchObject({ mode: "agent", permissionMode: "allow-all" });
    await prompt(sessionId);
    expect(outcomes().map(({ status }) => status)).toEqual(["denied", "ok"]);
  });

  it("takes its text from the prompts folder, which is created for the person to edit", async () => {
    const { client, prompt } = await start([turns.say("One."), turns.say("Two.")]);
    const { session } = await client.call("session/new", { cwd: live.cwd, config: { mode: "research" } });
    await prompt(session.sessionId);
    expect(systems()[0]).toMatch(/^research mode/im);
    const file = join(live.home, "prompts/casual.md");
    // It is created in the background.
    await expect.poll(() => existsSync(file), { interval: 5, timeout: 60_000 }).toBe(true);
    expect(readFileSync(file, "utf8")).toContain("casual mode");
    writeFileSync(file, "You are a pirate.");
    await client.call("session/set_config_option", { sessionId: session.sessionId, config: { mode: "casual" } });
    await prompt(session.sessionId);
    expect(systems()[1]).toContain("You are a pirate.");
    expect(systems()[1]).not.toContain("coding agent");
    expect(readFileSync(file, "utf8")).toBe("You are a pirate.");
  });

  it("refuses a call that it does not offer, and is left when the person agrees", async () => {
    const write = turns.call("write", { file_path: "a.txt", content: "new\n" });
    const { client, prompt, asked } = await start(
      [write, turns.call("switch_mode", { mode: "agent" }), turns.say("Done.")],
      () => ({ action: "accept", optionId: "yes" }),
    );
    const { session } = await client.call("session/new", { cwd: live.cwd, config: { mode: "planning" } });
    await prompt(session.sessionId);
    expect(outcomes().map(({ status }) => status)).toEqual(["denied", "ok"]);
    expect(outcomes()[0]?.text).toContain("planning mode");
    expect(asked).toMatchObject([{ message: "The agent wants to leave planning mode to make changes. Allow it?" }]);
    expect(tools().at(-1)).toContain("write");
    const hud = await client.call("hud/get", { sessionId: session.sessionId });
    expect(hud).toMatchObject({ mode: "agent" });
  });

  it("is left with the plan in the question, and with edits allowed if the person says so", async () => {
    const { client, prompt, asked } = await start(
      [
        turns.call("ExitPlanMode", { plan: "# Plan\n1. Write a.txt" }),
        turns.call("write", { file_path: "a.txt", content: "new\n" }),
        turns.say("Done."),
      ],
      () => ({ action: "accept", optionId: "edits" }),
    );
    const { session } = await client.call("session/new", { cwd: live.cwd, config: { mode: "planning" } });
    await prompt(session.sessionId);
    expect(asked).toMatchObject([
      { header: "Plan", about: "# Plan\n1. Write a.txt", options: [{ optionId: "edits" }, {}, {}] },
    ]);
    expect(outcomes().map(({ status }) => status)).toEqual(["ok", "ok"]);
    const hud = await client.call("hud/get", { sessionId: session.sessionId });
    expect(hud).toMatchObject({ mode: "agent", permissionMode: "accept-edits" });
  });
});

describe("a question over the wire", () => {
  const question = turns.call("question", { question: "Which?", answers: ["Left", "Right"] });

  it("reaches the client, and its answer the model", async () => {
    const { client, prompt, asked } = await start([question, turns.say("Done.")], () => ({
      action: "accept",
      text: "right",
    }));
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await prompt(session.sessionId);
    expect(asked).toMatchObject([
      {
        message: "Which?",
        options: [
          { optionId: "1", name: "Left" },
          { optionId: "2", name: "Right" },
        ],
        freeText: true,
      },
    ]);
    expect(outcomes()[0]).toMatchObject({ status: "ok", text: "The person chose: Right" });
  });

  it("is asked with others of its call, one after another, and all answers reach the model", async () => {
    const questions = [
      {
        question: "Which?",
        header: "Side",
        options: [{ label: "Left", description: "The first" }, { label: "Right" }],
      },
      { question: "Why?", options: [] },
    ];
    const { client, prompt, asked } = await start(
      [turns.call("AskUserQuestion", { questions }), turns.say("Done.")],
      ({ part, header }) => {
        if (header === "Your answers") return { action: "accept", optionId: "send" };
        return part?.at === 1 ? { action: "accept", optionId: "2" } : { action: "decline" };
      },
    );
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await prompt(session.sessionId);
    expect(asked).toMatchObject([
      {
        header: "Side",
        options: [{ name: "Left", description: "The first" }, { name: "Right" }],
        part: { at: 1, of: 2 },
      },
      { message: "Why?", part: { at: 2, of: 2 }, back: true },
      { header: "Your answers", about: expect.stringContaining("**Right**"), freeText: false, back: true },
    ]);
    expect(outcomes()[0]?.text).toContain("- Which?\n  → Right\n- Why?\n  → no answer: The person declined to answer.");
  });

  it("ends after its timeout, and at once where there is no one to answer", async () => {
    const { client, prompt, asked } = await start([question, turns.say("Done.")], () => new Promise(() => undefined));
    const limits = { questionTimeoutMs: 50 };
    const { session } = await client.call("session/new", { cwd: live.cwd, limits });
    await prompt(session.sessionId);
    expect(asked[0]?.expiresAt).toMatch(/^\d{4}-/);
    expect(outcomes()[0]?.text).toContain("Nobody answered within 0.1 s.");
  });

  it("is answered with a message where no client accepts questions", async () => {
    const { client, prompt } = await start([question, turns.say("Done.")]);
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await prompt(session.sessionId);
    expect(outcomes()[0]?.text).toContain("Nobody can be asked here.");
  });
});
