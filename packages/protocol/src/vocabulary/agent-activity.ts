import * as z from "zod";

/** The activity of an agent; `requires_action`: it waits for the user, `waiting`: for subagents. */
export const AgentActivity = z.enum(["running", "requires_action", "waiting", "idle"]);
export type AgentActivity = z.infer<typeof AgentActivity>;

/** How a subagent runs, or how it ended. */
export const AgentRun = z.enum(["running", "completed", "failed", "cancelled", "interrupted"]);
export type AgentRun = z.infer<typeof AgentRun>;
