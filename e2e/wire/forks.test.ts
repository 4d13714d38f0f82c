// Forks and retries as other programs see them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { readSession } from "@harness/client";
import { conversationText, ROOT_AGENT, type SessionUpdate } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { answerOf, choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

function isIdle(update: SessionUpdate["update"]): boolean {
  return update.sessionUpdate === "state_update" && update.state === "idle";
}

async function begin(...script: Parameters<typeof LiveServer.start>[0]["turns"] & object[]) {
  live = await LiveServer.start({ turns: script });
  mkdirSync(live.cwd);
  const { client } = await live.connect(choose("allow_once"));
  const { session } = await client.call("session/new", { cwd: live.cwd });
  let prompts = 0;
  const prompt = async (text: string, sessionId = session.sessionId) => {
    prompts += 1;
    const after = live.updates.findLast((update) => update.sessionId === sessionId && update.seq)?.seq ?? 0;
    await client.call("session/prompt", { sessionId, promptId: `p${prompts}`, prompt: say(text) });
    await live.until(
      ({ sessionId: of, seq = 0, agentId, update }) =>
        of === sessionId && seq > after && agentId === ROOT_AGENT && isIdle(update),
    );
  };
  const text = async (sessionId: string) =>
    conversationText((await readSession(client, sessionId))?.agents.get(ROOT_AGENT)?.items ?? []);
  return { client, sessionId: session.sessionId, prompt, text };
}

it("a fork goes on from a message, and both sessions keep their own conversation", async () => {
  const { client, sessionId, prompt, text } = await begin(turns.say("Answer.", { repeat: "always" }));
  await prompt("one");
  await prompt("two");
  const messages = (await readSession(client, sessionId))?.undo.messages ?? [];
  const messageId = messages[1]?.messageId ?? "";
  const { session, prompt: left } = await client.call("session/fork", { sessionId, messageId });
  expect(left).toEqual(say("two"));
  expect(session).toMatchObject({ title: "one (fork)", turns: 1, cwd: live.cwd, parent: { sessionId } });
  await client.call("session/resume", { sessionId: session.sessionId });
  const ends = (await readSession(client, session.sessionId))?.agents.get(ROOT_AGENT)?.items ?? [];
  expect(ends.filter((item) => item.kind === "turn" || item.kind === "notice")).toMatchObject([
    { kind: "turn", stopReason: "end_turn" },
  ]);
  await prompt("three", session.sessionId);
  expect(await text(sessionId)).toBe("> one\n\nAnswer.\n\n> two\n\nAnswer.");
  expect(await text(session.sessionId)).toBe("> one\n\nAnswer.\n\n> three\n\nAnswer.");
  const { sessions } = await client.call("session/list", { cwd: live.cwd });
  expect(sessions.map(({ title, turns: count }) => [title, count])).toEqual([
    ["one (fork)", 2],
    ["one", 2],
  ]);
  // The fork is open, and keeps what both share.
  await client.call("session/delete", { sessionId });
  expect(await text(session.sessionId)).toBe("> one\n\nAnswer.\n\n> three\n\nAnswer.");
  await expect(client.call("session/fork", { sessionId: session.sessionId, messageId: "nope" })).rejects.toMatchObject({
    kind: "not_found",
  });
});

it("a fork of the whole session has its last answer, and none of the messages that wait in it", async () => {
  const { client, sessionId, prompt, text } = await begin(
    turns.say("First."),
    turns.call("bash", { command: "sleep 30" }),
    turns.say("Other.", { repeat: "always" }),
  );
  await prompt("one");
  await client.call("session/prompt", { sessionId, promptId: "long", prompt: say("take your time") });
  await live.until(({ update }) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress");
  await client.call("session/prompt", { sessionId, promptId: "later", prompt: say("later"), delivery: "queue" });
  const { session } = await client.call("session/fork", { sessionId, title: "another way" });
  expect(session.title).toBe("another way");
  await client.call("session/resume", { sessionId: session.sessionId });
  expect((await client.call("session/get", { sessionId: session.sessionId })).queue).toEqual([]);
  expect((await client.call("session/get", { sessionId })).queue).toMatchObject([{ promptId: "later" }]);
  await prompt("and now", session.sessionId);
  expect(await text(session.sessionId)).toContain("> take your time");
  expect(await text(session.sessionId)).toContain("> and now\n\nOther.");
  await client.call("session/unqueue", { sessionId, promptId: "later" });
  await client.call("session/cancel", { sessionId });
});

it("/retry takes back the last turn with its files, and sends its message again to the model that is named", async () => {
  const { client, sessionId, prompt, text } = await begin(
    turns.call("bash", { command: "echo wrong > made.txt" }),
    turns.say("Done wrongly."),
    turns.say("Done better."),
  );
  await prompt("make it");
  expect(readFileSync(join(live.cwd, "made.txt"), "utf8")).toBe("wrong\n");
  const answer = await answerOf(client.call("command/run", { sessionId, name: "retry", args: "other-model" }));
  expect(answer).toContain("made.txt");
  await live.until(({ update }) => update.sessionUpdate === "agent_message" && update.model === "other-model");
  expect(await text(sessionId)).toBe("> make it\n\nDone better.");
  expect(existsSync(join(live.cwd, "made.txt"))).toBe(false);
});

it("a brief for a new session is written by the model, and costs no turn; the new session is linked to this one", async () => {
  const { client, sessionId, prompt, text } = await begin(
    turns.say("The parser is repaired."),
    turns.say("## Goal\nRepair the parser."),
    turns.say("Going on.", { repeat: "always" }),
  );
  await prompt("repair the parser");
  const { text: brief } = await client.call("session/brief", { sessionId, purpose: "write its tests" });
  expect(brief).toContain("Repair the parser.");
  expect(JSON.stringify(live.model.requests.at(-1)?.body)).toContain("write its tests");
  expect(await text(sessionId)).toBe("> repair the parser\n\nThe parser is repaired.");
  const { session } = await client.call("session/new", { cwd: live.cwd, follows: sessionId });
  await prompt(`A brief: ${brief}`, session.sessionId);
  const { sessions } = await client.call("session/list", { cwd: live.cwd });
  expect(sessions.map(({ parent }) => parent)).toEqual([{ sessionId, seq: 0 }, undefined]);
  await client.call("session/delete", { sessionId });
  expect((await client.call("session/get", { sessionId: session.sessionId })).session.damage).toBeUndefined();
});

it("a fork in a worktree has the files of its message, and its model knows where it works", async () => {
  const write = (text: string) => turns.call("write", { file_path: "a.txt", content: text });
  const script = [
    write("one"),
    turns.say("One."),
    write("two"),
    turns.say("Two."),
    turns.say("Apart.", { repeat: "always" }),
  ];
  const { client, sessionId, prompt } = await begin(...script);
  const git = (...args: string[]) => execFileSync("git", ["-C", live.cwd, ...args], { encoding: "utf8" });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
  await prompt("write one");
  await prompt("write two");
  const messages = (await readSession(client, sessionId))?.undo.messages ?? [];
  const before = { sessionId, messageId: messages[1]?.messageId ?? "", worktree: true };
  const { session, worktree } = await client.call("session/fork", before);
  const path = join(`${realpathSync(live.cwd)}.worktrees`, "write-one-fork");
  expect(worktree).toEqual({ path, branch: "harness/write-one-fork" });
  expect(session).toMatchObject({ title: "write one (fork)", cwd: path, parent: { sessionId } });
  expect(readFileSync(join(path, "a.txt"), "utf8")).toBe("one");
  expect(readFileSync(join(live.cwd, "a.txt"), "utf8")).toBe("two");
  await client.call("session/resume", { sessionId: session.sessionId });
  await prompt("and now?", session.sessionId);
  const sent = JSON.stringify(live.model.chatRequests.at(-1)?.body);
  expect(sent).toContain(`goes on in a git worktree of its own, ${path}`);
  expect(sent).not.toContain("write two");
  await client.call("session/close", { sessionId: session.sessionId });
  const again = await client.call("session/fork", { sessionId });
  expect(again.session).toMatchObject({ title: "write one (fork 2)", cwd: live.cwd });
  expect(again).not.toHaveProperty("worktree");
});

it("a worktree needs a repository, and without one nothing is stored", async () => {
  const { client, sessionId, prompt } = await begin(turns.say("Answer.", { repeat: "always" }));
  await prompt("one");
  const refused = client.call("session/fork", { sessionId, worktree: true });
  await expect(refused).rejects.toMatchObject({
    kind: "conflict",
    message: expect.stringContaining("is not in a git"),
  });
  expect((await client.call("session/list", { cwd: live.cwd })).sessions).toHaveLength(1);
});
