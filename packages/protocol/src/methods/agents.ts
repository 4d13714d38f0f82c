import * as z from "zod";
import { AgentActivity, AgentRun } from "../vocabulary/agent-activity.ts";
import { AgentDefinition } from "../vocabulary/agent-definition.ts";
import { AgentWorktree } from "../vocabulary/files/agent-worktree.ts";
import { Cost, Usage } from "../vocabulary/message.ts";
import { request } from "./table.ts";

/** The folder it is in: `person`: beside the settings, `project`: `.harness` of the working folder. */
const owner = z.enum(["person", "project"]);

/** A named agent with its file. */
export const NamedAgentView = AgentDefinition.extend({
  path: z.string(),
  owner,
  /** Files of the same name that it takes precedence over. */
  shadows: z.array(z.string()),
  /** Sentences about parts of the file without effect. */
  notes: z.array(z.string()),
});
export type NamedAgentView = z.infer<typeof NamedAgentView>;

export const UnusedAgentFile = z.object({
  path: z.string(),
  /** A sentence. */
  problem: z.string(),
  /** It takes effect once its folder is trusted. */
  needsTrust: z.boolean().optional(),
});
export type UnusedAgentFile = z.infer<typeof UnusedAgentFile>;

/** An agent of a session, as lists show it. */
export const AgentView = z.object({
  agentId: z.string(),
  parentAgentId: z.string().optional(),
  task: z.string().optional(),
  /** The name of its definition. */
  name: z.string().optional(),
  /** 0 is the agent that the user talks to. */
  depth: z.number(),
  state: z.union([AgentActivity, AgentRun]),
  startedAt: z.string().optional(),
  /** The model of its last reply. */
  model: z.string().optional(),
  /** It goes on when the turn that started it ends. */
  background: z.boolean().optional(),
  /** The title of its last call, or the beginning of its last text. */
  lastAction: z.string().optional(),
  /** The sum of its own requests. */
  usage: Usage.optional(),
  cost: Cost.optional(),
  /** Messages and results that it has not read yet; absent if there are none. */
  unread: z.number().optional(),
  worktree: AgentWorktree.omit({ changes: true }).optional(),
});
export type AgentView = z.infer<typeof AgentView>;

export const agentMethods = {
  "agents/definitions": request({
    doc: "The named agents available in a folder, by name, and agent files that are not used, each with the reason.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional() }),
    result: z.object({ agents: z.array(NamedAgentView), unused: z.array(UnusedAgentFile) }),
  }),
  "agents/save": request({
    doc: "Writes a named agent as Markdown, or says why it is not valid. An existing one is changed only with `replace`, in place, and keeps its comments and the keys of other programs. In a trusted folder, or one with nothing else to trust, the file is trusted too.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({
      cwd: z.string().optional(),
      agent: AgentDefinition,
      owner: owner.default("person"),
      replace: z.boolean().default(false),
    }),
    result: z.object({ path: z.string(), notes: z.array(z.string()) }),
  }),
  "agents/remove": request({
    doc: "Removes the file of a named agent that `agents/save` could have written; another file of that name may take its place.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string().optional(), name: z.string(), owner: owner.default("person") }),
    result: z.object({ removed: z.boolean() }),
  }),
  "agents/list": request({
    doc: "The session's agents: the root and its subagents, parents first.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string() }),
    result: z.object({ agents: z.array(AgentView) }),
  }),
  "agents/worktree": request({
    doc: "Shows a subagent's changes in its worktree, applies them to the workspace by a three-way merge (all or nothing), or drops them. `undo` reverts what was applied; `done` is false if nothing was done.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: z.object({ sessionId: z.string(), agentId: z.string(), action: z.enum(["diff", "apply", "drop"]) }),
    result: z.object({ done: z.boolean(), text: z.string() }),
  }),
};
