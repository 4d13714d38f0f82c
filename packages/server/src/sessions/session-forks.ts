import { type FactPages, factsOf, LogWriteError, type SessionLog, type SessionStore } from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  type CallParams,
  type Content,
  emptySession,
  type Fact,
  protocolError,
  type Result,
  ROOT_AGENT,
  type ServerMethods,
  type SessionState,
  stateView,
} from "@harness/protocol";
import { orThrow } from "./store-errors.ts";

/** Facts of a turn before its first message, at most. */
const MAX_BEFORE_MESSAGE = 50;

type ForkResult = Result<ServerMethods, "session/fork">;
type ForkParams = CallParams<ServerMethods, "session/fork">;

/** The last fact that a fork shares with its parent, and the message after it, to be written anew. */
type ForkPoint = { seq: number; prompt?: Content[] };

type ForkOrder = Omit<ForkParams, "sessionId"> & { sessionId: string /** As it is now. */; parent: FactPages };

/** Makes forks of sessions: a fork is stored, and opened like any other session. */
export class SessionForks {
  readonly #store: SessionStore;
  readonly #clock: Pick<Clock, "now">;

  constructor(store: SessionStore, clock: Pick<Clock, "now">) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `client`: the requesting client. */
  make({ sessionId, parent, messageId, title }: ForkOrder, client?: string): ForkResult {
    const { seq, prompt } = forkPoint(parent, messageId);
    const createdAt = this.#now();
    const newId = this.#store.newSessionId();
    const start = { sessionId: newId, createdAt, seq, ...(client && { client }) };
    const log = orThrow(this.#store.fork(sessionId, start));
    try {
      this.#begin(log, title);
    } catch (error) {
      if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
      throw error;
    } finally {
      log.close();
    }
    return { ...orThrow(this.#store.inspect(newId)), ...(prompt && { prompt }) };
  }

  /** Its own first facts: its title, and the end of all that only the parent goes on with. */
  #begin(log: SessionLog, wanted: string | undefined): void {
    const state = emptySession(log.header.sessionId);
    const view = stateView(state);
    for (const fact of factsOf(log, { kinds: ["session_info_update", "queue_update", "subagent_update"] }))
      view.see(fact);
    const title = wanted ?? `${state.title ?? "Session"} (fork)`;
    const facts: [agentId: string, update: Fact][] = [
      [ROOT_AGENT, { sessionUpdate: "session_info_update", title }],
      ...outOfArchive(log),
      ...takenBack(state),
      ...leftWorktrees(state),
    ];
    for (const [agentId, update] of facts) log.append({ agentId, at: this.#now(), update });
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** A fork of an archived session is in use. */
function outOfArchive({ digest }: SessionLog): [string, Fact][] {
  return digest.archived ? [[ROOT_AGENT, { sessionUpdate: "archive_update", archived: false }]] : [];
}

/** Messages that wait in the parent are sent there. */
function takenBack({ queue }: SessionState): [string, Fact][] {
  if (queue.length === 0) return [];
  const removed = queue.map(({ promptId }) => promptId);
  return [[ROOT_AGENT, { sessionUpdate: "queue_update", added: [], removed }]];
}

/** The worktrees of subagents stay with the parent. */
function leftWorktrees({ agents }: SessionState): [string, Fact][] {
  return [...agents.values()].flatMap(({ agentId, parentAgentId, task = "", run, worktree }): [string, Fact][] => {
    if (worktree?.state !== "open" || parentAgentId === undefined) return [];
    const state = run === undefined || run === "running" ? "interrupted" : run;
    const update = { childAgentId: agentId, task, state, worktree: { ...worktree, state: "dropped" } } as const;
    return [[parentAgentId, { sessionUpdate: "subagent_update", ...update }]];
  });
}

/** The first fact of the turn that a message begins; of a message within a turn, its own number. */
function turnStart(parent: FactPages, seq: number, turnId: string | undefined): number {
  let start = seq;
  for (const fact of parent.read({ before: seq, limit: MAX_BEFORE_MESSAGE }).facts.reverse()) {
    const isMessage = ["user_message", "agent_message", "tool_call_update"].includes(fact.update.sessionUpdate);
    if (fact.turnId !== turnId || isMessage) break;
    start = fact.seq;
  }
  return start;
}

/** Of a message that follows again after a change of message files, the last fact counts. */
function forkPoint(parent: FactPages, messageId: string | undefined): ForkPoint {
  if (messageId === undefined)
    return { seq: parent.read({ before: Number.POSITIVE_INFINITY, limit: 1 }).facts.at(-1)?.seq ?? 0 };
  let point: ForkPoint | undefined;
  for (const { seq, agentId, turnId, update } of factsOf(parent, { kinds: ["user_message", "agent_message"] })) {
    if (agentId !== ROOT_AGENT || !("messageId" in update) || update.messageId !== messageId) continue;
    if (update.sessionUpdate === "agent_message") point = { seq };
    if (update.sessionUpdate !== "user_message" || update.origin !== "user") continue;
    // A message that was read from its file begins no turn.
    const start = update.fromFile ? seq : turnStart(parent, seq, turnId);
    point = { seq: start - 1, prompt: update.content };
  }
  if (point) return point;
  throw protocolError("not_found", `There is no message ${messageId} in this session to fork from.`, {
    what: "message",
    id: messageId,
  });
}
