import * as z from "zod";
import { Block } from "./blocks.ts";

/** What a call would touch; computed from its arguments before anything runs. Paths are absolute. */
export const Effect = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("read"), path: z.string() }),
  z.object({ kind: z.literal("write"), path: z.string() }),
  z.object({ kind: z.literal("run"), command: z.string(), cwd: z.string() }),
  z.object({ kind: z.literal("reach"), url: z.string() }),
  z.object({ kind: z.literal("spend"), what: z.string() }),
]);
export type Effect = z.infer<typeof Effect>;

export const Risk = z.enum(["safe", "medium", "high"]);
export type Risk = z.infer<typeof Risk>;

/** `reject_once` may carry words for the model (`feedback` in the outcome). */
export const PermissionOption = z.object({
  optionId: z.string(),
  name: z.string(),
  kind: z.enum(["allow_once", "allow_session", "allow_always", "reject_once", "reject_always"]),
  /** In words, what a lasting answer would cover. */
  covers: z.string().optional(),
});
export type PermissionOption = z.infer<typeof PermissionOption>;

/** A question whether one tool call may run. It outlives connections: it is asked again of whoever attaches. */
export const Permission = z.object({
  permissionId: z.string(),
  agentId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  title: z.string(),
  reason: z.string(),
  risk: Risk,
  effects: z.array(Effect),
  preview: z.array(Block),
  options: z.array(PermissionOption),
});
export type Permission = z.infer<typeof Permission>;

export const PermissionOutcome = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("selected"), optionId: z.string(), feedback: z.string().optional() }),
  z.object({ outcome: z.literal("cancelled") }),
]);
export type PermissionOutcome = z.infer<typeof PermissionOutcome>;

/** What happens to a call that no rule decides. `deny` never asks; it is the default where nobody can answer. */
export const PermissionMode = z.enum(["default", "accept-edits", "plan", "deny", "auto"]);
export type PermissionMode = z.infer<typeof PermissionMode>;
