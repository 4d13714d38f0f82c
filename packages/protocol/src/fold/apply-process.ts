import type { BackgroundProcessView } from "../vocabulary/background-process.ts";
import type { SessionUpdate, UpdateOf } from "../vocabulary/updates.ts";
import type { TranscriptItem } from "./transcript-item.ts";

/** Applies a report about a process to the session's list, and shows it unless a call of the agent does. */
export function applyProcess(
  { processes }: { processes: Map<string, BackgroundProcessView> },
  { agentId, items }: { agentId: string; items: TranscriptItem[] },
  update: UpdateOf<"process_update">,
  { seq, at = "" }: Pick<SessionUpdate, "seq" | "at">,
): void {
  const { sessionUpdate: _kind, ...change } = update;
  const { matched, stoppedBy, lastLines: _lines, note: _note, ...lasting } = change;
  const before = processes.get(change.processId);
  const isRunning = change.state === "running";
  processes.set(change.processId, {
    ...lasting,
    agentId: before?.agentId ?? agentId,
    startedAt: before?.startedAt ?? at,
    ...(isRunning ? {} : { endedAt: at }),
  });
  // The call that starts or stops a process is shown itself.
  if (matched === undefined && (isRunning || stoppedBy === "agent")) return;
  items.push({ kind: "process", id: `p${seq ?? at}`, ...change, at });
}
