import * as z from "zod";
import { AgentActivity, AgentRun } from "../agent-activity.ts";
import { AgentMode } from "../agent-mode.ts";
import { Failure } from "../failure.ts";
import { AgentWorktree } from "../files/agent-worktree.ts";
import { Cost, StopReason, Usage } from "../message.ts";
import { NamedPermissionMode } from "../permission.ts";
import { QueuedPrompt } from "./queued-prompt.ts";
import { updateRow } from "./update-row.ts";

/** The activity of agents, and messages to them while they work. */
export const agentFacts = {
  state_update: updateRow("state_update", "The agent started, waits for a person or for subagents, or is idle again.", {
    state: AgentActivity,
    stopReason: StopReason.optional(),
    usage: Usage.optional(),
    cost: Cost.optional(),
    error: Failure.optional(),
    /** At the end of a turn, the text that hooks returned in place of the model's last message. */
    output: z.string().optional(),
  }),
  main_agent_update: updateRow(
    "main_agent_update",
    "From here on, the main agent is this named agent, also after a resume.",
    {
      name: z.string(),
      /** From its definition: these hold even if that no longer exists. */
      mode: AgentMode.optional(),
      permissionMode: NamedPermissionMode.optional(),
    },
  ),
  subagent_update: updateRow("subagent_update", "A child agent started or ended.", {
    childAgentId: z.string(),
    toolCallId: z.string().optional(),
    task: z.string(),
    state: AgentRun,
    output: z.string().optional(),
    /** The length of its own answer, at the beginning of `output`; the rest tells its parent what it has changed. */
    answerLength: z.number().optional(),
    /** The name of its definition. */
    name: z.string().optional(),
    /** It goes on when the turn that started it ends. */
    background: z.literal(true).optional(),
    /** The call that started it waits for it, and returns its result. */
    awaited: z.literal(true).optional(),
    /** The `messageId` under which its result reaches the parent; absent if an older version wrote it. */
    resultId: z.string().optional(),
    /** Of its own and its subagents' requests; recorded at its end. */
    usage: Usage.optional(),
    cost: Cost.optional(),
    /** It works in its own worktree; the fact is repeated when its changes are applied or dropped. */
    worktree: AgentWorktree.optional(),
  }),
  inbox_update: updateRow(
    "inbox_update",
    "A message in this agent's inbox. The `user_message` with the same `messageId` delivers it.",
    {
      messageId: z.string(),
      /** `read`: a reply to a request that contained it is recorded. `dropped`: the agent ended before it read it. */
      state: z.enum(["queued", "read", "dropped"]),
      /** The sender; absent for the user. */
      fromAgentId: z.string().optional(),
      text: z.string().optional(),
      /** A user's message, in place of the text. */
      prompt: QueuedPrompt.optional(),
      /** Why it was dropped, as the end of a sentence. */
      reason: z.string().optional(),
    },
  ),
  queue_update: updateRow(
    "queue_update",
    "Messages were queued until the running turn ends, in order, or left the queue.",
    {
      added: z.array(QueuedPrompt),
      removed: z.array(z.string()),
    },
  ),
};
