import type { SavedMessage, SavedRole } from "./saved-message.ts";

/**
 * The ids of calls along a conversation. Files that were written by hand, or copied, may have one id twice; a session has each
 * once, and a result belongs to the first call before it that has none.
 */
export class CallIdTable {
  readonly #used = new Set<string>();
  /** Ids of messages that files may stand for: others do not get them. */
  readonly #reserved: ReadonlySet<string>;
  /** Calls that wait for results. */
  #open = new Set<string>();

  constructor(reserved: Iterable<string> = []) {
    this.#reserved = new Set(reserved);
  }

  /** The message with ids that no other call has; undefined: the result of no call. `known`: the ids that its calls had. */
  own(message: SavedMessage, known: readonly string[] = []): SavedMessage | undefined {
    if (message.role === "user") return message;
    if (message.role === "tool_result") {
      const callId = [...this.#open].find((id) => isFormOf(id, message.callId));
      return callId === undefined ? undefined : { ...message, callId };
    }
    const taken = new Set(this.#used);
    const isFree = (id: string) => !taken.has(id) && !this.#reserved.has(id);
    const parts = message.parts.map((part) => {
      if (part.type !== "tool_call") return part;
      const before = known.find((id) => !taken.has(id) && isFormOf(id, part.toolCallId));
      const toolCallId = before ?? freeId(part.toolCallId, isFree);
      taken.add(toolCallId);
      return toolCallId === part.toolCallId ? part : { ...part, toolCallId };
    });
    return { ...message, parts };
  }

  take(role: SavedRole, calls: readonly string[]): void {
    if (role === "assistant") {
      this.#open = new Set(calls);
      for (const id of calls) this.#used.add(id);
    } else for (const id of calls) this.#open.delete(id);
  }
}

function freeId(id: string, isFree: (id: string) => boolean): string {
  for (let count = 1; ; count += 1) {
    const form = count === 1 ? id : `${id}~${count}`;
    if (isFree(form)) return form;
  }
}

/** True for the id itself, and for the one that it got because others had it. */
function isFormOf(own: string, id: string): boolean {
  return own === id || (own.startsWith(`${id}~`) && /^\d+$/.test(own.slice(id.length + 1)));
}
