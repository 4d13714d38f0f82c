import * as z from "zod";
import { request } from "../table.ts";

/** One run of a hook. */
const HookRunView = z.object({
  at: z.string(),
  durationMs: z.number(),
  outcome: z.enum(["ok", "refused", "failed", "cancelled"]),
  /** Its exit code, or the signal that ended it. */
  exit: z.string(),
  /** Its message, or the problem with its answer. */
  words: z.string().optional(),
  sessionId: z.string().optional(),
});

/** A hook, or a step of harness itself. */
const HookView = z.object({
  /** The stage, or the name of the event. */
  event: z.string(),
  name: z.string(),
  /** Absent for a step of harness itself. */
  path: z.string().optional(),
  /** `form`: `stage`: an executable of a stage; `claude`: a command in Claude Code's form. */
  form: z.enum(["built-in", "stage", "claude"]),
  owner: z.enum(["harness", "person", "project"]),
  /** The folder of its source. */
  source: z.string().optional(),
  trusted: z.boolean(),
  /** It replaces the built-in step of its name. */
  replaces: z.boolean().optional(),
  /** Files of the same name that it replaces. */
  shadows: z.array(z.string()).optional(),
  timeoutMs: z.number().optional(),
  /** The user's environment variables that it gets. */
  passEnv: z.array(z.string()).optional(),
  /** The tools or occasions that it is for. */
  matcher: z.string().optional(),
  /** Why it does not run, as a sentence. */
  problem: z.string().optional(),
  /** Further problems, as sentences. */
  notes: z.array(z.string()).optional(),
  /** Its last run, if known. */
  last: HookRunView.optional(),
});
export type HookView = z.infer<typeof HookView>;

export const hookMethods = {
  "hooks/list": request({
    doc: "The hooks of a folder, by stage in the order in which they run, with the steps of harness itself.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ cwd: z.string().optional() }),
    result: z.object({ hooks: z.array(HookView) }),
  }),
  "hooks/why": request({
    doc: "The hooks of a stage or an event: when each last ran, how it ended, and why one does not run.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ event: z.string().max(100), cwd: z.string().optional() }),
    result: z.object({
      event: z.string(),
      hooks: z.array(HookView),
      /** The same as sentences. */
      lines: z.array(z.string()),
    }),
  }),
};
