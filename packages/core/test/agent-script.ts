import { call, type MemorySession, type Script, type ScriptedEvent, saying } from "@harness/testkit";
import { expect } from "vitest";
import type { ModelMessage, ModelRequest } from "../src/ports/provider.ts";

/** Holds a reply of the model until it is opened. */
export function gate(): { until: ScriptedEvent; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { until: { type: "until", promise }, open: resolve };
}

const textOf = (message: ModelMessage | undefined) =>
  message?.role === "user" ? message.content.map((part) => (part.type === "text" ? part.text : "")).join("") : "";

/** Identifies a request by the first words of its conversation. */
const taskOf = ({ messages: [first] }: ModelRequest): string => textOf(first).split("\n")[0] ?? "";

const repliesIn = ({ messages }: ModelRequest): number => messages.filter(({ role }) => role === "assistant").length;

export const start = (id: string, task: string, more: Record<string, unknown> = {}) =>
  call(id, "start_subagent", { task, ...more });

export const send = (id: string, to: string, text: string, wait = false) =>
  call(id, "send_message", { to, text, ...(wait ? { wait } : {}) });

type Reply = ScriptedEvent[] | ((request: ModelRequest) => ScriptedEvent[]);

/** A script by task: the replies of each agent, request by request; the last one is repeated. */
export function byTask(replies: Record<string, Reply[]>): Script {
  return (request) => {
    const own = replies[taskOf(request)] ?? [];
    const reply = own[Math.min(repliesIn(request), own.length - 1)] ?? saying("nothing to do");
    return typeof reply === "function" ? reply(request) : reply;
  };
}

/** The messages that an agent received, in order. */
export const heard = (memory: MemorySession, agentId: string): string[] =>
  memory.log.facts.flatMap(({ agentId: owner, update }) =>
    owner === agentId && update.sessionUpdate === "user_message"
      ? [update.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
      : [],
  );

export const untilWaiting = (memory: MemorySession, waiting = "main"): Promise<void> =>
  memory.untilFact(
    (fact, agentId) => agentId === waiting && fact.sessionUpdate === "state_update" && fact.state === "waiting",
  );

/** Nothing is left over: server, log and client agree, no agent runs, nothing is unread. */
export function expectWhole(memory: MemorySession): void {
  expectSettled(memory);
  expect(memory.states.client).toEqual(memory.states.folded);
}

/** The same for a session that was opened again, whose client has not seen its earlier life. */
export function expectSettled(memory: MemorySession): void {
  const { live, folded } = memory.states;
  expect(live).toEqual(folded);
  for (const agent of live.agents.values()) {
    expect(agent.state).toBe("idle");
    expect([...agent.inbox.values()]).toEqual([]);
  }
}
