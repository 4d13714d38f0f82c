import type { ContextWindow } from "@harness/core";
import type { Price } from "@harness/protocol";
import type { ProviderProgram } from "../programs/provider-program.ts";
import { withQueue } from "../wires/queue/with-queue.ts";
import { withTools } from "./assemble-provider.ts";
import type { ModelQuestion, ResolvedModel } from "./model-question.ts";

/** A model that a program on this machine runs, as described by the program. */
export type ProgramModel = {
  id: string;
  vendor: ResolvedModel["vendor"];
  program: ProviderProgram;
  contextWindow: ContextWindow;
  contextWindowAdvice: string;
  price: Price;
  warning?: string;
};

/**
 * Wraps a program's model in the queue and the way of calling tools. There is no retry, because its failures are
 * permanent.
 */
export function chooseProgramModel(chosen: ProgramModel, ask: ModelQuestion): ResolvedModel {
  const { id, vendor, program, contextWindow, contextWindowAdvice, price, warning } = chosen;
  const { effort, maxOutputTokens, memory } = ask;
  const plain = withQueue(program, memory.queues.ofProgram(vendor.address, program));
  const toolMode = ask.capabilities?.(vendor.id, id, vendor.address)?.toolMode ?? "native";
  return {
    provider: withTools(plain, toolMode),
    plain,
    model: id,
    contextWindow,
    toolMode,
    price,
    ...(effort && { effort }),
    ...(maxOutputTokens && { maxOutputTokens }),
    contextWindowAdvice,
    vendor,
    ...(warning !== undefined && { warning }),
  };
}
