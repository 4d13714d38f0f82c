import type { Cost, RepairKind, StopReason, UpdateOf, Usage } from "@harness/protocol";
import type { RunServer } from "./run-servers.ts";

/** The last line of every run: `{"type":"result",…}`. */
export type RunResult = {
  type: "result";
  subtype: "success" | "error" | "cancelled" | "limit" | "denied";
  isError: boolean;
  exitCode: number;
  stopReason: StopReason | null;
  /** The last message of the model; partial if the run did not succeed. */
  result: string;
  /** With --output-schema: the answer as a value. */
  structured?: unknown;
  sessionId: string | null;
  /** Replies to the user; replies to subagents count only in `usage`. */
  turns: number;
  durationMs: number;
  /** Tokens of all requests, as far as the provider reported them. */
  usage: Usage;
  /** The cost in US dollars, and the number of requests with an unknown price; `usd` is then only the known part. */
  cost: Cost;
  /** Usage and cost by `provider/model`. */
  models: Record<string, Usage & { cost: Cost }>;
  /** Repairs in replies of the model, in order. */
  repairs: { type: RepairKind; detail: string }[];
  /** The called tools with their number of calls, including calls of subagents. */
  tools: Record<string, number>;
  permissionDenials: { agentId: string; tool: string; title: string; reason: string }[];
  /** The subagents in the order of their start, in their final state. */
  agents: RunAgent[];
  /** The MCP servers as they were when the first message was sent, with why one did not start. */
  mcpServers: RunServer[];
  /** Absolute paths that tools wrote to; changes by commands are not known. */
  filesChanged: string[];
  error?: RunError;
};

export type RunAgent = { agentId: string; parentAgentId: string } & Pick<
  UpdateOf<"subagent_update">,
  "task" | "state" | "name" | "background" | "output" | "usage" | "cost"
>;

/** Why a run did not succeed. `kind` is stable, `message` is for people. */
type RunError = { kind: string; message: string; retryable: boolean };
