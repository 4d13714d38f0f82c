import { withGrace } from "@harness/gate";
import { addCost, type Cost, type Failure, NO_COST, type UpdateOf, type Usage } from "@harness/protocol";
import { AttemptMeter } from "../../context/tokens/attempt-meter.ts";
import { costOf } from "../../context/tokens/cost-of.ts";
import type { ModelChoice, ModelEvent, ModelRequest } from "../../ports/provider.ts";
import type { SidePurpose } from "../../ports/session-ports.ts";
import type { Scope } from "./scope.ts";

/** The cost of a request beside the conversation, in the form of facts. */
export type RequestCost = Required<Pick<UpdateOf<"notice">, "cost" | "provider" | "model">> & { usage?: Usage };

type End = Extract<ModelEvent, { type: "end" }>;
type Reply = { end: End } | { failure: Failure } | { without: "cancelled" | "brokenOff" | "bug" };
/** `spent` is absent if nothing was spent. */
export type SideReply = Reply & { spent?: RequestCost };

export type SideRequest = {
  scope: Scope;
  about: { agentId: string; purpose: SidePurpose };
  choice: ModelChoice;
  request: ModelRequest;
  signal: AbortSignal;
  /** Shows the status of the request. */
  onStatus?(status: Extract<ModelEvent, { type: "status" }>): void;
};

/** Asks a model once beside the conversation. Never throws. */
export async function sideRequest(order: SideRequest): Promise<SideReply> {
  const { choice, signal, scope, about, request } = order;
  const { model } = request;
  const ended = scope.ports.requests.watchBeside({ ...about, provider: choice.provider.id, model });
  const attempts = new AttemptMeter();
  let lost = NO_COST;
  const reply = await receive(order, (event) => {
    if (attempts.take(event)) lost = addCost(lost, costOf(undefined, choice.price));
  });
  const end = "end" in reply ? reply.end : undefined;
  ended({ usage: end?.usage, stop: end?.stop, failure: failureWord(reply) });
  const isPaid = end?.usage !== undefined || (end && end.stop !== "cut") || attempts.hasBegun(signal.aborted);
  const cost = isPaid ? addCost(lost, costOf(end?.usage, choice.price)) : lost;
  return !isPaid && lost === NO_COST ? reply : { ...reply, spent: spentOn(choice, end?.usage, cost) };
}

function failureWord(reply: Reply): string | undefined {
  return "failure" in reply ? reply.failure.kind : "without" in reply ? reply.without : undefined;
}

function spentOn({ provider, model }: ModelChoice, usage: Usage | undefined, cost: Cost): RequestCost {
  return { ...(usage ? { usage } : {}), cost, provider: provider.id, model };
}

async function receive(order: SideRequest, onEvent: (event: ModelEvent) => void): Promise<Reply> {
  const { scope, choice, request, signal, onStatus } = order;
  let isOver = false;
  const read = async (): Promise<Reply> => {
    for await (const event of choice.provider.stream(request, signal)) {
      if (isOver) break;
      onEvent(event);
      if (event.type === "status") onStatus?.(event);
      if (event.type === "failed") return { failure: event.failure };
      if (event.type === "end") return { end: event };
    }
    return { without: "brokenOff" };
  };
  try {
    return await withGrace(read(), signal, scope.ports.runtime.clock, () => ({ without: "cancelled" as const }));
  } catch (error) {
    scope.ports.runtime.report(error, "provider.stream");
    return { without: "bug" };
  } finally {
    isOver = true;
  }
}
