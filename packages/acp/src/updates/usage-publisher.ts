import type { UsageUpdate } from "@agentclientprotocol/sdk/unstable";
import type { Hud } from "@harness/protocol";
import type { UpdateWriter } from "../peer/update-writer.ts";

/** Sends how full the context window is and what the session has cost, whenever that changes. */
export class UsagePublisher {
  readonly #writer: UpdateWriter;
  #shown = "";

  constructor(writer: UpdateWriter) {
    this.#writer = writer;
  }

  show({ context, cost }: Pick<Hud, "context" | "cost">): void {
    if (!context) return;
    const usage: UsageUpdate = {
      used: context.usedTokens,
      size: context.windowTokens,
      // With requests whose price is not known, the sum says nothing.
      ...(cost && cost.unpricedRequests === 0 ? { cost: { amount: cost.usd, currency: "USD" } } : {}),
    };
    const text = JSON.stringify(usage);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#writer.send({ sessionUpdate: "usage_update", ...usage });
  }
}
