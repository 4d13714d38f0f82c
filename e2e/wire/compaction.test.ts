// Compactions over the wire: a real server process over stdio, a scripted model over real HTTP.
import { mkdirSync } from "node:fs";
import type { HarnessClient } from "@harness/client";
import type { ProtocolError } from "@harness/protocol";
import { turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const isSummary = { system: "You summarise a coding agent" };
const SUMMARY = "You have counted to eight.";

/** A server whose model says `ok`, and then returns `summary` when it is asked for one. */
async function start(summary: NonNullable<Parameters<typeof LiveServer.start>[0]["turns"]>[number]) {
  live = await LiveServer.start({
    lanes: [{ match: isSummary, turns: [summary] }],
    turns: [turns.say("ok", { repeat: "always" })],
  });
  mkdirSync(live.cwd);
  const { client, process: server } = await live.connect();
  const { session } = await client.call("session/new", { cwd: live.cwd });
  const { sessionId } = session;
  for (let n = 1; n <= 8; n += 1) await talk(client, sessionId, `message ${n}`);
  return { client, server, sessionId };
}

async function talk(client: HarnessClient, sessionId: string, text: string): Promise<void> {
  const { seq } = await client.call("session/get", { sessionId });
  await client.call("session/prompt", { sessionId, promptId: text, prompt: say(text) });
  await live.idle(seq);
}

const kindsAfter = (from: number) => live.updates.slice(from).map(({ update }) => update.sessionUpdate);

describe("a compaction over the wire", () => {
  it("shows its progress, takes messages meanwhile, and is a fact", async () => {
    const { client, sessionId } = await start({ ...turns.say(SUMMARY), fault: { kind: "hang" } });
    const from = live.updates.length;
    const compacted = client.call("command/run", { sessionId, name: "compact", args: "the count" });
    await live.model.hanging();
    await live.until(({ update }) => update.sessionUpdate === "compaction_status");
    expect(live.updates.find(({ update }) => update.sessionUpdate === "compaction_status")?.update).toMatchObject({
      phase: "summarize",
      done: 0,
      total: 1,
    });
    expect(
      await client.call("session/prompt", { sessionId, promptId: "meanwhile", prompt: say("meanwhile") }),
    ).toMatchObject({ disposition: "queued" });
    await live.until(({ update }) => update.sessionUpdate === "queue_update");
    const { seq } = await client.call("session/get", { sessionId });
    live.model.release();
    expect(await compacted).toEqual({ text: expect.stringContaining("Compacted from about") });
    await live.idle(seq);
    const kinds = kindsAfter(from);
    expect(kinds.indexOf("compaction_update")).toBeLessThan(kinds.lastIndexOf("user_message"));
    const fact = live.updates.find(({ update }) => update.sessionUpdate === "compaction_update");
    expect(fact?.update).toMatchObject({
      reason: "manual",
      focus: "the count",
      summary: expect.stringContaining(SUMMARY),
    });
    expect(JSON.stringify(live.model.chatRequests.at(-1)?.body)).toContain(SUMMARY);
    await client.close();
  });

  it("shows what left the context, and finds it by words", async () => {
    const { client, sessionId } = await start(turns.say(SUMMARY));
    await expect(client.call("session/compaction", { sessionId })).rejects.toThrow("not been compacted yet");
    expect(await client.call("command/run", { sessionId, name: "compact", args: "diff" })).toEqual({
      text: "This conversation has not been compacted yet.",
    });
    await client.call("session/compact", { sessionId });
    const diff = await client.call("session/compaction", { sessionId, limit: 2 });
    expect(diff).toMatchObject({
      summary: expect.stringContaining(SUMMARY),
      left: { count: 6, items: [{ kind: "person", excerpt: expect.stringContaining("message 1") }, { kind: "agent" }] },
      stayed: { count: 10 },
    });
    const { items, count } = await client.call("session/recall", { sessionId, query: "message 2" });
    expect(count).toBeGreaterThan(1);
    expect(items[0]).toMatchObject({ kind: "person", excerpt: expect.stringContaining("message 2") });
    const run = async (name: string, args: string) =>
      (await client.call("command/run", { sessionId, name, args })).text;
    const shown = await run("compact", "diff");
    expect(shown).toMatch(/Removed from the context: 6 entries.*- #\d+ you, .*message 1.*Kept: 10 entries/s);
    expect(shown).toContain(`+ ${SUMMARY}`);
    const found = await run("recall", "message 2");
    const [, number] = /^#(\d+) you/.exec(found) ?? [];
    expect(await run("recall", `#${number}`)).toContain("message 2");
    expect(await run("recall", "#9999")).toContain("no message or result #9999");
    expect(await run("recall", "x".repeat(10_000))).toBe(`No match for ${"x".repeat(100)}… in this session.`);
    await client.close();
  });

  it("counts for the status row when the session is opened again before another request", async () => {
    const { client, sessionId } = await start(turns.say(SUMMARY));
    await client.call("session/compact", { sessionId });
    const fact = live.updates.find(({ update }) => update.sessionUpdate === "compaction_update");
    await client.call("session/close", { sessionId });
    await client.call("session/resume", { sessionId, replay: { type: "none" } });
    const hud = await client.call("hud/get", { sessionId });
    expect(fact?.update).toMatchObject({ tokensAfter: hud.context?.usedTokens });
    await client.close();
  });

  it.each([
    [
      "400",
      turns.fail({ kind: "status", status: 400 }),
      { kind: "provider_error", providerKind: "bad_request", retryable: false },
    ],
    ["401", turns.fail({ kind: "status", status: 401 }), { kind: "auth_required" }],
    ["a refusal", turns.say(""), { kind: "provider_error", providerKind: "refused", retryable: false }],
  ] as const)("fails as the provider did: %s", async (_name, summary, data) => {
    const { client, sessionId } = await start({ ...summary, repeat: "always" });
    const failed = await client.call("session/compact", { sessionId }).catch((error: ProtocolError) => error.data);
    expect(failed).toMatchObject(data);
  });

  it("is cancelled by session/cancel, and nothing is changed", async () => {
    const { client, sessionId } = await start({ ...turns.say(SUMMARY), fault: { kind: "hang" } });
    const compacted = client.call("session/compact", { sessionId });
    await live.model.hanging();
    expect(await client.call("session/cancel", { sessionId })).toMatchObject({ cancelled: true });
    await expect(compacted).rejects.toThrow("cancelled");
    await talk(client, sessionId, "and now?");
    expect(JSON.stringify(live.model.chatRequests.at(-1)?.body)).toContain("message 1");
    expect(kindsAfter(0)).not.toContain("compaction_update");
    await client.close();
  });

  it("that a kill -9 broke off has changed nothing when the session is opened again", async () => {
    const { client, server, sessionId } = await start({ ...turns.say(SUMMARY), fault: { kind: "hang" } });
    client.call("session/compact", { sessionId }).catch(() => undefined);
    await live.model.hanging();
    const { seq: known } = await client.call("session/get", { sessionId });
    process.kill(server.pid ?? Number.NaN, "SIGKILL");
    await server.exited;
    const again = await live.connect();
    await again.client.call("session/resume", { sessionId, replay: { type: "after", seq: known } });
    await talk(again.client, sessionId, "and now?");
    const body = JSON.stringify(live.model.chatRequests.at(-1)?.body);
    for (let n = 1; n <= 8; n += 1) expect(body).toContain(`message ${n}`);
    await again.client.close();
  });
});
