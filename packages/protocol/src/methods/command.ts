import * as z from "zod";
import { request } from "./table.ts";

const CommandView = z.object({
  name: z.string(),
  /** Names that it has in other agents: `command/run` accepts them, unless another command has that name. */
  aliases: z.array(z.string()).optional(),
  description: z.string(),
  argumentHint: z.string().optional(),
  /** It cannot be run without a session. */
  needsSession: z.boolean(),
  /** It sends a message to the agent: a client without a session creates one for it. */
  startsTurn: z.boolean().optional(),
  /** Absent if it is built in. */
  origin: z
    .object({
      kind: z.enum(["markdown", "skill", "program", "mcp"]),
      owner: z.enum(["person", "project"]),
      /** Its file, or the name of its server. */
      from: z.string(),
    })
    .optional(),
  /** Other commands of this name without effect: their files or servers. */
  shadows: z.array(z.string()).optional(),
});

export const commandMethods = {
  "commands/list": request({
    doc: "The slash commands that the server runs for any client, built in or from files, as they apply to the session or to `cwd`. Looked up again each time.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      sessionId: z.string().optional(),
      cwd: z.string().optional(),
      /** The typed name: its meaning is in the list as well, even for a longer name (`user:review`). */
      name: z.string().optional(),
    }),
    result: z.object({
      commands: z.array(CommandView),
      /** Files that were found but are not commands, each with the reason as a sentence. */
      unused: z.array(z.object({ name: z.string(), from: z.string(), problem: z.string() })),
    }),
  }),
  "command/run": request({
    doc: "Runs a slash command; `text` is shown to the person. Without a session it runs in `cwd` or the server's own folder, and a command that needs a session is refused.",
    lane: "session",
    idempotent: false,
    access: "control",
    params: z.object({
      sessionId: z.string().optional(),
      cwd: z.string().optional(),
      name: z.string(),
      args: z.string().default(""),
      /** Standard input for a command that is a program. */
      input: z.string().optional(),
    }),
    /**
     * `turnId`: the turn that the command has started, which is reported in updates. `exitCode`: of a program, or not 0
     * if a command has failed. For a program: its `stdout` and `stderr` (`text` has both), and `note`: how it ended if
     * the code does not say it.
     */
    result: z.object({
      text: z.string(),
      turnId: z.string().optional(),
      exitCode: z.number().int().optional(),
      stdout: z.string().optional(),
      stderr: z.string().optional(),
      note: z.string().optional(),
    }),
  }),
};
