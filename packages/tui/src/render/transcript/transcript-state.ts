import type { AgentState } from "@harness/protocol";

/** The parts of an agent that are shown. They may change in place. */
export type TranscriptState = Pick<AgentState, "items" | "live" | "early"> & {
  /** Names the agent: a transcript of it that is read again is shown where it was. */
  owner?: string;
  /** Output of running calls, and the activity of running subagents, by id. */
  output: Pick<ReadonlyMap<string, string>, "get" | "has">;
};
