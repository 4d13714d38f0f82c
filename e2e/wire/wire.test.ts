// The server as other programs see it: a real process over stdio, a scripted model over real HTTP. Numbered, so that a
// failure in CI names its case.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fold, ProtocolError, type StoredFact } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { choose, LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

async function start(...script: Parameters<typeof LiveServer.start>) {
  live = await LiveServer.start(...script);
  mkdirSync(live.cwd);
  return live;
}

async function newSession(onPermission?: Parameters<LiveServer["connect"]>[0], env?: Record<string, string>) {
  const { client, process } = await live.connect(onPermission, env);
  const { session, seq } = await client.call("session/new", { cwd: live.cwd });
  return { client, process, sessionId: session.sessionId, seq };
}

const kinds = () => live.updates.filter((each) => each.seq !== undefined).map((each) => each.update.sessionUpdate);
const facts = () => live.updates.filter((each): each is typeof each & StoredFact => each.seq !== undefined);

describe("the server over stdio", () => {
  it("01 answers a prompt: acknowledged first, streamed, then stored", async () => {
    await start({ turns: [turns.say("Hello there.")] });
    const { client, sessionId } = await newSession();
    const acknowledged = client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("hi") });
    const first = live.until(() => true);
    expect(await Promise.race([acknowledged.then(() => "answer"), first.then(() => "update")])).toBe("answer");
    expect(await acknowledged).toMatchObject({ promptId: "p1", disposition: "started" });
    expect((await live.idle()).update).toMatchObject({ stopReason: "end_turn" });
    expect(kinds().filter((kind) => kind !== "session_info_update" && kind !== "config_option_update")).toEqual([
      "state_update",
      "user_message",
      "agent_message",
      "state_update",
    ]);
    expect(facts().map(({ seq }) => seq)).toEqual(facts().map((_fact, n) => n + 1));
    const streamed = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "agent_message_chunk" ? [update.text] : [],
    );
    expect(streamed.join("")).toBe("Hello there.");
    expect(live.model.problems).toEqual([]);
  });

  it("02 runs a tool after the permission was given", async () => {
    await start({ turns: [turns.call("write", { file_path: "a.txt", content: "new\n" }), turns.say("Written.")] });
    const { client, sessionId } = await newSession(choose("allow_once"));
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("write") });
    await live.idle();
    expect(readFileSync(join(live.cwd, "a.txt"), "utf8")).toBe("new\n");
    const ofCall = kinds().filter((kind) => kind.startsWith("tool_") || kind.startsWith("permission_"));
    expect(ofCall).toEqual([
      "tool_call_update",
      "permission_requested",
      "permission_resolved",
      "tool_call_update",
      "tool_call_update",
    ]);
    expect(live.model.problems).toEqual([]);
  });

  it("14 says of a call that begins whether it is known to only read", async () => {
    const commands = [
      "ls && cat a",
      "git status | head -3",
      "touch b",
      "cat a > b",
      "echo $(touch b)",
      "cat a /etc/hosts",
    ];
    const calls = commands.map((command) => turns.call("bash", { command }));
    await start({ turns: [...calls, turns.call("read", { file_path: "a" }), turns.say("Done.")] });
    writeFileSync(join(live.cwd, "a"), "one\n");
    const { client, sessionId } = await newSession(choose("allow_once"));
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("go") });
    await live.idle();
    const known = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.status === "in_progress"
        ? [update.changesNothing ? "reads" : update.looks ? "looks" : "may change"]
        : [],
    );
    expect(known).toEqual(["reads", "reads", "may change", "may change", "may change", "may change", "looks"]);
  });

  it("03 denies with the person's feedback, and in runs without a person to ask", async () => {
    await start({
      turns: [
        turns.call("bash", { command: "touch x" }),
        turns.say("I did not."),
        turns.call("bash", { command: "touch y" }),
        turns.say("Nor this."),
      ],
    });
    const { client, sessionId } = await newSession(choose("reject_once", "use the Makefile"));
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("do") });
    const { seq } = await live.idle();
    expect(JSON.stringify(live.model.chatRequests[1]?.body)).toContain("use the Makefile");
    expect(readdirSync(live.cwd)).toEqual([]);
    await client.close();
    const other = await live.connect();
    await other.client.call("session/resume", { sessionId, replay: { type: "none" } });
    await other.client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("again") });
    await live.idle(seq);
    expect(readdirSync(live.cwd)).toEqual([]);
    expect(JSON.stringify(live.model.chatRequests[3]?.body)).toContain("--allow");
  });

  it("04 gives a client that attaches late the same state", async () => {
    await start({ turns: [turns.call("ls", {}), turns.say("Nothing here.")] });
    const { client, sessionId } = await newSession();
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("look") });
    await live.idle();
    const before = fold(sessionId, facts());
    const seen = facts().length;
    const answer = await client.call("session/resume", { sessionId, replay: { type: "start" } });
    const replayed = facts().slice(seen);
    expect({ ...fold(sessionId, replayed), version: 0 }).toEqual({ ...before, version: 0 });
    expect(answer.seq).toBe(before.seq);
    await client.call("session/resume", { sessionId, replay: { type: "after", seq: before.seq - 1 } });
    expect(facts().length).toBe(seen + replayed.length + 1);
  });

  it("05 continues after kill -9: nothing acknowledged is lost, open work is marked", async () => {
    await start({ turns: [{ ...turns.say("never"), fault: { kind: "hang" } }, turns.say("Back.")] });
    const first = await newSession();
    await first.client.call("session/prompt", { sessionId: first.sessionId, promptId: "p1", prompt: say("hi") });
    await live.model.hanging();
    const { seq: known = 0 } = facts().at(-1) ?? {};
    process.kill(first.process.pid ?? Number.NaN, "SIGKILL");
    await first.process.exited;
    const { client } = await live.connect();
    await client.call("session/resume", { sessionId: first.sessionId, replay: { type: "after", seq: known } });
    expect(facts().at(-1)?.update).toMatchObject({ sessionUpdate: "state_update", stopReason: "interrupted" });
    const again = await client.call("session/prompt", {
      sessionId: first.sessionId,
      promptId: "p1",
      prompt: say("hi"),
    });
    expect(again.duplicate).toBe(true);
  });

  it("06 refuses a session that a second server holds", async () => {
    await start({ turns: [turns.say("One.")] });
    const { client, sessionId } = await newSession();
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("hi") });
    await live.idle();
    const other = await live.connect();
    const refused = await other.client.call("session/resume", { sessionId }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ProtocolError);
    expect(refused).toMatchObject({ kind: "conflict" });
    const { events } = await other.client.call("session/history", { sessionId });
    expect(events.length).toBeGreaterThan(2);
  });

  it("07 reports the error of each invalid request", async () => {
    await start({ turns: [] });
    const { client, sessionId } = await newSession();
    const kindOf = (call: Promise<unknown>) => call.then(() => "fine").catch((error: ProtocolError) => error.kind);
    expect(await kindOf(client.call("session/new", { cwd: "relative" }))).toBe("invalid_params");
    expect(await kindOf(client.call("session/new", { cwd: "/does/not/exist" }))).toBe("invalid_params");
    expect(await kindOf(client.call("files/search", { cwd: "/does/not/exist", query: "" }))).toBe("invalid_params");
    expect(await kindOf(client.call("session/prompt", { sessionId: "nope", promptId: "p", prompt: say("x") }))).toBe(
      "not_found",
    );
    expect(await kindOf(client.call("session/prompt", { sessionId, promptId: "p", prompt: [] }))).toBe(
      "invalid_params",
    );
    expect(await kindOf(client.call("session/resume", { sessionId: "20", replay: { type: "none" } }))).toBe(
      "not_found",
    );
    expect(await kindOf(client.call("settings/set", { edits: [{ key: "max_turns", value: "many" }] }))).toBe(
      "invalid_params",
    );
    expect(await kindOf(client.call("command/run", { sessionId, name: "nope" }))).toBe("not_found");
    expect(
      await kindOf(client.call("initialize", { protocolVersions: ["1"], clientInfo: { name: "x", version: "1" } })),
    ).toBe("invalid_request");
  });

  it("08 queues, withdraws and runs prompts in order", async () => {
    await start({ turns: [{ ...turns.say("first"), fault: { kind: "hang" } }, turns.say("second")] });
    const { client, sessionId } = await newSession();
    const prompt = (promptId: string) => client.call("session/prompt", { sessionId, promptId, prompt: say(promptId) });
    await prompt("p1");
    await live.model.hanging();
    expect(await prompt("p2")).toMatchObject({ disposition: "queued" });
    expect(await prompt("p3")).toMatchObject({ disposition: "queued" });
    expect(await client.call("session/unqueue", { sessionId, promptId: "p3" })).toEqual({ removed: true });
    live.model.release();
    const { seq } = await live.idle();
    await live.idle(seq);
    const users = facts().flatMap(({ update }) => (update.sessionUpdate === "user_message" ? [update.promptId] : []));
    expect(users).toEqual(["p1", "p2"]);
  });

  it("09 cancels at once and leaves a log that can be continued", async () => {
    await start({ turns: [turns.call("bash", { command: "sleep 60" }), turns.say("After.")] });
    const { client, sessionId } = await newSession(choose("allow_once"));
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("wait") });
    await live.until(({ update }) => update.sessionUpdate === "tool_call_update" && update.status === "in_progress");
    expect(await client.call("session/cancel", { sessionId, turnId: "t_earlier" })).toEqual({ cancelled: false });
    expect(await client.call("session/cancel", { sessionId })).toMatchObject({ cancelled: true });
    const { seq, update } = await live.idle();
    expect(update).toMatchObject({ stopReason: "cancelled" });
    await client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("go on") });
    expect((await live.idle(seq)).update).toMatchObject({ stopReason: "end_turn" });
    expect(live.model.problems).toEqual([]);
  });

  it("10 runs subagents side by side and hands their results to the parent", async () => {
    const task = (name: string) => ({ name: "start_subagent", arguments: { task: `look at ${name}` } });
    await start({
      lanes: [
        { match: "look at alpha", turns: [turns.say("alpha is fine")] },
        { match: "look at beta", turns: [turns.say("beta is broken")] },
      ],
      turns: [{ toolCalls: [task("alpha"), task("beta")] }, { ...turns.say("waiting"), repeat: "always" }],
    });
    const { client, sessionId } = await newSession();
    await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("compare") });
    await live.idle();
    const last = JSON.stringify(live.model.chatRequests.at(-1)?.body);
    expect(last).toContain("alpha is fine");
    expect(last).toContain("beta is broken");
    const { agents } = await client.call("agents/list", { sessionId });
    expect(agents).toHaveLength(3);
    const folder = join(live.home, "conversations", sessionId, "subagent");
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("11 keeps stdout for the wire", async () => {
    await start({ turns: [turns.say("x")] });
    const { client } = await newSession();
    mkdirSync(live.home, { recursive: true });
    writeFileSync(join(live.home, "settings.json"), "{ broken");
    const { problems } = await client.call("settings/get", {});
    expect(problems.join(" ")).toMatch(/settings\.json/);
    expect(await client.call("server/status", {})).toMatchObject({ connections: 1 });
  });

  it("13 reports the end of a turn to a client that has closed its side", async () => {
    await start({ turns: [{ ...turns.say("never"), fault: { kind: "hang" } }] });
    const lines = live.raw();
    lines.send("initialize", { protocolVersions: ["1"], clientInfo: { name: "raw", version: "1" } });
    expect((await lines.answer(1)).error).toBeUndefined();
    lines.send("session/new", { cwd: live.cwd });
    const opened = (await lines.answer(2)).result as { session: { sessionId: string } };
    lines.send("session/prompt", {
      sessionId: opened.session.sessionId,
      promptId: "p",
      prompt: [{ type: "text", text: "hi" }],
    });
    await live.model.hanging();
    const output = await lines.end();
    expect(output).toContain('"stopReason":"cancelled"');
  });

  it("12 ends in order when stdin ends", async () => {
    await start({ turns: [turns.say("x")] });
    const { client, process } = await newSession();
    await client.close();
    expect(await process.exited).toMatchObject({ code: 0 });
    expect(live.stderr).toBe("");
  });
});
