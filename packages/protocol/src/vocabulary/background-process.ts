import * as z from "zod";

/**
 * The state of a background process, or how it ended: `exited` by itself, `stopped` by the agent, the user or the end
 * of its session, `interrupted` when harness was killed.
 */
export const ProcessRun = z.enum(["running", "exited", "stopped", "interrupted"]);
export type ProcessRun = z.infer<typeof ProcessRun>;

/** A process of the session that runs beside the turns. */
export const BackgroundProcessView = z.object({
  processId: z.string(),
  /** The agent that started it. */
  agentId: z.string(),
  command: z.string(),
  state: ProcessRun,
  pid: z.number().optional(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** Absent if it has none, or it is unknown. */
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  /** It keeps running after the session is closed, at the user's request. */
  kept: z.boolean(),
  /** The file with its output. */
  outputPath: z.string(),
});
export type BackgroundProcessView = z.infer<typeof BackgroundProcessView>;

/** The current state of a process. */
export const ProcessView = BackgroundProcessView.extend({
  /** TCP ports on which it listens. */
  ports: z.array(z.number()),
  /** The last line of its output; untrusted, like all output. */
  lastLine: z.string(),
  /** Bytes of output so far. */
  outputBytes: z.number(),
});
export type ProcessView = z.infer<typeof ProcessView>;

/** The report on a process when it starts, prints the awaited output, is kept, or ends. */
export const processChange = {
  processId: z.string(),
  command: z.string(),
  state: ProcessRun,
  pid: z.number().optional(),
  outputPath: z.string(),
  kept: z.boolean(),
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  /** `session`: it ended with its session. */
  stoppedBy: z.enum(["agent", "person", "session"]).optional(),
  /** The line that its agent waited for. */
  matched: z.string().optional(),
  /** The last lines of its output if it has ended. */
  lastLines: z.string().optional(),
  /** Further notes for people and the model, such as refusals of the sandbox. */
  note: z.string().optional(),
};
