import * as z from "zod";
import { PLAN, parsePermissionMode, permissionModes } from "../choices.ts";
import { AgentMode } from "./agent-mode.ts";
import { processChange } from "./background-process.ts";
import { agentFacts } from "./facts/agent-facts.ts";
import { compactionChange, compactionProgress } from "./facts/compaction-change.ts";
import { contextChange } from "./facts/context-change.ts";
import { FolderLocation } from "./facts/folder-location.ts";
import { fromFile } from "./facts/from-file.ts";
import { goalFacts } from "./facts/goal-facts.ts";
import { attached, files } from "./facts/queued-prompt.ts";
import { stagedFacts } from "./facts/staged-file.ts";
import { undoFacts } from "./facts/undo-facts.ts";
import { spent, updateRow } from "./facts/update-row.ts";
import { Failure } from "./failure.ts";
import { KnownText, PinnedFile } from "./files/pinned-file.ts";
import { SeenFile } from "./files/seen-file.ts";
import { AgentPart, Content, Cost, PrefixReport, RepairKind, Stop, ToolCallPart, Usage } from "./message.ts";
import { Effect, NamedPermissionMode, Permission, PermissionEnd, PermissionOutcome } from "./permission.ts";
import { ActiveSkill } from "./skill.ts";
import { Todo } from "./todo.ts";
import { ToolOutcome, ToolStatus } from "./tool-outcome.ts";

/** The configuration of a session; a later value replaces an earlier one field by field. */
export const SessionConfig = z.object({
  provider: z.string().optional(),
  model: z.string().optional(),
  permissionMode: NamedPermissionMode.optional(),
  mode: AgentMode.optional(),
  effort: z.string().optional(),
});
export type SessionConfig = z.infer<typeof SessionConfig>;

/** Where a title comes from: the first line of the first message, or the model after so many messages of the user. */
export const TitleOrigin = z.object({ by: z.enum(["message", "model"]), messages: z.number().optional() });
export type TitleOrigin = z.infer<typeof TitleOrigin>;

/** A configuration as requested by a client: the permission mode `plan` of older versions requests planning. */
export const ConfigRequest = SessionConfig.extend({
  permissionMode: z.enum([...permissionModes, "auto", PLAN]).optional(),
}).transform(({ permissionMode, ...config }): SessionConfig => {
  if (permissionMode === undefined) return config;
  const wantsPlan = permissionMode === PLAN && (config.mode ?? "agent") === "agent";
  return { ...config, permissionMode: parsePermissionMode(permissionMode), ...(wantsPlan ? { mode: "planning" } : {}) };
}) as z.ZodType<SessionConfig, SessionConfig>;

/** Facts: stored before they are announced, numbered by `seq`; the session is their fold. */
export const facts = {
  user_message: updateRow(
    "user_message",
    "A message for the model: from the person, from another agent, or a subagent's result.",
    {
      messageId: z.string(),
      promptId: z.string().optional(),
      content: z.array(Content),
      attached,
      files,
      /**
       * `working_context`: a reminder of the work; only the last one is current, and later requests may omit the
       * others. `command`: a slash command's text for the agent, with the results of its calls. `file_texts`:
       * instructions for the folders where the agent works, or pinned files that have changed.
       */
      kind: z.enum(["working_context", "command", "file_texts"]).optional(),
      /** The files whose text it contains. */
      texts: z.array(KnownText).optional(),
      /** `subagent`: a task or a result; `agent`: a message of another agent. */
      origin: z.enum(["user", "subagent", "agent", "harness"]),
      fromAgentId: z.string().optional(),
      fromFile,
    },
  ),
  agent_message: updateRow("agent_message", "One complete reply of the model. It replaces the chunks before it.", {
    messageId: z.string(),
    parts: z.array(AgentPart),
    stop: Stop,
    usage: Usage.optional(),
    /** Absent if an older version wrote it, and the cost is unknown. */
    cost: Cost.optional(),
    prefix: PrefixReport.optional(),
    /** How long its thoughts took to arrive. */
    thoughtMs: z.number().optional(),
    provider: z.string(),
    model: z.string(),
    fromFile,
  }),
  early_call: updateRow(
    "early_call",
    "A call started before its reply was complete; the `agent_message` with this id has it too.",
    {
      messageId: z.string(),
      call: ToolCallPart,
      provider: z.string(),
      model: z.string(),
    },
  ),
  tool_call_update: updateRow(
    "tool_call_update",
    "A tool call appeared, started or ended; fields add to earlier ones.",
    {
      toolCallId: z.string(),
      status: ToolStatus,
      name: z.string().optional(),
      title: z.string().optional(),
      /** With the name: what it would do, as far as that is known before it runs. */
      effects: z.array(Effect).optional(),
      /** The user's own command; `share`: the model gets its result with the next message. */
      byPerson: z.object({ command: z.string(), share: z.boolean() }).optional(),
      /** It reads files that may contain secrets: from now on, the user is asked about calls that send data out. */
      readsSecrets: z.literal(true).optional(),
      /** It only reads, lists or searches files: fronts may show several such calls as one. */
      looks: z.literal(true).optional(),
      /** It runs commands that are known to only read: whether it had begun need not survive a crash of the machine. */
      changesNothing: z.literal(true).optional(),
      /** For a request that its tool made to a model. */
      ...spent,
      outcome: ToolOutcome.optional(),
      fromFile,
    },
  ),
  session_info_update: updateRow("session_info_update", "The session's title changed.", {
    title: z.string(),
    /** Absent: a person gave it. */
    origin: TitleOrigin.optional(),
    /** For the request to the model that wrote it. */
    ...spent,
  }),
  folder_update: updateRow(
    "folder_update",
    "The session's folder was moved: the session works in its new place from here on.",
    {
      cwd: z.string(),
      /** The previous folder. */
      from: z.string(),
      place: FolderLocation.optional(),
    },
  ),
  archive_update: updateRow("archive_update", "The session was archived, or taken out of the archive.", {
    archived: z.boolean(),
  }),
  config_option_update: updateRow("config_option_update", "The session's configuration changed.", {
    config: SessionConfig,
    reason: z.string().optional(),
  }),
  compaction_update: updateRow(
    "compaction_update",
    "Older messages were replaced by a summary in later requests to the model.",
    {
      ...compactionChange,
      /** For the requests that wrote the summary; absent if an older version wrote it, or it cost nothing. */
      ...spent,
    },
  ),
  context_update: updateRow(
    "context_update",
    "From here on, these results or messages are sent in shortened form.",
    contextChange,
  ),
  notice: updateRow("notice", "Something a person should know; the model does not get it.", {
    severity: z.enum(["info", "warning", "error"]),
    title: z.string(),
    description: z.string().optional(),
    /** Replaces this many lost facts, ending with its `seq`; absent: only itself. */
    missing: z.number().optional(),
    /** For a request without a result, such as a failed summary; absent if nothing was spent. */
    ...spent,
  }),
  todo_update: updateRow("todo_update", "The agent's whole task list, after a change.", { todos: z.array(Todo) }),
  pin_update: updateRow("pin_update", "All files that the person has pinned, after a change.", {
    files: z.array(PinnedFile),
    /** Newly added files in their current state: they count as read. */
    seen: z.array(SeenFile).optional(),
  }),
  skill_update: updateRow("skill_update", "A skill is in use from here on, or no longer.", {
    skill: ActiveSkill,
    state: z.enum(["active", "unloaded"]),
    by: z.enum(["person", "model"]),
  }),
  ...goalFacts,
  ...agentFacts,
  ...stagedFacts,
  process_update: updateRow("process_update", "A background process started, changed or ended.", processChange),
  repair: updateRow("repair", "harness repaired a reply of the model, as weak models need it.", {
    messageId: z.string(),
    what: RepairKind,
    toolCallId: z.string().optional(),
    detail: z.string(),
  }),
  retry: updateRow(
    "retry",
    "A request to the model failed and is sent again; the text of `messageId` so far is void.",
    {
      messageId: z.string(),
      attempt: z.number(),
      maxAttempts: z.number(),
      delayMs: z.number(),
      error: Failure,
      /** For the attempt that is void; absent if nothing of it had arrived. */
      ...spent,
    },
  ),
  ...undoFacts,
  permission_requested: updateRow("permission_requested", "A call waits for an answer.", { permission: Permission }),
  permission_resolved: updateRow("permission_resolved", "A permission request was answered or withdrawn.", {
    permissionId: z.string(),
    toolCallId: z.string(),
    outcome: PermissionOutcome,
    /** The client that answered; `harness` if it was withdrawn. */
    by: z.string(),
    /** Absent if an older version wrote it. */
    reason: PermissionEnd.optional(),
  }),
};

/** Deltas: streamed as they happen, never stored. `offset` counts UTF-16 units of the text before this chunk. */
export const deltas = {
  agent_message_chunk: updateRow("agent_message_chunk", "More of the reply's text.", {
    messageId: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
  agent_thought_chunk: updateRow("agent_thought_chunk", "More of the model's thinking.", {
    messageId: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
  request_status: updateRow("request_status", "The state of a request until its first chunk.", {
    messageId: z.string(),
    /**
     * `queued`: others go first at this endpoint. `loading`: the server loads the model, and is asked again until it
     * has. `reconnecting`: a local server that was reached before does not answer, and is asked again until it does.
     * `prefill`: the server reads the prompt. `ended`: the request is over without a result to keep.
     */
    phase: z.enum(["queued", "loading", "reconnecting", "prefill", "ended"]),
    /** Requests before this one, and how many the endpoint handles at a time. */
    ahead: z.number().optional(),
    slots: z.number().optional(),
    doneTokens: z.number().optional(),
    totalTokens: z.number().optional(),
  }),
  compaction_status: updateRow(
    "compaction_status",
    "The progress of a compaction, until its `compaction_update`.",
    compactionProgress,
  ),
  tool_input_chunk: updateRow("tool_input_chunk", "More of a call's arguments, as the model writes them.", {
    messageId: z.string(),
    toolCallId: z.string(),
    name: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
  tool_output_chunk: updateRow("tool_output_chunk", "More of a running call's output.", {
    toolCallId: z.string(),
    offset: z.number(),
    text: z.string(),
  }),
};

type Rows = typeof facts & typeof deltas;
export type FactKind = keyof typeof facts;
export type Fact = { [K in FactKind]: z.infer<(typeof facts)[K]["schema"]> }[FactKind];
export type Delta = { [K in keyof typeof deltas]: z.infer<(typeof deltas)[K]["schema"]> }[keyof typeof deltas];
export type UpdateOf<K extends keyof Rows> = z.infer<Rows[K]["schema"]>;
/** A kind that a newer version wrote: kept and skipped. */
export type UnknownUpdate = { sessionUpdate: string; [key: string]: unknown };

/** A fact as it is stored and sent. `seq` has no gaps within a session, over all its agents. */
export type StoredFact = { seq: number; at: string; agentId: string; turnId?: string; update: Fact };

const schemas = [...Object.values(facts), ...Object.values(deltas)].map((each) => each.schema);

/** Params of the `session/update` notification. Facts have `seq` and `at`; deltas have neither. */
export const SessionUpdate = z.object({
  sessionId: z.string(),
  seq: z.number().optional(),
  at: z.string().optional(),
  agentId: z.string(),
  turnId: z.string().optional(),
  update: z.union([...schemas, z.looseObject({ sessionUpdate: z.string() })]),
});
export type SessionUpdate = {
  sessionId: string;
  seq?: number;
  at?: string;
  agentId: string;
  turnId?: string;
  update: Fact | Delta;
};

/** The agent that a session's user talks to. */
export const ROOT_AGENT = "main";

export function isFactKind(kind: string): kind is FactKind {
  return Object.hasOwn(facts, kind);
}
