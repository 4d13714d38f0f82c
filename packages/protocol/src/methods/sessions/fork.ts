import * as z from "zod";
import { Content } from "../../vocabulary/message.ts";
import { SessionConfig } from "../../vocabulary/updates.ts";
import { SessionSummary } from "../session.ts";
import { request } from "../table.ts";

/** `path`: the folder in which the fork works. `leftOut`: files that are missing from it, as text for people. */
const ForkWorktreeView = z.object({ path: z.string(), branch: z.string(), leftOut: z.string().optional() });

export const forkMethods = {
  "session/fork": request({
    doc: "Makes a new session that begins with the conversation of another, and opens neither. `messageId`: up to before this message of the user, whose content is then in `prompt`, or up to and including this reply; absent: all of it. `worktree`: the fork works in a new git worktree beside the repository, on a branch of its own, with the files as they were then. The history that both share is stored once.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: z.object({
      sessionId: z.string(),
      messageId: z.string().optional(),
      title: z.string().min(1).max(200).optional(),
      worktree: z.boolean().optional(),
    }),
    result: z.object({
      session: SessionSummary,
      config: SessionConfig,
      seq: z.number(),
      prompt: z.array(Content).optional(),
      worktree: ForkWorktreeView.optional(),
    }),
  }),
};
