import {
  ROOT_AGENT,
  type SessionState,
  type SessionUpdate,
  type ToolOutcome,
  type UpdateView,
} from "@harness/protocol";

/** Waits for the outcomes of single calls of the main agent. */
export class CallOutcomes implements UpdateView {
  readonly #waiting = new Map<string, (outcome: ToolOutcome) => void>();

  /** The call may have ended already; `state` then contains its outcome. */
  of(toolCallId: string, state: SessionState | undefined): Promise<ToolOutcome> {
    const { items = [], positions } = state?.agents.get(ROOT_AGENT) ?? {};
    const item = items[positions?.get(toolCallId) ?? -1];
    if (item?.kind === "tool" && item.outcome) return Promise.resolve(item.outcome);
    const { promise, resolve } = Promise.withResolvers<ToolOutcome>();
    this.#waiting.set(toolCallId, resolve);
    return promise;
  }

  see({ update }: SessionUpdate): void {
    if (update.sessionUpdate !== "tool_call_update" || !update.outcome) return;
    this.#waiting.get(update.toolCallId)?.(update.outcome);
    this.#waiting.delete(update.toolCallId);
  }
}
