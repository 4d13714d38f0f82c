import type { UpdateOf } from "../vocabulary/updates.ts";
import type { AgentState } from "./agent-state.ts";

type TurnAgent = Pick<AgentState, "state" | "stopReason" | "error" | "lastTurn" | "items" | "turn">;

/** Applies that the agent works, waits, or is idle again: the end of a turn stays in the transcript. */
export function applyState(agent: TurnAgent, update: UpdateOf<"state_update">, seq: number, at: string): void {
  agent.state = update.state;
  if (update.state !== "idle") {
    agent.turn ??= { startedAt: at };
    return;
  }
  const { stopReason, error, usage, cost } = update;
  if (stopReason) agent.stopReason = stopReason;
  else delete agent.stopReason;
  if (error) agent.error = error;
  else delete agent.error;
  if (cost) agent.lastTurn = { usage: usage ?? {}, cost };
  const { turn } = agent;
  delete agent.turn;
  if (!turn) return;
  const ms = Date.parse(at) - Date.parse(turn.startedAt);
  const before = agent.items.at(-1);
  // After an interruption the end is noticed only when the session is opened again, so its time is unknown.
  const isInterrupted = stopReason === "interrupted";
  const isExplained = !isInterrupted && before?.kind === "notice" && before.severity !== "info";
  agent.items.push({
    kind: "turn",
    id: `e${seq}`,
    ...(ms >= 0 && !isInterrupted ? { ms } : {}),
    ...(stopReason && { stopReason }),
    ...(error && { error }),
    ...(usage && { usage }),
    ...(cost && { cost }),
    ...(turn.changes && { changes: turn.changes }),
    ...(isExplained ? { explained: true as const } : {}),
    at,
  });
}

/** Adds the turn's file changes, which its end shows. */
export function applyChanges(agent: TurnAgent, { files, moreFiles, added, removed }: UpdateOf<"turn_changes">): void {
  if (agent.turn) agent.turn.changes = { files, moreFiles, added, removed };
}
