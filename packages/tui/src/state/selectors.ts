import { type AgentState, type Hud, ROOT_AGENT, type SessionState, type StopReason, textOf } from "@harness/protocol";
import type { AppState } from "./app-state.ts";

export function rootAgent(session: SessionState | undefined): AgentState | undefined {
  return session?.agents.get(ROOT_AGENT);
}

/** A turn runs, or waits for a person or for subagents. */
export function isBusy({ session }: AppState): boolean {
  return (rootAgent(session)?.state ?? "idle") !== "idle";
}

/** Subagents at work, oldest first. */
export function runningAgents(session: SessionState | undefined): AgentState[] {
  return [...(session?.agents.values() ?? [])].filter(
    ({ agentId, run }) => agentId !== ROOT_AGENT && run === "running",
  );
}

/** What ↑ can reach of an opened session. */
const MAX_OWN = 200;

/** The person's last messages in the open session, oldest first: what ↑ brings back. */
export function ownMessages(session: SessionState): string[] {
  const texts: string[] = [];
  for (const item of rootAgent(session)?.items ?? []) {
    if (item.kind === "user" && item.origin === "user") texts.push(textOf(item.content));
  }
  return texts.slice(-MAX_OWN);
}

/** The model's name, short. */
export function modelName(hud: Hud | undefined): string | undefined {
  const { model } = hud ?? {};
  // Vendors' prefixes (`anthropic/…`) say nothing at a glance.
  return model?.slice(model.lastIndexOf("/") + 1);
}

/** The last line the model thought, for the status line; "" while it thinks nothing. */
export function lastThought(agent: AgentState | undefined): string {
  const thinking = agent?.live?.thinking ?? "";
  // The end is enough: thinking may be long and this runs for each frame.
  const lines = thinking.slice(-400).trimEnd().split("\n");
  return lines[lines.length - 1]?.trim() ?? "";
}

/** The card that has the keyboard: the oldest, wherever its question can be seen. */
export function frontCard({ cards, screen, overlay }: AppState): AppState["cards"][number] | undefined {
  return screen === "chat" && !overlay ? cards[0] : undefined;
}

/** What a person should know of a turn's end; the usual end says nothing. */
const endings: Partial<Record<StopReason, string>> = {
  cancelled: "Stopped.",
  max_tokens: 'The answer was cut: the model reached its longest reply. Say "go on" to continue.',
  max_turn_requests: 'Stopped: the limit of requests for one message (max_turns) was reached. Say "go on" to continue.',
  refusal: "The model refused to answer.",
  interrupted: 'The turn was interrupted when the server ended. Say "go on" to continue.',
  loop: "Stopped: the model went in circles.",
};

/** How the last turn ended, in words; undefined while one runs, and after a usual end. */
export function endingText(session: SessionState | undefined): string | undefined {
  const agent = rootAgent(session);
  if (agent?.state !== "idle") return undefined;
  if (agent.error) return agent.error.message;
  return agent.stopReason ? endings[agent.stopReason] : undefined;
}
