import { parsePermissionMode } from "../choices.ts";
import type { BackgroundProcessView } from "../vocabulary/background-process.ts";
import type { QueuedPrompt } from "../vocabulary/facts/queued-prompt.ts";
import type { StagedFile } from "../vocabulary/facts/staged-file.ts";
import type { PinnedFile } from "../vocabulary/files/pinned-file.ts";
import type { Cost, Usage } from "../vocabulary/message.ts";
import type { Permission } from "../vocabulary/permission.ts";
import {
  type Delta,
  deltas,
  ROOT_AGENT,
  type SessionConfig,
  type SessionUpdate,
  type StoredFact,
  type TitleOrigin,
} from "../vocabulary/updates.ts";
import { addCost, addUsage, NO_COST, UNPRICED } from "../vocabulary/usage-sum.ts";
import { type AgentState, newAgent } from "./agent-state.ts";
import { applyAnswer, applyDelivery, applyInbox, applySubagent } from "./apply-agents.ts";
import { applyProcess } from "./apply-process.ts";
import type { FactView } from "./fact-view.ts";
import { applyFromFile, shownContent } from "./file-messages.ts";
import { applyGoal, type GoalState } from "./goal-state.ts";
import { hideOrShow } from "./hidden-items.ts";
import { applyDelta, type DeltaOutcome } from "./live-reply.ts";
import { applyStaged, awaitReview, type CallsInReview, settleReview } from "./reviewed-edits.ts";
import { changeSkills } from "./skill-lists.ts";
import { setTodos } from "./todo-lists.ts";
import { addEarlyCall, applyToolCall, isByPerson, showEarlyCalls } from "./tool-calls.ts";
import type { TranscriptItem } from "./transcript-item.ts";
import { applyChanges, applyState } from "./turn-end.ts";
import { applyToUndo, emptyUndoState, type UndoState } from "./undo-state.ts";

/** The state of a session: the fold of its facts, plus what is being streamed right now. */
export type SessionState = {
  sessionId: string;
  seq: number;
  title?: string;
  /** Absent if a person gave it the title. */
  titleOrigin?: TitleOrigin | undefined;
  config: SessionConfig;
  agents: Map<string, AgentState>;
  /** Running subagents, oldest first. */
  running: Set<string>;
  queue: QueuedPrompt[];
  permissions: Map<string, Permission>;
  /** Changes of files that are not in the workspace yet, by their real paths. */
  staged: Map<string, StagedFile>;
  inReview: CallsInReview;
  /** Background processes in the order of their start, including those that have ended. */
  processes: Map<string, BackgroundProcessView>;
  /** The files that the user has pinned: a new array whenever they change. */
  pinned: readonly PinnedFile[];
  undo: UndoState;
  /** Absent if none was ever set. */
  goal?: GoalState;
  /** Over all agents so far: requests that cost something, including summaries and failed ones, and their sums. */
  requests: number;
  usage: Usage;
  cost: Cost;
  /** Grows with every change; equal versions mean equal states. */
  version: number;
};

export function emptySession(sessionId: string): SessionState {
  return {
    sessionId,
    seq: 0,
    config: {},
    agents: new Map([[ROOT_AGENT, newAgent(ROOT_AGENT)]]),
    running: new Set(),
    queue: [],
    permissions: new Map(),
    staged: new Map(),
    inReview: new Map(),
    processes: new Map(),
    pinned: [],
    undo: emptyUndoState(),
    requests: 0,
    usage: {},
    cost: NO_COST,
    version: 0,
  };
}

export function fold(sessionId: string, facts: Iterable<StoredFact>): SessionState {
  const state = emptySession(sessionId);
  for (const fact of facts) applyUpdate(state, fact);
  return state;
}

/** Keeps the state up to date, in place; where a damaged log has gaps, the rest counts. */
export function stateView(state: SessionState): FactView {
  return {
    see(fact) {
      if (fact.seq > state.seq + 1) state.seq = fact.seq - 1;
      applyUpdate(state, fact);
    },
  };
}

/** An update of the state's own session, so that its id may be omitted. */
type OwnUpdate = Omit<SessionUpdate, "sessionId"> & Partial<Pick<SessionUpdate, "sessionId">>;

/**
 * Applies one update to the state, in place. A fact already seen is dropped; one that leaves a gap changes nothing: resume after `seq`.
 */
export function applyUpdate(state: SessionState, envelope: OwnUpdate): DeltaOutcome {
  const { seq } = envelope;
  if (seq !== undefined) {
    if (seq <= state.seq) return "duplicate";
    // A notice may stand for lost facts before its own.
    const { missing = 1 } = envelope.update.sessionUpdate === "notice" ? envelope.update : {};
    if (seq - Math.max(1, missing) > state.seq) return "gap";
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

type RequestSpend = { usage?: Usage | undefined; cost?: Cost | undefined };

/** Adds the cost of a request to the sums. A fact of an older version has no cost, but was not free. */
function spend(state: SessionState, agent: AgentState, { usage, cost = UNPRICED }: RequestSpend): void {
  agent.total = { usage: addUsage(agent.total.usage, usage), cost: addCost(agent.total.cost, cost) };
  state.requests += 1;
  state.usage = addUsage(state.usage, usage);
  state.cost = addCost(state.cost, cost);
}

type Apply<K extends Parameters<typeof applyFact>[2]["update"]["sessionUpdate"]> = (
  state: SessionState,
  agent: AgentState,
  update: Extract<SessionUpdate["update"], { sessionUpdate: K }>,
  envelope: OwnUpdate,
) => void;

const put = (agent: AgentState, item: TranscriptItem): unknown => agent.items.push(item);

/** A client learns the folder when it opens the session, and lists show the archive: their facts are not part of the state. */
const appliers: { [K in SessionUpdate["update"]["sessionUpdate"]]?: Apply<K> } = {
  user_message: (_state, agent, update, { at = "" }) => {
    applyDelivery(agent, update);
    // harness's own messages to the model are shown where the event happened.
    if (update.origin === "harness") return;
    const { messageId: id, origin, fromAgentId } = update;
    const from = fromAgentId ? { fromAgentId } : {};
    put(agent, { kind: "user", id, content: shownContent(update), origin, ...from, at });
  },
  agent_message: (state, agent, update, { at = "" }) => {
    endStreaming(agent);
    spend(state, agent, update);
    agent.model = update.model;
    if (update.usage) agent.usage = update.usage;
    if (update.prefix) agent.prefix = update.prefix;
    const { messageId: id, parts, model, thoughtMs } = update;
    const thought = thoughtMs === undefined ? {} : { thoughtMs };
    // An empty reply is counted but not shown.
    if (parts.length > 0) put(agent, { kind: "agent", id, parts, cut: update.stop === "cut", ...thought, model, at });
    showEarlyCalls(agent);
  },
  early_call: (_state, agent, { messageId, call: { toolCallId: id, name } }, { at = "" }) =>
    addEarlyCall(agent, messageId, { kind: "tool", id, name, title: name, status: "pending", at }),
  tool_call_update: (state, agent, update, { at = "" }) => {
    if (update.cost) spend(state, agent, update);
    applyAnswer(agent, update);
    applyToolCall(agent, update, at);
    awaitReview(state, agent, update);
  },
  state_update: (state, agent, update, { turnId, seq = state.seq, at = "" }) => {
    if (turnId) agent.turnId = turnId;
    if (update.state === "idle") {
      endStreaming(agent);
      showEarlyCalls(agent);
      // The user's own commands run beside the turns.
      for (const toolCallId of agent.output.keys()) if (!isByPerson(agent, toolCallId)) agent.output.delete(toolCallId);
    }
    const { output } = update;
    if (output) {
      put(agent, {
        kind: "agent",
        id: `o${seq}`,
        parts: [{ type: "text", text: output }],
        cut: false,
        model: agent.model ?? "",
        at,
      });
    }
    applyState(agent, update, seq, at);
  },
  session_info_update: (state, agent, update) => {
    state.title = update.title;
    state.titleOrigin = update.origin;
    if (update.cost) spend(state, agent, update);
  },
  config_option_update: (state, agent, update, { seq, at = "" }) => {
    const { permissionMode, model, provider } = update.config;
    // A stored fact may have the name of an older version.
    const named = permissionMode === undefined ? {} : { permissionMode: parsePermissionMode(permissionMode) };
    state.config = { ...state.config, ...update.config, ...named };
    const title = (model ?? provider) === undefined ? undefined : update.reason;
    if (title !== undefined) put(agent, { kind: "notice", id: `n${seq ?? at}`, severity: "info", title, at });
  },
  compaction_update: (state, agent, update, { at = "" }) => {
    // No model was asked if the messages were left out without a summary.
    if (update.fallback === undefined) spend(state, agent, update);
    delete agent.compaction;
    const { compactionId: id, summary, tokensBefore, tokensAfter, passes, fallback, pins } = update;
    const how = { ...(passes && { passes }), ...(fallback && { fallback }), ...(pins && { pins }) };
    put(agent, { kind: "compaction", id, summary, tokensBefore, tokensAfter, ...how, at });
  },
  context_update: (_state, agent, { reason, title, shortened }, { seq, at = "" }) => {
    // The user should notice if their own text was shortened, or if the model never saw it.
    const isWarning = reason === "refused" || shortened.some((each) => each.seq !== undefined);
    const severity = isWarning ? "warning" : "info";
    put(agent, { kind: "notice", id: `x${seq ?? at}`, severity, title, at });
  },
  notice: (state, agent, update, { seq, at = "" }) => {
    if (update.cost) spend(state, agent, update);
    const { severity, title, description } = update;
    put(agent, { kind: "notice", id: `n${seq ?? at}`, severity, title, ...(description ? { description } : {}), at });
  },
  main_agent_update: (_state, agent, { name }) => {
    agent.name = name;
  },
  subagent_update: (state, agent, update, { at = "" }) => {
    applySubagent(state.agents, agent, update, at);
    if (update.state === "running") state.running.add(update.childAgentId);
    else state.running.delete(update.childAgentId);
  },
  inbox_update: (state, agent, update, { at = "" }) => applyInbox(state.agents, agent, update, at),
  repair: (_state, agent, { messageId, what, toolCallId, detail }, { seq, at = "" }) => {
    const id = `r${seq ?? at}`;
    put(agent, { kind: "repair", id, messageId, what, ...(toolCallId ? { toolCallId } : {}), detail, at });
  },
  todo_update: (state, agent, { todos }, { seq = state.seq }) => setTodos(agent, seq, todos),
  pin_update: (state, _agent, { files }) => {
    state.pinned = files;
  },
  goal_update: (state, agent, update, envelope) => {
    if (update.cost) spend(state, agent, update);
    applyGoal(state, agent.items, update, envelope);
  },
  skill_update: (state, agent, update, { seq = state.seq }) => changeSkills(agent, seq, update),
  process_update: applyProcess,
  queue_update: (state, _agent, { added, removed }) => {
    state.queue = [...state.queue.filter(({ promptId }) => !removed.includes(promptId)), ...added];
  },
  retry: (state, agent, update) => {
    if (update.cost) spend(state, agent, update);
    delete agent.live;
    delete agent.status;
    agent.retry = update;
  },
  turn_changes: (_state, agent, update) => applyChanges(agent, update),
  rewind_update: (state, agent, update, { at = "" }) => {
    hideOrShow(agent, state.undo, update);
    const { rewindId: id, kind: rewind, files, title, description } = update;
    const text = title === undefined ? { files } : { title, ...(description && { description }) };
    put(agent, { kind: "rewind", id, rewind, ...text, at });
  },
  staged_update: (state, _agent, { files }) => applyStaged(state, files),
  permission_requested: (state, _agent, { permission }) => {
    state.permissions.set(permission.permissionId, permission);
  },
  permission_resolved: (state, _agent, { permissionId, outcome }) => {
    const permission = state.permissions.get(permissionId);
    if (permission?.review) settleReview(state, permission, outcome);
    state.permissions.delete(permissionId);
  },
};

function endStreaming(agent: AgentState): void {
  delete agent.live;
  delete agent.status;
  delete agent.retry;
}

function applyFact(state: SessionState, agent: AgentState, envelope: OwnUpdate): void {
  if (applyFromFile(agent, envelope)) return;
  const apply = appliers[envelope.update.sessionUpdate] as Apply<typeof envelope.update.sessionUpdate> | undefined;
  // A fact of a newer version keeps its place in the order and changes nothing.
  apply?.(state, agent, envelope.update as never, envelope);
}
