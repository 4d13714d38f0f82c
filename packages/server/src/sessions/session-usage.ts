import type { LiveSession } from "@harness/core";
import { type Result, ROOT_AGENT, type ServerMethods } from "@harness/protocol";

/** Tokens and cost of a session, and of the last turn of its main agent. */
export function sessionUsage({ state }: LiveSession): Pick<Result<ServerMethods, "usage/get">, "session" | "turn"> {
  const { requests, usage, cost } = state;
  const turn = state.agents.get(ROOT_AGENT)?.lastTurn;
  return { session: { requests, usage, cost }, ...(turn && { turn }) };
}
