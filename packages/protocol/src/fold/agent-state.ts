import type { AgentActivity, AgentRun } from "../vocabulary/agent-activity.ts";
import type { QueuedPrompt } from "../vocabulary/facts/queued-prompt.ts";
import type { Failure } from "../vocabulary/failure.ts";
import type { AgentWorktree } from "../vocabulary/files/agent-worktree.ts";
import type { ChangeCounts } from "../vocabulary/files/file-changes.ts";
import type { Cost, PrefixReport, StopReason, Usage } from "../vocabulary/message.ts";
import type { ActiveSkill } from "../vocabulary/skill.ts";
import type { Todo } from "../vocabulary/todo.ts";
import type { UpdateOf } from "../vocabulary/updates.ts";
import { NO_COST } from "../vocabulary/usage-sum.ts";
import type { HiddenItems } from "./hidden-items.ts";
import type { StreamingState } from "./live-reply.ts";
import type { SkillLists } from "./skill-lists.ts";
import type { TodoLists } from "./todo-lists.ts";
import type { EarlyCalls } from "./tool-calls.ts";
import type { TranscriptItem } from "./transcript-item.ts";

/** A message that an agent has not read. `delivered`: it is in the conversation, and no reply has followed yet. */
export type InboxMessage = { messageId: string; state: "queued" | "delivered"; at: string } & (
  | { origin: "user"; prompt: QueuedPrompt }
  | { origin: "agent"; fromAgentId: string; text: string }
  /** The end of a subagent, and its output; `toolCallId`: of the call that is still to answer with it. */
  | { origin: "subagent"; fromAgentId: string; run: AgentRun; text: string; toolCallId?: string }
  /** A message of this agent was dropped: its receiver, and why. */
  | { origin: "harness"; toAgentId: string; text: string; reason: string }
);

export type AgentState = StreamingState & {
  agentId: string;
  parentAgentId?: string;
  task?: string;
  /** Of the definition that it was started with. */
  name?: string;
  background?: true;
  worktree?: AgentWorktree;
  run: AgentRun | undefined;
  /** When it was started and when it ended, as a subagent. */
  startedAt?: string;
  endedAt?: string;
  items: TranscriptItem[];
  state: AgentActivity;
  turnId?: string;
  /** The turn that runs: when it began, and what it has changed in files. */
  turn?: { startedAt: string; changes?: ChangeCounts };
  stopReason?: StopReason;
  error?: Failure;
  retry?: UpdateOf<"retry">;
  /** Of its last reply. */
  model?: string;
  usage?: Usage;
  /** Of all its requests. */
  total: { usage: Usage; cost: Cost };
  /** Tokens and cost of its last turn, with the subagents that it started. */
  lastTurn?: { usage: Usage; cost: Cost };
  /** Of its last request. */
  prefix?: PrefixReport;
  early?: EarlyCalls;
  /** Its unread messages by `messageId`, oldest first. */
  inbox: Map<string, InboxMessage>;
  /** Its tasks; tasks set in messages that a rewind has hidden do not count. */
  todos: readonly Todo[];
  todoLists: TodoLists;
  /** The skills that it works with, in the order in which they became active; rewinds count for them as well. */
  skills: readonly ActiveSkill[];
  skillLists: SkillLists;
  /** Indexes in `items` of tool calls and subagents, by their ids. */
  positions: Map<string, number>;
  /** Items that rewinds have hidden, by `rewindId`. */
  hidden: Map<string, HiddenItems>;
};

export function newAgent(agentId: string): AgentState {
  const none = {
    output: new Map(),
    positions: new Map(),
    hidden: new Map(),
    inbox: new Map(),
    todos: [],
    todoLists: [],
    skills: [],
    skillLists: [],
  };
  return { agentId, run: undefined, items: [], state: "idle", total: { usage: {}, cost: NO_COST }, ...none };
}
