import type { SessionUpdate as AcpUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Todo } from "@harness/protocol";

/** The agent's tasks. Ours have no priorities. */
export function planOf(todos: readonly Todo[]): AcpUpdate {
  return {
    sessionUpdate: "plan",
    entries: todos.map(({ text, status }) => ({ content: text, priority: "medium", status })),
  };
}
