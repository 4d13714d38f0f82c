import type { PromptResponse } from "@agentclientprotocol/sdk/unstable";
import { ROOT_AGENT, type SessionUpdate, type UpdateView } from "@harness/protocol";
import { turnFailure } from "../peer/request-failure.ts";
import { promptAnswer } from "./stop-reason.ts";

type Open = PromiseWithResolvers<PromptResponse> & { turnId?: string };

/** Prompts that are not answered yet: each waits for the end of the turn that took it in, and not for an earlier one. */
export class PromptWait implements UpdateView {
  readonly #open = new Map<string, Open>();

  /** Waits for the turn of a prompt that is about to be sent. */
  add(promptId: string): Promise<PromptResponse> {
    const open: Open = Promise.withResolvers<PromptResponse>();
    this.#open.set(promptId, open);
    return open.promise;
  }

  has(promptId: string): boolean {
    return this.#open.has(promptId);
  }

  /** Those that no turn has taken in. */
  get queued(): string[] {
    return [...this.#open].filter(([, { turnId }]) => turnId === undefined).map(([promptId]) => promptId);
  }

  started(promptId: string, turnId: string): void {
    const open = this.#open.get(promptId);
    if (open) open.turnId = turnId;
  }

  /** It was withdrawn before a turn took it in. */
  cancelled(promptId: string): void {
    this.#end(promptId)?.resolve(promptAnswer("cancelled"));
  }

  failed(promptId: string, error: unknown): void {
    this.#end(promptId)?.reject(error);
  }

  see({ agentId, turnId, update }: SessionUpdate): void {
    if (agentId !== ROOT_AGENT || turnId === undefined) return;
    if (update.sessionUpdate === "user_message" && update.promptId !== undefined) this.started(update.promptId, turnId);
    if (update.sessionUpdate !== "state_update" || update.state !== "idle") return;
    const { stopReason = "end_turn", error, usage } = update;
    for (const [promptId, open] of this.#open) {
      if (open.turnId !== turnId) continue;
      if (error) this.failed(promptId, turnFailure(error));
      else this.#end(promptId)?.resolve(promptAnswer(stopReason === "error" ? "end_turn" : stopReason, usage));
    }
  }

  #end(promptId: string): Open | undefined {
    const open = this.#open.get(promptId);
    this.#open.delete(promptId);
    return open;
  }
}
