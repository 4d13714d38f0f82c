import type { UpdateOf } from "../vocabulary/updates.ts";
import type { AgentState } from "./agent-state.ts";

type Turn = NonNullable<AgentState["turn"]>;
type TurnAgent = Pick<AgentState, "state" | "stopReason" | "error" | "lastTurn" | "items" | "turn">;

/** Applies that the agent works, waits, or is idle again: the end of a turn stays in the transcript. */
export function applyState(agent: TurnAgent, update: UpdateOf<"state_update">, seq: number, at: string): void {
  agent.state = update.state;
  if (update.state !== "idle") {
    agent.turn = timed(agent.turn ?? { startedAt: at }, update.state, at);
    return;
  }
  const { stopReason, error, usage, cost } = update;
  if (stopReason) agent.stopReason = stopReason;
  else delete agent.stopReason;
  if (error) agent.error = error;
  else delete agent.error;
  if (cost) agent.lastTurn = { usage: usage ?? {}, cost };
  const turn = agent.turn && timed(agent.turn, "idle", at);
  delete agent.turn;
  if (!turn) return;
  const ms = Date.parse(at) - Date.parse(turn.startedAt) - (turn.askedMs ?? 0);
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

/** Counts the time in which the turn waited for the user, which is not its own. */
function timed(turn: Turn, state: AgentState["state"], at: string): Turn {
  const { askedAt, askedMs = 0, ...rest } = turn;
  const waited = askedAt === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(askedAt));
  const sum = askedMs + waited;
  return {
    ...rest,
    ...(sum > 0 ? { askedMs: sum } : {}),
    ...(state === "requires_action" ? { askedAt: at } : {}),
  };
}

/** Adds the turn's file changes, which its end shows. */
export function applyChanges(agent: TurnAgent, { files, moreFiles, added, removed }: UpdateOf<"turn_changes">): void {
  if (agent.turn) agent.turn.changes = { files, moreFiles, added, removed };
}
