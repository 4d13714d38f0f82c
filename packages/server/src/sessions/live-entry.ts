import type { LiveSession, SessionEvent, SessionLog } from "@harness/core";
import { type HeldSession, ROOT_AGENT, type SessionUpdate, type UpdateView } from "@harness/protocol";
import type { McpServers, SessionResources, Workspace } from "@harness/workspace";
import type { ClientRequests } from "./client-requests.ts";
import { DeltaCoalescer } from "./delta-coalescer.ts";
import type { Subscribers } from "./subscribers.ts";

/** A session in memory with everything around it. */
export type LiveEntry = {
  readonly session: LiveSession;
  readonly log: SessionLog;
  readonly subscribers: Subscribers;
  readonly requests: ClientRequests;
  readonly workspace: Workspace;
  readonly sandbox: SessionResources["running"]["sandbox"];
  readonly processes: SessionResources["running"]["processes"];
  /** The MCP servers that it has asked for. */
  readonly mcp: McpServers;
  /** Files as its clients have them open. */
  readonly buffers: SessionResources["running"]["buffers"];
  /** Removes the currently known secrets from a text. */
  hide(text: string): string;
  /** The log of its main agent; undefined: the session leaves nothing behind. */
  readonly transcriptPath: string | undefined;
  /** True if it was begun in an earlier process. */
  readonly isResumed: boolean;
  /** Damage of the stored log, in words. */
  readonly damage: string | undefined;
};

type UpdateObserver = UpdateView & { seeDelta(update: SessionUpdate): void };

/** Sends a session's events to its subscribers as updates; `observers` see each fact after it was sent. */
export function createUpdateSender(sessionId: string, subscribers: Subscribers, observers: UpdateObserver) {
  const coalescer = new DeltaCoalescer((update) => {
    subscribers.send(update);
    observers.seeDelta(update);
  });
  return (event: SessionEvent): void => {
    if ("delta" in event) {
      const { agentId, turnId, delta } = event;
      coalescer.push({ sessionId, agentId, turnId, update: delta });
      return;
    }
    coalescer.flush();
    const { unstored, ...rest } = "stored" in event ? { unstored: undefined, ...event.stored } : event;
    const update = { sessionId, ...rest, ...(unstored ? { update: unstored } : {}) } as SessionUpdate;
    subscribers.send(update);
    observers.see(update);
  };
}

export function stateOf({ session }: LiveEntry): "idle" | "running" | "waiting" | "requires_action" {
  return session.state.agents.get(ROOT_AGENT)?.state ?? "idle";
}

/** The number of agents that are still working, including the main agent. */
export function agentsAtWork({ session }: LiveEntry): number {
  let count = 0;
  for (const { state, run } of session.state.agents.values())
    if ((run === undefined || run === "running") && state !== "idle") count += 1;
  return count;
}

/** The session as those who look at it from outside see it. */
export function heldSession(entry: LiveEntry): HeldSession {
  const { sessionId, cwd, title, preview } = entry.log.digest;
  return {
    ...{ sessionId, cwd, preview },
    ...(title === undefined ? {} : { title }),
    state: stateOf(entry),
    agentsRunning: agentsAtWork(entry),
    asks: entry.requests.openTitles(),
    clients: entry.subscribers.count,
  };
}
