import * as z from "zod";
import { request } from "./table.ts";

export const commandMethods = {
  "commands/list": request({
    doc: "Slash commands that the server carries out, for any client.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ sessionId: z.string().optional() }),
    result: z.object({
      commands: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          argumentHint: z.string().optional(),
          /** Without one it cannot be run. */
          needsSession: z.boolean(),
        }),
      ),
    }),
  }),
  "command/run": request({
    doc: "Runs one of them; `text` is shown to the person. Without a session it runs in `cwd`, or in the server's own folder; a command that needs a session is then refused.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: z.object({
      sessionId: z.string().optional(),
      cwd: z.string().optional(),
      name: z.string(),
      args: z.string().default(""),
    }),
    /** `turnId`: the turn that the command has started, which is reported in updates. */
    result: z.object({ text: z.string(), turnId: z.string().optional() }),
  }),
};
