// Subagents as sessions of their own, for clients that announce this.
import { startSubagentCall, turns } from "@harness/testkit";
import { expect, it } from "vitest";
import { type AcpProbe, choosing } from "../support/acp-probe.ts";
import { acpProbing } from "../support/acp-probing.ts";

let probe: AcpProbe;
const started = acpProbing((each) => {
  probe = each;
});

const starting = {
  match: "go",
  turns: [turns.calls([startSubagentCall("task one")]), turns.say("All is done.", { repeat: "always" })],
};
const childOf = (sessionId: string) => probe.updates("subagent_update", sessionId)[0]?.sessionId as string;
const states = (sessionId: string) =>
  probe.updates("subagent_update", sessionId).flatMap(({ state }) => (state ? [state] : []));

it("a subagent is announced, does its work and asks in a session of its own, and is replayed", async () => {
  await started({
    lanes: [
      { match: "task one", turns: [turns.call("bash", { command: "touch one" }), turns.say("The child is done.")] },
      starting,
    ],
  });
  probe.answers["session/request_permission"] = choosing("allow_once");
  const sessionId = await probe.open({ subagents: {} });
  expect((await probe.prompt(sessionId, "go")).result).toMatchObject({ stopReason: "end_turn" });
  const child = childOf(sessionId);
  expect(probe.updates("subagent_update", sessionId)[0]).toMatchObject({
    title: "task one",
    description: "task one",
    capabilities: { cancel: {} },
  });
  expect(states(sessionId)).toEqual([
    { state: "running" },
    { state: "requires_action" },
    { state: "running" },
    { state: "idle", stopReason: "end_turn" },
  ]);
  expect(probe.updates("tool_call", child)).toMatchObject([{ title: "touch one", kind: "execute" }]);
  expect(probe.requests("session/request_permission")).toMatchObject([
    { sessionId: child, toolCall: { title: "touch one" } },
  ]);
  expect(probe.text(child)).toBe("The child is done.");
  expect(probe.text(sessionId)).toMatch(/^(All is done\.)+$/);

  await probe.call("session/close", { sessionId });
  const before = probe.messages.length;
  await probe.call("session/load", { sessionId, cwd: probe.cwd, mcpServers: [] });
  const replayed = probe.messages.slice(before).flatMap(({ params }) => {
    const update = params?.update as { sessionUpdate: string } | undefined;
    return update ? [`${params?.sessionId === child ? "child" : "session"} ${update.sessionUpdate}`] : [];
  });
  expect(replayed).toEqual(
    expect.arrayContaining(["session subagent_update", "child tool_call", "child agent_message_chunk"]),
  );
});

it("a subagent is stopped by the id of its session, and its parent goes on", async () => {
  const hangs = { ...turns.say("never"), fault: { kind: "hang" as const } };
  await started({ lanes: [{ match: "task one", turns: [hangs] }, starting] });
  const sessionId = await probe.open({ subagents: {} });
  const prompt = probe.prompt(sessionId, "go");
  const child = await probe.until(() => (states(sessionId).length > 0 ? childOf(sessionId) : undefined));
  expect((await probe.prompt(child, "hello")).error?.code).toBe(-32002);
  probe.notify("session/cancel", { sessionId: child });
  expect((await prompt).result).toMatchObject({ stopReason: "end_turn" });
  expect(states(sessionId).at(-1)).toEqual({ state: "idle", stopReason: "cancelled" });
});

it("other clients are not told of them", async () => {
  await started({ lanes: [{ match: "task one", turns: [turns.say("The child is done.")] }, starting] });
  const sessionId = await probe.open();
  await probe.prompt(sessionId, "go");
  expect(probe.updates("subagent_update")).toEqual([]);
  expect(probe.text()).toMatch(/^(All is done\.)+$/);
});
