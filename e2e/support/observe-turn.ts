import type { HarnessClient } from "@harness/client";
import { type Hud, ROOT_AGENT, type SessionUpdate, type ToolOutcome } from "@harness/protocol";
import { type ModelServer, type ScenarioInput, turns } from "@harness/testkit";
import { type LiveServer, say } from "./live-server.ts";

export type Turns = NonNullable<ScenarioInput["turns"]>;

/** The observable effects of a message to a session. */
export type Observed = {
  /** The server that received the requests. */
  server: string | undefined;
  /** The requests that it got. */
  bodies: Record<string, unknown>[];
  outcomes: ToolOutcome[];
  updates: SessionUpdate[];
  hud: Hud;
};

type Parties = { live: LiveServer; client: HarnessClient; servers: readonly ModelServer[] };

/** The models of the servers in every turn. */
export const models = [{ id: "scripted" }, { id: "other" }];
let prompts = 0;

/** Sends a message to a session with these model answers, and waits for the end of the turn. */
export async function observeTurn(
  { live, client, servers }: Parties,
  sessionId: string,
  script: Turns = [turns.say("end")],
): Promise<Observed> {
  for (const server of servers) server.setScenario({ models, turns: script });
  const before = servers.map((server) => server.chatRequests.length);
  const from = live.updates.length;
  const { seq } = await client.call("session/get", { sessionId });
  prompts += 1;
  await client.call("session/prompt", {
    sessionId,
    promptId: `observed-${prompts}`,
    prompt: say(`message ${prompts}`),
  });
  await live.until(
    (each) =>
      each.sessionId === sessionId &&
      (each.seq ?? 0) > seq &&
      each.agentId === ROOT_AGENT &&
      each.update.sessionUpdate === "state_update" &&
      each.update.state === "idle",
  );
  const asked = servers.findIndex((server, index) => server.chatRequests.length > (before[index] ?? 0));
  const updates = live.updates.slice(from).filter((each) => each.sessionId === sessionId);
  return {
    server: servers[asked]?.flavour,
    bodies: (servers[asked]?.chatRequests ?? [])
      .slice(before[asked])
      .map(({ body }) => body as Record<string, unknown>),
    outcomes: updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && "outcome" in update && update.outcome ? [update.outcome] : [],
    ),
    updates,
    hud: await client.call("hud/get", { sessionId }),
  };
}
