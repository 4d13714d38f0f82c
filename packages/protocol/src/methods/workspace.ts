import * as z from "zod";
import { AgentMode } from "../vocabulary/agent-mode.ts";
import { ContextWindowSource } from "../vocabulary/context-report.ts";
import { Cost, PrefixReport } from "../vocabulary/message.ts";
import { PermissionMode } from "../vocabulary/permission.ts";
import { ConfigRequest } from "../vocabulary/updates.ts";
import { Price } from "./models.ts";
import { notification, request } from "./table.ts";

/** The part of a display that does not need a session. */
const FolderView = z.object({
  git: z
    .object({
      /** Of a detached HEAD its tag or short commit; during a rebase or bisect the branch that it is about. */
      branch: z.string(),
      isDetached: z.literal(true).optional(),
      /** Present while git is in the middle of something. */
      operation: z
        .enum(["rebasing", "applying patches", "merging", "cherry-picking", "reverting", "bisecting"])
        .optional(),
      /** Commits that the upstream branch lacks, and that it has beyond this branch; absent if none. */
      ahead: z.number().optional(),
      behind: z.number().optional(),
      added: z.number(),
      removed: z.number(),
      changedFiles: z.number(),
      /** New files with too many lines to count: they are in `changedFiles` but not in `added`. */
      uncounted: z.number().optional(),
    })
    .optional(),
  /** Why git says nothing about the repository of the folder, such as "dubious ownership". */
  gitProblem: z.string().optional(),
  /** How much of the folder is indexed for code search, while that is under way. */
  indexing: z.object({ percent: z.number(), isPaused: z.boolean() }).optional(),
});

/** The values of the head-up display. Absent means not known (yet), never a guess. */
const Use = z.object({ used: z.number(), of: z.number() });

export const Hud = z.object({
  ...FolderView.shape,
  /** Changes by the agent in this session, independent of git; reverted ones do not count. */
  agentChanges: z.object({ added: z.number(), removed: z.number(), changedFiles: z.number() }).optional(),
  /** Edits that wait for a review (`review` of a permission request); absent if there are none. */
  pendingEdits: z.object({ changes: z.number(), files: z.number() }).optional(),
  /** Whether commands run in the sandbox, or why not although it is enabled (`why`). Absent if it is switched off. */
  sandbox: z.object({ active: z.boolean(), why: z.string().optional() }).optional(),
  localOnly: z.boolean().optional(),
  /** The number of files that the user has pinned; absent if there are none. */
  pinned: z.number().optional(),
  /** The goal that the agent works towards, or that is paused; tokens and US dollars only if they are limited. */
  goal: z
    .object({
      /** Its beginning, in one line. */
      text: z.string(),
      state: z.enum(["active", "paused"]),
      checks: Use,
      tokens: Use.optional(),
      usd: Use.optional(),
    })
    .optional(),
  /** MCP servers of the folder: how many are ready, out of all that are configured. Absent if there are none. */
  mcp: z
    .object({ ready: z.number(), total: z.number(), failed: z.number().optional(), starting: z.number().optional() })
    .optional(),
  /** Mistakes that language servers find in files that agents have changed; absent if there are none. */
  diagnostics: z.object({ errors: z.number(), warnings: z.number() }).optional(),
  context: z
    .object({
      usedTokens: z.number(),
      windowTokens: z.number(),
      /** The part of the window that a request may fill: compaction goes by it. */
      usableTokens: z.number().optional(),
      windowSource: ContextWindowSource,
    })
    .optional(),
  provider: z.string().optional(),
  model: z.string().optional(),
  /** Where the model is, in words: "from OpenAI", "at 127.0.0.1:8080". */
  place: z.string().optional(),
  /** The price of the model, if known. */
  price: Price.optional(),
  /** Why there is no model for this session, in a sentence. */
  problem: z.string().optional(),
  /** The model of that name is missing on a server that downloads models (`models/pull`). */
  missing: z.object({ provider: z.string(), model: z.string() }).optional(),
  /** The model differs from the configured one, or lacks something. */
  warning: z.string().optional(),
  /** For the session so far, including subagents. */
  cost: Cost.optional(),
  /** How much of the main agent's last request was a prefix of the previous one. */
  prefix: PrefixReport.optional(),
  /** The server read only part of the last prompt: how much was sent, and how much it counted. */
  truncated: z.object({ sentTokens: z.number(), readTokens: z.number() }).optional(),
  /** The modes in force; `config` of the session contains them only if they were chosen or have changed. */
  permissionMode: PermissionMode,
  mode: AgentMode.optional(),
  /** The output of the user's `statusline` command, with its colours; or why there is none. */
  statusLine: z.union([z.object({ text: z.string() }), z.object({ problem: z.string() })]).optional(),
  agentsRunning: z.number(),
  queued: z.number(),
});
export type Hud = z.infer<typeof Hud>;

export const workspaceMethods = {
  "hud/get": request({
    doc: "The head-up display of a session, or of a new one in `cwd` with `config`.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.union([
      z.object({ sessionId: z.string() }),
      z.object({
        cwd: z.string(),
        config: ConfigRequest.optional(),
        /** Whether `hud/folder` follows, until this client asks for a session's display. */
        follow: z.boolean().optional(),
      }),
    ]),
    result: Hud,
  }),
  "workspace/overview": request({
    doc: "What has changed in a folder since a person left it (`since`).",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string(), since: z.string().optional() }),
    result: z.object({
      /** Files with instructions for the agent, the most general first; relative to the folder, or from `~`. */
      instructions: z.array(z.object({ path: z.string(), untrusted: z.boolean().optional() })),
      /** New git commits since then; absent if unknown. The first few authors and subjects, newest first. */
      commits: z
        .object({ count: z.number(), more: z.boolean(), authors: z.array(z.string()), subjects: z.array(z.string()) })
        .optional(),
      /** The command that tests the project, from its own files; absent: none is known. */
      testCommand: z.string().optional(),
      /** Whether there is nothing in the folder yet. */
      isEmpty: z.boolean().optional(),
    }),
  }),
  "workspace/worktree": request({
    doc: "The git worktree of this name beside the repository of a folder, made if there is none: with the files as they are now, on the branch `harness/NAME`. No hook or filter of the repository runs.",
    lane: "global",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string(), name: z.string() }),
    result: z.object({
      /** The folder in it that corresponds to `cwd`. */
      path: z.string(),
      branch: z.string(),
      isNew: z.boolean(),
      /** The files that are missing from it, for people. */
      leftOut: z.string().optional(),
    }),
  }),
  "files/search": request({
    doc: "Paths below a folder that match loosely, best first, ignored files left out: for `@` completion.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ cwd: z.string(), query: z.string(), limit: z.number().int().min(1).max(200).default(20) }),
    result: z.object({ paths: z.array(z.string()) }),
  }),
};

export const workspaceNotifications = {
  "hud/update": notification({
    doc: "The head-up display changed; the whole of it.",
    params: z.object({ sessionId: z.string(), hud: Hud }),
  }),
  "hud/folder": notification({
    doc: "Files of a folder without a session in view have changed (`follow` of `hud/get`), or it is indexed.",
    params: z.object({ cwd: z.string(), ...FolderView.shape }),
  }),
};
