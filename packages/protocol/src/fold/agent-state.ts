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
  /** The end of a subagent, and its output; `toolCallId`: the call that is still to return it. */
  | { origin: "subagent"; fromAgentId: string; run: AgentRun; text: string; toolCallId?: string }
  /** A message of this agent was dropped: its receiver, and why. */
  | { origin: "harness"; toAgentId: string; text: string; reason: string }
);

export type AgentState = StreamingState & {
  agentId: string;
  parentAgentId?: string;
  task?: string;
  /** The name of its definition. */
  name?: string;
  background?: true;
  worktree?: AgentWorktree;
  run: AgentRun | undefined;
  /** If it is a subagent: when it was started and when it ended. */
  startedAt?: string;
  endedAt?: string;
  items: TranscriptItem[];
  state: AgentActivity;
  turnId?: string;
  /**
   * The running turn: when it began, its changes of files, how long it has waited for the user, in ms, and since when it
   * does.
   */
  turn?: { startedAt: string; changes?: ChangeCounts; askedMs?: number; askedAt?: string };
  stopReason?: StopReason;
  error?: Failure;
  retry?: UpdateOf<"retry">;
  /** The model of its last reply. */
  model?: string;
  usage?: Usage;
  /** The sum of all its requests. */
  total: { usage: Usage; cost: Cost };
  /** Tokens and cost of its last turn, including the subagents that it started. */
  lastTurn?: { usage: Usage; cost: Cost };
  /** For its last request. */
  prefix?: PrefixReport;
  early?: EarlyCalls;
  /** Its unread messages by `messageId`, oldest first. */
  inbox: Map<string, InboxMessage>;
  /** Its tasks; tasks set in messages that a rewind has hidden do not count. */
  todos: readonly Todo[];
  todoLists: TodoLists;
  /** Its active skills, in the order in which they became active; rewinds count for them as well. */
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
