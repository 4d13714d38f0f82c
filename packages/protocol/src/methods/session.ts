import * as z from "zod";
import { AgentActivity } from "../vocabulary/agent-activity.ts";
import { AgentBudget } from "../vocabulary/agent-definition.ts";
import { FolderLocation } from "../vocabulary/facts/folder-location.ts";
import { QueuedPrompt } from "../vocabulary/facts/queued-prompt.ts";
import { Permission } from "../vocabulary/permission.ts";
import { ConfigRequest, SessionConfig, SessionUpdate } from "../vocabulary/updates.ts";
import { notification, request } from "./table.ts";

/** The session that another was forked from; they share the facts up to `seq`. */
export const SessionParent = z.object({ sessionId: z.string(), seq: z.number() });
export type SessionParent = z.infer<typeof SessionParent>;

/** A session as lists and headers show it. `preview` is the start of its first user message. */
export const SessionSummary = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  title: z.string().optional(),
  preview: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  turns: z.number(),
  subagents: z.number(),
  model: z.string().optional(),
  provider: z.string().optional(),
  /** The client that began it, such as `window`; absent: not known. */
  client: z.string().optional(),
  /** The first line of the last reply; absent where that has no text. */
  answer: z.string().optional(),
  /** Lines of files that its turns changed; absent where that is not known, as after an undo. */
  changes: z.object({ added: z.number(), removed: z.number() }).optional(),
  /** The session that it was forked from, and the last fact that both have. */
  parent: SessionParent.optional(),
  /** How its folder is found again where it has been moved; absent: that is not known. */
  place: FolderLocation.optional(),
  /** It is in the archive, so lists leave it out unless they are asked for the archive; absent: it is not. */
  archived: z.literal(true).optional(),
  /** It is in the bin, since then, and for so many days more. */
  deleted: z.object({ at: z.string(), daysLeft: z.number() }).optional(),
  state: z.enum([...AgentActivity.options, "stored"]),
  /** A description of damage in the stored log; the readable part is all there. */
  damage: z.string().optional(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

const Replay = z.discriminatedUnion("type", [
  z.object({ type: z.literal("none") }),
  z.object({ type: z.literal("start") }),
  z.object({ type: z.literal("after"), seq: z.number() }),
]);

const sessionId = z.object({ sessionId: z.string() });

/** Options of a session that a client starts or opens, on top of the settings. */
const sharedParams = {
  config: ConfigRequest.optional(),
  /** Rules for this session alone, such as `bash(npm test)` or `write`; deny beats allow. */
  rules: z.object({ allow: z.array(z.string()).optional(), deny: z.array(z.string()).optional() }).optional(),
  limits: z
    .object({
      maxTurns: z.number().int().min(1).optional(),
      /** How long a question of the agent waits for an answer; absent: as long as it takes. */
      questionTimeoutMs: z.number().int().min(1).optional(),
      /**
       * The most that the main agent and those below it may use from here on. With `usd` a model whose price is not
       * known ends the turn after its first reply.
       */
      budget: AgentBudget.pick({ tokens: true, usd: true }).optional(),
    })
    .optional(),
  /** Instead of the setting `fallback_models`. */
  fallbackModels: z.array(z.string()).max(50).optional(),
  /** More folders that count as the workspace; absolute paths. */
  additionalDirectories: z.array(z.string()).optional(),
  customInstructions: z.string().optional(),
  /**
   * Files that name more MCP servers, as absolute paths, and servers by name, each in the form of `mcp.json`. `strict`:
   * only these servers.
   */
  mcp: z
    .object({
      files: z.array(z.string()).max(50),
      servers: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
      strict: z.boolean(),
    })
    .optional(),
  /** The named agent that the main agent is from here on; absent in a resume: the one that it was. */
  agent: z.string().optional(),
};
const opened = z.object({ session: SessionSummary, config: SessionConfig, seq: z.number() });

export const sessionMethods = {
  "session/new": request({
    doc: "Starts a session in a folder and subscribes to it. The same `idempotencyKey` gives the same session.",
    lane: "global",
    idempotent: false,
    access: "control",
    params: z.object({
      cwd: z.string(),
      title: z.string().optional(),
      /** The session that this one follows; they share nothing. */
      follows: z.string().optional(),
      /** Keep it in memory only. */
      ephemeral: z.boolean().optional(),
      idempotencyKey: z.string().optional(),
      ...sharedParams,
    }),
    result: opened,
  }),
  "session/list": request({
    doc: "Stored and live sessions, newest first. `query`: each of its words is in the title, first message, id, folder or model. `archived`: the archived ones alone, or with `include` these as well; otherwise they are left out. `deleted`: those in the bin alone, the last deleted first.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      cwd: z.string().optional(),
      query: z.string().optional(),
      /** Only sessions whose model's name contains this. */
      model: z.string().optional(),
      /** Only sessions that went on at this time or later: a date, or a date with time, as ISO 8601 writes them. */
      since: z.string().optional(),
      archived: z.union([z.boolean(), z.literal("include")]).optional(),
      deleted: z.boolean().optional(),
      /** Sessions of `harness run` come after all others: many runs of a script must not push out a person's. */
      runsLast: z.boolean().optional(),
      cursor: z.string().optional(),
      limit: z.number().int().min(1).max(500).default(50),
    }),
    result: z.object({
      sessions: z.array(SessionSummary),
      /** Sessions of later pages that some of these were forked from, directly or not; absent: there are none. */
      parents: z.array(SessionSummary).optional(),
      nextCursor: z.string().optional(),
      /** How many there are on all pages. */
      total: z.number(),
      /** Sentences on stored sessions that cannot be listed; absent: all can. */
      problems: z.array(z.string()).optional(),
    }),
  }),
  "session/get": request({
    doc: "One session, by id, unique prefix of an id, or title.",
    lane: "session",
    idempotent: true,
    access: "read",
    params: sessionId,
    result: opened.extend({ pending: z.array(Permission), queue: z.array(QueuedPrompt) }),
  }),
  "session/moved": request({
    doc: "Stored sessions whose folder is gone and may be this one now, the most certain first: `folder`: it was moved here; `repository`: a repository with its commit is here; `unknown`: nothing speaks for or against it.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string() }),
    result: z.object({
      sessions: z.array(z.object({ session: SessionSummary, same: z.enum(["folder", "repository", "unknown"]) })),
    }),
  }),
  "session/resume": request({
    doc: "Opens a stored session or attaches to a live one and subscribes; the facts asked for are sent before the answer. `cwd`: where its folder is now, for a session whose folder is gone (`folder_gone`); it works there from then on. An observer attaches to live sessions only, and asks for nothing else.",
    lane: "session",
    idempotent: true,
    access: "read",
    control: ["config", "rules", "limits", "additionalDirectories", "customInstructions", "mcp", "agent"],
    params: sessionId.extend({
      cwd: z.string().optional(),
      replay: Replay.default({ type: "start" }),
      ...sharedParams,
    }),
    result: opened,
  }),
  "session/detach": request({
    doc: "Sends this client no more updates of the session, which goes on.",
    lane: "session",
    idempotent: true,
    access: "read",
    params: sessionId,
    result: z.object({}),
  }),
  "session/folder": request({
    doc: "The folder in which a session is stored; without a session, the folder of all sessions.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string().optional() }),
    result: z.object({ path: z.string() }),
  }),
  "session/history": request({
    doc: "A page of facts, oldest first, without subscribing.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: sessionId.extend({
      after: z.number().optional(),
      before: z.number().optional(),
      limit: z.number().int().min(1).max(1000).default(200),
    }),
    result: z.object({ events: z.array(SessionUpdate), more: z.boolean() }),
  }),
  "session/tail": request({
    doc: "The last facts of a session, oldest first: a first screen while `session/resume` reads the rest. Takes no longer for a long session. Empty where only the whole session can tell, as for a fork without messages of its own.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: sessionId.extend({ limit: z.number().int().min(1).max(200).default(60) }),
    result: z.object({ events: z.array(SessionUpdate), more: z.boolean() }),
  }),
  "session/close": request({
    doc: "Ends the session's work and unloads it; it stays stored.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: sessionId,
    result: z.object({}),
  }),
  "session/delete": request({
    doc: "Closes the session and moves it to the bin, where nothing but `session/restore` and `session/list` with `deleted` finds it; it is removed for good after 30 days. `now`: it is removed at once, also from the bin. Needs the whole id.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: sessionId.extend({ now: z.boolean().optional() }),
    result: z.object({}),
  }),
  "session/set_title": request({
    doc: "Renames the session.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: sessionId.extend({ title: z.string().min(1).max(200) }),
    result: z.object({}),
  }),
  "session/set_config_option": request({
    doc: "Changes model, provider, mode or permission mode of this session; counts from the next request to the model.",
    lane: "session",
    idempotent: true,
    access: "control",
    params: sessionId.extend({ config: ConfigRequest }),
    result: z.object({ config: SessionConfig }),
  }),
};

export const sessionNotifications = {
  "session/update": notification({
    doc: "A fact or a delta of a session this client is subscribed to.",
    params: SessionUpdate,
  }),
  "sessions/changed": notification({ doc: "The list of sessions changed; read it again.", params: z.object({}) }),
};
