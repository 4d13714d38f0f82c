// The user's own commands, as other programs run them: a real server process and a real shell.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

async function begin(...script: Parameters<typeof LiveServer.start>[0]["turns"] & object[]) {
  live = await LiveServer.start({ turns: script });
  mkdirSync(live.cwd);
  const { client, process: server } = await live.connect(undefined, { PERSONS_OWN: "kept" });
  const { session } = await client.call("session/new", { cwd: live.cwd });
  return { client, server, sessionId: session.sessionId };
}

async function outcome(client: HarnessClient, sessionId: string, command: string, share = true) {
  const { toolCallId } = await client.call("session/shell", { sessionId, command, share });
  const { update } = await live.until(
    ({ update: each }) => each.sessionUpdate === "tool_call_update" && each.toolCallId === toolCallId && !!each.outcome,
  );
  return { toolCallId, outcome: update.sessionUpdate === "tool_call_update" ? update.outcome : undefined };
}

it("a command of the person runs unasked in the session's folder, and the model gets it with the next message", async () => {
  const { client, sessionId } = await begin(turns.say("I see."));
  writeFileSync(join(live.cwd, "notes.txt"), "mine\n");
  const first = await outcome(client, sessionId, "cat notes.txt; echo $PERSONS_OWN; exit 3");
  expect(first.outcome).toMatchObject({ status: "error", text: "mine\nkept\n[exit code 3]" });
  await outcome(client, sessionId, "echo for nobody", false);
  const chunks = live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_output_chunk" && update.toolCallId === first.toolCallId ? [update.text] : [],
  );
  expect(chunks.join("")).toBe("mine\nkept\n");
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("What was that?") });
  await live.idle();
  const request = JSON.stringify(live.model.requests.at(-1)?.body);
  expect(request).toMatch(
    /\$ cat notes\.txt; echo \$PERSONS_OWN; exit 3\\n\[its output, up to the mark (\w+), not the person's:\]\\nmine\\nkept\\n\[exit code 3\]\\n\[Mark \1: end\]/,
  );
  expect(request).not.toContain("for nobody");
});

it("a command of the person is stopped like a call, and at its own time limit", async () => {
  const { client, sessionId } = await begin();
  const { toolCallId } = await client.call("session/shell", { sessionId, command: "echo up; sleep 300" });
  await live.until(({ update }) => update.sessionUpdate === "tool_output_chunk");
  expect(await client.call("tool_call/cancel", { sessionId, toolCallId })).toEqual({ cancelled: true });
  const { update } = await live.until(
    ({ update: each }) => each.sessionUpdate === "tool_call_update" && each.toolCallId === toolCallId && !!each.outcome,
  );
  expect(update).toMatchObject({ outcome: { status: "cancelled" } });
  const late = await client.call("session/shell", { sessionId, command: "sleep 300", timeoutMs: 100 });
  const end = await live.until(
    ({ update: each }) =>
      each.sessionUpdate === "tool_call_update" && each.toolCallId === late.toolCallId && !!each.outcome,
  );
  expect(JSON.stringify(end.update)).toContain("not finished after 100 ms");
});

it("a command of the person is refused to a client that only observes", async () => {
  const { sessionId } = await begin();
  const raw = live.raw();
  raw.send("initialize", {
    protocolVersions: ["1"],
    clientInfo: { name: "o", version: "1" },
    role: "observer",
    capabilities: {},
  });
  raw.send("session/shell", { sessionId, command: "echo no" });
  expect(await raw.answer(2)).toMatchObject({ error: { data: { kind: "permission_denied" } } });
  await raw.end();
});

it("a command of the person that a kill of harness interrupted is shown to the model as such", async () => {
  const { client, sessionId, server } = await begin(turns.say("I see."));
  await client.call("session/shell", { sessionId, command: "echo up; sleep 300" });
  await live.until(({ update }) => update.sessionUpdate === "tool_output_chunk");
  process.kill(server.pid ?? 0, "SIGKILL");
  await server.exited;
  const again = await live.connect();
  await again.client.call("session/resume", { sessionId });
  await again.client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("What became of it?") });
  await live.idle();
  expect(JSON.stringify(live.model.requests.at(-1)?.body)).toContain("$ echo up; sleep 300\\ninterrupted");
});
