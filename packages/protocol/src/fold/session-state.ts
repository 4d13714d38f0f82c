import type { AgentActivity, AgentRun } from "../vocabulary/agent-activity.ts";
import type { BackgroundProcess } from "../vocabulary/background-process.ts";
import type { Block } from "../vocabulary/blocks.ts";
import type { Failure } from "../vocabulary/failure.ts";
import type { Cost, PrefixReport, StopReason, Usage } from "../vocabulary/message.ts";
import type { Permission } from "../vocabulary/permission.ts";
import type { Todo } from "../vocabulary/todo.ts";
import type { ToolOutcome } from "../vocabulary/tool-outcome.ts";
import {
  type Delta,
  deltas,
  type QueuedPrompt,
  ROOT_AGENT,
  type SessionConfig,
  type SessionUpdate,
  type StoredFact,
  type UpdateOf,
} from "../vocabulary/updates.ts";
import { addCost, addUsage, NO_COST, UNPRICED } from "../vocabulary/usage-sum.ts";
import { applyProcess } from "./apply-process.ts";
import { type HiddenItems, hideOrShow } from "./hidden-items.ts";
import { type Applied, applyDelta, type Streaming } from "./live-reply.ts";
import { setTodos, type TodoLists } from "./todo-lists.ts";
import { addEarlyCall, applyToolCall, type EarlyCalls, showEarlyCalls } from "./tool-calls.ts";
import type { TranscriptItem } from "./transcript-item.ts";
import { applyToUndo, emptyUndoState, type UndoState } from "./undo-state.ts";

export type AgentState = Streaming & {
  agentId: string;
  parentAgentId?: string;
  task?: string;
  run: AgentRun | undefined;
  items: TranscriptItem[];
  state: AgentActivity;
  turnId?: string;
  stopReason?: StopReason;
  error?: Failure;
  retry?: UpdateOf<"retry">;
  /** Of its last reply. */
  usage?: Usage;
  /** Tokens and cost of its last turn, with the subagents that it started. */
  lastTurn?: { usage: Usage; cost: Cost };
  /** Of its last request. */
  prefix?: PrefixReport;
  early?: EarlyCalls;
  /** Its tasks; those of messages that a rewind has hidden do not count. */
  todos: readonly Todo[];
  todoLists: TodoLists;
  /** Indexes in `items` of tool calls and subagents, by their ids. */
  positions: Map<string, number>;
  /** Items that rewinds have hidden, by `rewindId`. */
  hidden: Map<string, HiddenItems>;
};

/** The state of a session: the fold of its facts, plus what is being streamed right now. */
export type SessionState = {
  sessionId: string;
  seq: number;
  title?: string;
  config: SessionConfig;
  agents: Map<string, AgentState>;
  queue: QueuedPrompt[];
  permissions: Map<string, Permission>;
  /** Processes that stay, in the order of their start, with those that have ended. */
  processes: Map<string, BackgroundProcess>;
  undo: UndoState;
  /** Of all agents so far: requests that cost something, summaries and failed ones included, and their sums. */
  requests: number;
  usage: Usage;
  cost: Cost;
  /** Grows with every change; equal versions mean equal states. */
  version: number;
};

function newAgent(agentId: string): AgentState {
  const none = { output: new Map(), positions: new Map(), hidden: new Map(), todos: [], todoLists: [] };
  return { agentId, run: undefined, items: [], state: "idle", ...none };
}

export function emptySession(sessionId: string): SessionState {
  return {
    sessionId,
    seq: 0,
    config: {},
    agents: new Map([[ROOT_AGENT, newAgent(ROOT_AGENT)]]),
    queue: [],
    permissions: new Map(),
    processes: new Map(),
    undo: emptyUndoState(),
    requests: 0,
    usage: {},
    cost: NO_COST,
    version: 0,
  };
}

/** The state after all these facts. */
export function fold(sessionId: string, facts: Iterable<StoredFact>): SessionState {
  const state = emptySession(sessionId);
  for (const fact of facts) applyUpdate(state, { sessionId, ...fact });
  return state;
}

/**
 * Applies one update to the state, in place. A fact already seen is dropped; a fact or chunk that leaves a gap changes
 * nothing and returns "gap": the client then resumes the session after `state.seq`.
 */
export function applyUpdate(state: SessionState, envelope: SessionUpdate): Applied {
  const { seq } = envelope;
  if (seq !== undefined) {
    if (seq <= state.seq) return "duplicate";
    if (seq !== state.seq + 1) return "gap";
    state.seq = seq;
  }
  let agent = state.agents.get(envelope.agentId);
  if (!agent) {
    agent = newAgent(envelope.agentId);
    state.agents.set(envelope.agentId, agent);
  }
  state.version += 1;
  // A fact without a number could not be stored: it is shown all the same.
  if (isDelta(envelope.update)) return applyDelta(agent, envelope);
  applyFact(state, agent, envelope);
  applyToUndo(state.undo, envelope);
  return "applied";
}

function isDelta(update: SessionUpdate["update"]): update is Delta {
  return Object.hasOwn(deltas, update.sessionUpdate);
}

type Spent = { usage?: Usage | undefined; cost?: Cost | undefined };

/** Adds the cost of a request to the sums of the session. A fact of an older version has no cost, but was not free. */
function spend(state: SessionState, { usage, cost = UNPRICED }: Spent): void {
  state.requests += 1;
  state.usage = addUsage(state.usage, usage);
  state.cost = addCost(state.cost, cost);
}

type Apply<K extends Parameters<typeof applyFact>[2]["update"]["sessionUpdate"]> = (
  state: SessionState,
  agent: AgentState,
  update: Extract<SessionUpdate["update"], { sessionUpdate: K }>,
  envelope: SessionUpdate,
) => void;

const put = (agent: AgentState, item: TranscriptItem): void => {
  agent.items.push(item);
};

const appliers: { [K in SessionUpdate["update"]["sessionUpdate"]]?: Apply<K> } = {
  user_message: (_state, agent, update, { at = "" }) => {
    // What harness tells the model is shown where it happened.
    if (update.origin === "harness") return;
    put(agent, {
      kind: "user",
      id: update.messageId,
      content: update.content,
      origin: update.origin,
      ...(update.fromAgentId ? { fromAgentId: update.fromAgentId } : {}),
      at,
    });
  },
  agent_message: (state, agent, update, { at = "" }) => {
    endStreaming(agent);
    spend(state, update);
    if (update.usage) agent.usage = update.usage;
    if (update.prefix) agent.prefix = update.prefix;
    const { messageId: id, parts, model, thoughtMs } = update;
    const thought = thoughtMs === undefined ? {} : { thoughtMs };
    // An empty reply is counted and not shown.
    if (parts.length > 0) put(agent, { kind: "agent", id, parts, cut: update.stop === "cut", ...thought, model, at });
    showEarlyCalls(agent);
  },
  early_call: (_state, agent, { messageId, call: { toolCallId: id, name } }, { at = "" }) =>
    addEarlyCall(agent, messageId, { kind: "tool", id, name, title: name, status: "pending", at }),
  tool_call_update: (_state, agent, update, { at = "" }) => applyToolCall(agent, update, at),
  state_update: (_state, agent, update, { turnId }) => {
    agent.state = update.state;
    if (turnId) agent.turnId = turnId;
    if (update.state !== "idle") return;
    endStreaming(agent);
    showEarlyCalls(agent);
    // The person's own commands go on beside the turns.
    for (const toolCallId of agent.output.keys()) if (!isByPerson(agent, toolCallId)) agent.output.delete(toolCallId);
    setOrDelete(agent, "stopReason", update.stopReason);
    setOrDelete(agent, "error", update.error);
    if (update.cost) agent.lastTurn = { usage: update.usage ?? {}, cost: update.cost };
  },
  session_info_update: (state, _agent, update) => {
    state.title = update.title;
  },
  config_option_update: (state, _agent, update) => {
    state.config = { ...state.config, ...update.config };
  },
  compaction_update: (state, agent, update, { at = "" }) => {
    spend(state, update);
    const { compactionId: id, summary, tokensBefore, tokensAfter } = update;
    put(agent, { kind: "compaction", id, summary, tokensBefore, tokensAfter, at });
  },
  notice: (state, agent, update, { seq, at = "" }) => {
    if (update.cost) spend(state, update);
    const { severity, title, description } = update;
    put(agent, { kind: "notice", id: `n${seq ?? at}`, severity, title, ...(description ? { description } : {}), at });
  },
  subagent_update: (state, agent, update, { at = "" }) => applySubagent(state, agent, update, at),
  repair: (_state, agent, { messageId, what, toolCallId, detail }, { seq, at = "" }) => {
    const id = `r${seq ?? at}`;
    put(agent, { kind: "repair", id, messageId, what, ...(toolCallId ? { toolCallId } : {}), detail, at });
  },
  todo_update: (state, agent, { todos }, { seq = state.seq }) => setTodos(agent, seq, todos),
  process_update: applyProcess,
  queue_update: (state, _agent, { added, removed }) => {
    state.queue = [...state.queue.filter(({ promptId }) => !removed.includes(promptId)), ...added];
  },
  retry: (state, agent, update) => {
    if (update.cost) spend(state, update);
    delete agent.live;
    delete agent.status;
    agent.retry = update;
  },
  turn_changes: (_state, agent, { files, moreFiles, added, removed }, { seq, at = "" }) =>
    put(agent, { kind: "changes", id: `c${seq ?? at}`, files, moreFiles, added, removed, at }),
  rewind_update: (state, agent, update, { at = "" }) => {
    hideOrShow(agent, state.undo, update);
    const { rewindId: id, kind: rewind, files, title, description } = update;
    const text = title === undefined ? { files } : { title, ...(description && { description }) };
    put(agent, { kind: "rewind", id, rewind, ...text, at });
  },
  permission_requested: (state, _agent, { permission }) => {
    state.permissions.set(permission.permissionId, permission);
  },
  permission_resolved: (state, _agent, { permissionId }) => {
    state.permissions.delete(permissionId);
  },
};

function isByPerson({ items, positions }: AgentState, toolCallId: string): boolean {
  const item = items[positions.get(toolCallId) ?? -1];
  return item?.kind === "tool" && item.byPerson === true;
}

function endStreaming(agent: AgentState): void {
  delete agent.live;
  delete agent.status;
  delete agent.retry;
}

function setOrDelete<T extends object, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}

function applyFact(state: SessionState, agent: AgentState, envelope: SessionUpdate): void {
  const apply = appliers[envelope.update.sessionUpdate] as Apply<typeof envelope.update.sessionUpdate> | undefined;
  // A fact of a newer version keeps its place in the order and changes nothing.
  apply?.(state, agent, envelope.update as never, envelope);
}

function applySubagent(state: SessionState, parent: AgentState, update: UpdateOf<"subagent_update">, at: string): void {
  const { childAgentId, task, state: run, output } = update;
  const child = state.agents.get(childAgentId) ?? newAgent(childAgentId);
  child.parentAgentId = parent.agentId;
  child.task = task;
  child.run = run;
  state.agents.set(childAgentId, child);
  const position = parent.positions.get(childAgentId);
  const startedAt = position === undefined ? at : (parent.items[position]?.at ?? at);
  const item: TranscriptItem = {
    kind: "subagent",
    id: childAgentId,
    childAgentId,
    task,
    state: run,
    output,
    at: startedAt,
  };
  if (position === undefined) {
    parent.positions.set(childAgentId, parent.items.length);
    parent.items.push(item);
  } else parent.items[position] = item;
}

/** Blocks to draw for a call that has ended; its text where the tool gave no blocks. */
export function blocksOf(outcome: ToolOutcome): Block[] {
  return outcome.blocks.length > 0 ? outcome.blocks : [{ type: "text", text: outcome.text }];
}
