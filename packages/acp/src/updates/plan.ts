import type { SessionUpdate as AcpUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Todo } from "@harness/protocol";

/** There is one list of tasks. */
const PLAN_ID = "tasks";

/** The agent's tasks; ours have no priorities. `byId`: the client knows plans by their ids, so that an empty one can be taken away. */
export function planOf(todos: readonly Todo[], { byId }: { byId: boolean }): AcpUpdate {
  const entries = todos.map(({ text, status }) => ({ content: text, priority: "medium" as const, status }));
  if (!byId) return { sessionUpdate: "plan", entries };
  if (todos.length === 0) return { sessionUpdate: "plan_removed", planId: PLAN_ID };
  return { sessionUpdate: "plan_update", plan: { type: "items", planId: PLAN_ID, entries } };
}
