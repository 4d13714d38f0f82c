import type { AgentState } from "@harness/protocol";

/** The parts of an agent that are shown. They may change in place. */
export type TranscriptState = Pick<AgentState, "items" | "live" | "early"> & {
  /** Output of running calls, and the activity of running subagents, by id. */
  output: Pick<ReadonlyMap<string, string>, "get" | "has">;
};
