import * as z from "zod";

/**
 * How a process that stays is, or how it ended: `exited` by itself, `stopped` by the agent, a person or the end of its
 * session, `interrupted` when harness was killed.
 */
export const ProcessRun = z.enum(["running", "exited", "stopped", "interrupted"]);
export type ProcessRun = z.infer<typeof ProcessRun>;

/** A process of the session that goes on beside the turns. */
export const BackgroundProcessView = z.object({
  processId: z.string(),
  /** The agent that started it. */
  agentId: z.string(),
  command: z.string(),
  state: ProcessRun,
  pid: z.number().optional(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** Absent: it has none, or it is unknown. */
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  /** It goes on after the session is closed, as a person wants it to. */
  kept: z.boolean(),
  /** The file with what it prints. */
  outputPath: z.string(),
});
export type BackgroundProcessView = z.infer<typeof BackgroundProcessView>;

/** A process as it is at the moment. */
export const ProcessView = BackgroundProcessView.extend({
  /** TCP ports on which it listens. */
  ports: z.array(z.number()),
  /** The last line that it printed; untrusted, as all output. */
  lastLine: z.string(),
  /** Bytes that it has printed so far. */
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
  /** Stopped by; `session`: it ended with its session. */
  stoppedBy: z.enum(["agent", "person", "session"]).optional(),
  /** The line that its agent waited for. */
  matched: z.string().optional(),
  /** The last lines of one that ended. */
  lastLines: z.string().optional(),
  /** Further notes for people and the model, such as refusals of the sandbox. */
  note: z.string().optional(),
};
