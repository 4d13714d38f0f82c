import type { Pressure } from "../context/budget.ts";
import { Projection } from "../context/projection.ts";
import { TokenMeter } from "../context/token-meter.ts";
import type { FileLedger, ToolTable } from "../ports/tool.ts";
import { Inbox } from "../subagents/inbox.ts";
import { Toolbox } from "./toolbox.ts";
import type { Turn } from "./turn.ts";

export type AgentSeed = { agentId: string; depth: number; files: FileLedger };

/** A child at work: how to stop it, and when it has ended and told its parent. */
export type ChildRun = { turn: Turn; ended: Promise<void> };

/** One agent: its own conversation, tools, inbox and children. */
export class Agent {
  readonly agentId: string;
  /** 0 = the agent that the person talks to. */
  readonly depth: number;
  /** What its tools have seen of files. */
  readonly files: FileLedger;
  readonly toolbox: Toolbox;
  readonly projection = new Projection();
  readonly meter = new TokenMeter();
  readonly inbox = new Inbox();
  readonly children = new Map<string, ChildRun>();
  /** The turn it works on. */
  turn: Turn | undefined;
  /** Kept from the first request on, so that each request begins with the same bytes. */
  systemText: string | undefined;
  /** What a person was last told of how full the window is. */
  told: Pressure = "none";
  /** After a failed compaction the next one waits until this many tokens are used. */
  compactFrom = 0;

  constructor({ agentId, depth, files }: AgentSeed, tableFor: (agent: Agent) => ToolTable) {
    this.agentId = agentId;
    this.depth = depth;
    this.files = files;
    this.toolbox = new Toolbox(tableFor(this));
  }

  /** Characters of the next request. */
  get requestChars(): number {
    return (this.systemText?.length ?? 0) + this.toolbox.chars + this.projection.chars;
  }

  /** Tokens of the next request, as far as known. */
  get usedTokens(): number {
    return this.meter.used(this.requestChars);
  }

  /** The messages were replaced by fewer: counts and the system text start anew. */
  startAnew(): void {
    this.meter.forget();
    this.systemText = undefined;
    this.told = "none";
    this.compactFrom = 0;
  }
}
