import type { AgentPart, Failure, PrefixReport, Stop, StopReason, ToolCallPart, Usage } from "@harness/protocol";
import type { RequestWeight } from "../../context/tokens/request-weight.ts";
import type { ModelEvent, ModelMessage, RefusedFor, ToolSpec } from "../../ports/provider.ts";

/** A repair in a reply. */
export type Repair = Omit<Extract<ModelEvent, { type: "repair" }>, "type">;

/** One reply of the model, complete or broken off. */
export type Reply = {
  messageId: string;
  provider: string;
  model: string;
  parts: AgentPart[];
  stop: Stop;
  /** The server's word for its end, if it is unknown. */
  oddEnd?: string;
  usage?: Usage;
  failure?: Failure;
  /** Why the same messages would be refused again. */
  refusedFor?: RefusedFor;
  /** It failed after some of its calls had started, in a way that may pass. */
  mayGoOn?: true;
  /** It repeated itself, and was cut. */
  repeats?: true;
  /** It was cut after part of it had arrived: it costs tokens, reported or not. */
  hasBegun?: boolean;
  /** How much of its request was a prefix of the agent's previous one. */
  prefix?: PrefixReport;
  /** How long its thinking arrived. */
  thoughtMs?: number;
  /** The weight of its request, and the number of characters that the agent had to send. */
  sent?: { weight: RequestWeight; chars: number };
  /** Made by the provider. */
  repairs?: Repair[];
};

/**
 * The end of a call, for the detection of loops. `text` is what the model reads. `isWaiting`: the call took its time,
 * or looked at a process that still runs, so the same answer again does not mean a loop.
 */
export type CallEnd = {
  toolCallId: string;
  name: string;
  args: unknown;
  text: string;
  isError: boolean;
  isWaiting: boolean;
};

/** A request while the steps of a stage assemble it. */
export type RequestDraft = { model: string; system: string; messages: ModelMessage[]; tools: ToolSpec[] };

export const EMPTY_DRAFT: RequestDraft = { model: "", system: "", messages: [], tools: [] };

/** `output`: from the stage `done`, if the turn got there. */
export type TurnEnd = { stopReason: StopReason; error?: Failure; output?: string };

/**
 * The calls of a reply. `tooDeep`: ids of calls whose arguments were nested too deep to keep. `refused`: reasons of
 * calls that do not run, by id.
 */
export type CallsToAnswer = {
  reply: Reply;
  toolCalls: ToolCallPart[];
  tooDeep: string[];
  refused: Readonly<Record<string, string>>;
};

/** The value of each stage, in the order of a turn. Plain data, so that a step may be a program. */
type StageValues = {
  start: { agentId: string };
  assemble: RequestDraft;
  send: RequestDraft;
  receive: { reply: Reply };
  tool_exec: CallsToAnswer;
  tool_done: { results: CallEnd[] };
  /** `output` is the last text of the model. */
  done: { end: TurnEnd; output: string };
  error: { error: Failure };
};

export type StageName = keyof StageValues;

/** The transition to the next stage, with its initial value. */
export type Transition = { [N in StageName]: StageValues[N] & { readonly nextState: N } }[StageName];

/** The value that the steps of a stage pass on: the stage's own, until a step names the next stage. */
export type StageState<S extends StageName> = (StageValues[S] & { readonly nextState?: undefined }) | Transition;
