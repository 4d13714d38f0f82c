import { type TurnChanges, turnEnd } from "@harness/protocol";
import type { Journal } from "../journal/journal.ts";
import type { CheckpointSpan, DiffPage, FileDiffs } from "../ports/checkpoints.ts";
import type { SessionPorts } from "../ports/session-ports.ts";
import { beganAt } from "./began-at.ts";
import type { CheckpointHistory } from "./checkpoint-history.ts";

type SessionDiffDeps = { ports: Pick<SessionPorts, "files">; journal: Journal; history: CheckpointHistory };

/** `since`: a message of the user; absent: the beginning of the session. */
export type DiffOptions = DiffPage & { since?: string };

/** The files changed by the turns of the session, without changes that were undone. Throws `LogWriteError`. */
export async function sessionDiff(
  { ports, journal, history }: SessionDiffDeps,
  { since, ...page }: DiffOptions,
): Promise<FileDiffs | { problem: string }> {
  const { checkpoints } = ports.files;
  if (!checkpoints) return { problem: "Changes are not recorded here: there is no place for checkpoints." };
  const { turns, messages } = journal.state.undo;
  const from = messages.find(({ messageId }) => messageId === since);
  if (!from && since !== undefined) return { problem: `There is no message ${since} in this session.` };
  const wanted = turns.filter(({ seq }) => seq > (from ? beganAt(from, messages) : 0));
  const open = wanted.some((turn) => endOf(turn, turns) === undefined);
  // Includes what a running turn has changed so far.
  const now = open ? await history.takeNow() : undefined;
  if (now && "problem" in now) return now;
  return checkpoints.diff(
    wanted.flatMap((turn) => stretchesOf(turn, endOf(turn, turns) ?? now?.checkpointId ?? turn.before)),
    page,
  );
}

function endOf(turn: TurnChanges, turns: readonly TurnChanges[]): string | undefined {
  return turnEnd(turn, turns[turns.indexOf(turn) + 1]);
}

function stretchesOf({ before, reverted, kept = [], unwritten = [] }: TurnChanges, after: string): CheckpointSpan[] {
  if (!reverted) return [{ before, after }];
  // Files that an undo left alone, or could not write, are still changed.
  return [...(kept.length > 0 ? [{ before, after, paths: kept }] : []), ...unwritten];
}
