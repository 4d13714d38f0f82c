import type { SessionExtensions } from "@harness/core";

type GateHook = ReturnType<SessionExtensions["gateHooks"]>[number];

/** Calls that wait for their turn at the gate; one reply does not have more. */
const MAX_CALLS = 1_000;

/** Calls that `tool_exec` hooks want the user to be asked about, until the gate gets to them. */
export class CallAsks {
  readonly #words = new Map<string, string[]>();

  add(agentId: string, toolCallId: string, words: string): void {
    const key = keyOf(agentId, toolCallId);
    const known = this.#words.get(key) ?? [];
    if (!known.includes(words)) this.#words.set(key, [...known, words]);
    const [oldest] = this.#words.keys();
    if (this.#words.size > MAX_CALLS && oldest !== undefined) this.#words.delete(oldest);
  }

  /** Makes the gate ask; any refusal of the call still holds. */
  readonly gateHook: GateHook = async ({ agentId, toolCallId }) => {
    const words = this.#words.get(keyOf(agentId, toolCallId));
    return words && { ask: words.join("; ") };
  };
}

function keyOf(agentId: string, toolCallId: string): string {
  return `${agentId}\n${toolCallId}`;
}
