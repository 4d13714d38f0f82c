import type { Effect, Fact } from "@harness/protocol";
import type { Preview, Tool } from "../ports/tool.ts";
import type { RealPaths } from "./gate-pass.ts";

/** A call that stands at the gate. */
export type GateCall = Pick<Tool, "category" | "area"> & {
  toolCallId: string;
  tool: string;
  title: string;
  effects: Effect[];
  /** The model wrote it as text. */
  foundInText: boolean;
  /** Must not throw; undefined = the gate shows what it knows. */
  preview(realPaths: RealPaths): Promise<Preview | undefined>;
};

/** The agent that asks to go through. */
export type GateSeat = {
  agentId: string;
  turnId: string;
  /** Aborts when the call is not wanted any more. */
  signal: AbortSignal;
  record(update: Fact): void;
  /** Runs the question while the agent's state says that it waits for a person. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
};
