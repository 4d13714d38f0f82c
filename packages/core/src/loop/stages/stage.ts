import type { AgentPart, Failure, PrefixReport, Stop, ToolCallPart, Usage } from "@harness/protocol";
import type { RequestWeight } from "../../context/tokens/request-weight.ts";
import type { ModelEvent, ModelMessage, ToolSpec } from "../../ports/provider.ts";
import { LogWriteError } from "../../ports/session-log.ts";

/** In the order a turn meets them; where it goes from each is said by the steps, not by this list. */
const stageNames = ["start", "assemble", "send", "receive", "tool_exec", "tool_done", "done", "error"] as const;
export type StageName = (typeof stageNames)[number];

/** What was mended in a reply. */
export type Repair = Omit<Extract<ModelEvent, { type: "repair" }>, "type">;

/** One reply of the model, whole or broken off. */
export type Reply = {
  messageId: string;
  provider: string;
  model: string;
  parts: AgentPart[];
  stop: Stop;
  usage?: Usage;
  failure?: Failure;
  /** It is cut, and something of it had arrived: it is to be paid for, reported or not. */
  hasBegun?: boolean;
  /** How its request began with the last one of the agent. */
  prefix?: PrefixReport;
  /** How long its thoughts were coming in. */
  thoughtMs?: number;
  /** What its request held, and the characters that the agent had to send then. */
  sent?: { weight: RequestWeight; chars: number };
  /** By the provider. */
  repairs?: Repair[];
};

/** How a call ended, for what looks at results. `text` is what the model reads. */
export type CallEnd = { toolCallId: string; name: string; args: unknown; text: string; isError: boolean };

/** What travels through the stages of a turn: plain data, so that a step may be a program of its own. */
export type StageValue = {
  /** Where the turn goes after this stage; absent = it ends. */
  nextState?: StageName;
  model?: string;
  system?: string;
  messages?: ModelMessage[];
  tools?: ToolSpec[];
  reply?: Reply;
  toolCalls?: ToolCallPart[];
  /** Ids of calls whose arguments were nested too deep to keep. */
  tooDeep?: string[];
  results?: CallEnd[];
  output?: string;
  error?: Failure;
};

/** A step takes the stage's value and hands it on. `C` is what it works with besides: the turn. */
export type Step<C> = {
  readonly stage: StageName;
  /** `NN-name`: steps of a stage run in the order of their names; the same name replaces. */
  readonly name: string;
  run(value: StageValue, context: C): StageValue | Promise<StageValue>;
};

export type StageTable<C> = ReadonlyMap<StageName, readonly Step<C>[]>;

/** The steps of each stage, sorted by name; a later one of the same stage and name takes the place of an earlier one. */
export function stageTable<C>(steps: readonly Step<C>[]): StageTable<C> {
  return new Map(
    stageNames.map((stage) => {
      const byName = new Map(steps.filter((each) => each.stage === stage).map((each) => [each.name, each]));
      return [stage, [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))];
    }),
  );
}

/**
 * Goes from stage to stage as the steps say, from `start` until none is named. A step that throws leads to `error`, and
 * one that throws there ends it. Only `LogWriteError` comes out: a turn that cannot be stored must stop at once.
 */
export async function followStages<C>(
  table: StageTable<C>,
  context: C,
  report: (error: unknown, where: string) => void,
): Promise<void> {
  let stage: StageName | undefined = "start";
  let value: StageValue = {};
  while (stage !== undefined) {
    try {
      value = await runStage(table.get(stage) ?? [], value, context);
    } catch (error) {
      if (error instanceof LogWriteError) throw error;
      report(error, `stage ${stage}`);
      if (stage === "error") return;
      const message = `Something went wrong inside harness, in its stage \`${stage}\`; its log has the details.`;
      value = { nextState: "error", error: { kind: "internal", message } };
    }
    const { nextState, ...rest }: StageValue = value;
    stage = nextState;
    value = rest;
  }
}

async function runStage<C>(steps: readonly Step<C>[], value: StageValue, context: C): Promise<StageValue> {
  let current = value;
  for (const step of steps) current = await step.run(current, context);
  return current;
}
