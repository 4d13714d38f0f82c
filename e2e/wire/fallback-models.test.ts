// Fallback models: a real server process over stdio, scripted models over real HTTP.
import { mkdirSync } from "node:fs";
import type { HarnessClient } from "@harness/client";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const busy = (status: number) => ({
  ...turns.say("never"),
  fault: { kind: "status" as const, status, times: "always" as const },
});
const of = (model: string, ...said: NonNullable<ScenarioInput["turns"]>) => ({ match: { model }, turns: said });

async function start(models: string, ...lanes: NonNullable<ScenarioInput["lanes"]>) {
  live = await LiveServer.start({ lanes, turns: [turns.say("ok", { repeat: "always" })] });
  mkdirSync(live.cwd);
  const { client } = await live.connect(undefined, { HARNESS_FALLBACK_MODELS: models });
  await client.call("settings/set", { edits: [{ key: "max_retries", value: 0 }] });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  return { client, sessionId: session.sessionId };
}

async function talk(client: HarnessClient, sessionId: string, text: string) {
  const from = live.updates.length;
  const { seq } = await client.call("session/get", { sessionId });
  await client.call("session/prompt", { sessionId, promptId: text, prompt: say(text) });
  await live.idle(seq);
  const updates = live.updates.slice(from).map(({ update }) => update);
  return {
    models: updates.flatMap((each) =>
      each.sessionUpdate === "agent_message" && each.stop !== "cut" ? [each.model] : [],
    ),
    notices: updates.flatMap((each) => (each.sessionUpdate === "notice" ? [each.title] : [])),
    end: updates
      .flatMap((each) => (each.sessionUpdate === "state_update" && each.state === "idle" ? [each] : []))
      .at(-1),
  };
}

describe("fallback models", () => {
  it.each([429, 503])(
    "answer for the rest of the message where the session's is refused with %d, and say so",
    async (status) => {
      const { client, sessionId } = await start(
        "second,third",
        of("scripted", busy(status)),
        of("second", turns.call("read", { file_path: "a" }), turns.say("done")),
      );
      const { models, notices, end } = await talk(client, sessionId, "work");
      expect(models).toEqual(["second", "second"]);
      expect(notices).toEqual(["scripted failed: second (openai) takes over until your next message."]);
      expect(end).toMatchObject({ stopReason: "end_turn" });
      expect(live.model.chatRequests.map(({ body }) => (body as { model: string }).model)).toEqual([
        "scripted",
        "second",
        "second",
      ]);
    },
  );

  it("leave the next message to the session's model", async () => {
    const { client, sessionId } = await start(
      "second",
      of("scripted", { ...busy(503), fault: { kind: "status", status: 503 } }, turns.say("back")),
      of("second", turns.say("for once")),
    );
    expect((await talk(client, sessionId, "one")).models).toEqual(["second"]);
    expect((await talk(client, sessionId, "two")).models).toEqual(["scripted"]);
  });

  it("come one after another, and the failure of the last one is the turn's", async () => {
    const { client, sessionId } = await start(
      "second,third",
      of("scripted", busy(503)),
      of("second", busy(429)),
      of("third", busy(503)),
    );
    const { models, notices, end } = await talk(client, sessionId, "work");
    expect(models).toEqual([]);
    expect(notices).toEqual([
      "scripted failed: second (openai) takes over until your next message.",
      "second failed: third (openai) takes over until your next message.",
    ]);
    expect(end).toMatchObject({ stopReason: "error", error: { kind: "network" } });
  });

  it("do not take over where the request itself is refused", async () => {
    const { client, sessionId } = await start("second", of("scripted", busy(401)), of("second", turns.say("no")));
    const { models, end } = await talk(client, sessionId, "work");
    expect(models).toEqual([]);
    expect(end).toMatchObject({ error: { kind: "auth" } });
  });
});
