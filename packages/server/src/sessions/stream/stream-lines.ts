import { ROOT_AGENT, type SessionUpdate, textOf, type UpdateOf } from "@harness/protocol";

/** A line of a session's `.stream`, in the format that other programs read. */
export type StreamLine =
  | { type: "text" | "thinking" | "tool_output"; text: string }
  | { type: "tool_start"; id: string; name: string; input: unknown }
  | { type: "tool_done"; id: string; name: string; seq?: string; error: "true" | "false" }
  | { type: "stop"; reason: "end" | "tool_calls" | "length" | "error"; seq?: string }
  | { type: "error"; message: string }
  | { type: "done" };

/** The lines that an update adds; `begins`: the previous turn's lines are removed; `ends`: the turn is over. */
export type StreamChange = { begins: boolean; lines: StreamLine[]; ends: boolean };

type OpenCall = { name: string; result?: { seq: number; update: UpdateOf<"tool_call_update"> } };

const reasons: Record<UpdateOf<"agent_message">["stop"], "end" | "tool_calls" | "length" | "error"> = {
  end: "end",
  tool_calls: "tool_calls",
  length: "length",
  refusal: "error",
  cut: "error",
};

/** Turns the updates of a session's main agent into the lines of its `.stream`. */
export class StreamLineReader {
  /** The number of the message that contains a fact. */
  readonly #numberOf: (seq: number) => string | undefined;
  #isRunning = false;
  /** How much of each text was written while it was streamed. */
  readonly #written = new Map<string, number>();
  readonly #calls = new Map<string, OpenCall>();
  /** Calls that started before their reply was complete. */
  readonly #early = new Set<string>();

  constructor(numberOf: (seq: number) => string | undefined) {
    this.#numberOf = numberOf;
  }

  see(seen: SessionUpdate): StreamChange {
    const nothing = { begins: false, lines: [], ends: false };
    const { update, agentId } = seen;
    if (agentId !== ROOT_AGENT) return nothing;
    if (update.sessionUpdate === "state_update") return this.#turn(update);
    // Changes between turns are not streamed.
    return this.#isRunning ? { ...nothing, lines: this.#lines(seen) } : nothing;
  }

  #turn({ state, stopReason, error }: UpdateOf<"state_update">): StreamChange {
    const wasRunning = this.#isRunning;
    this.#isRunning = state !== "idle";
    if (this.#isRunning === wasRunning) return { begins: false, lines: [], ends: false };
    for (const each of [this.#written, this.#calls, this.#early]) each.clear();
    if (this.#isRunning) return { begins: true, lines: [], ends: false };
    const message = error?.message ?? (stopReason === "error" ? "The turn failed." : undefined);
    const failed: StreamLine[] = message === undefined ? [] : [{ type: "error", message }];
    return { begins: false, lines: [...failed, { type: "done" }], ends: true };
  }

  #lines({ seq = 0, update }: SessionUpdate): StreamLine[] {
    if ("fromFile" in update && update.fromFile !== undefined) return [];
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        return this.#chunk("text", update);
      case "agent_thought_chunk":
        return this.#chunk("thinking", update);
      case "retry":
        this.#written.delete(`text ${update.messageId}`);
        this.#written.delete(`thinking ${update.messageId}`);
        return [{ type: "error", message: update.error.message }];
      case "early_call":
        this.#early.add(update.call.toolCallId);
        return this.#start(update.call);
      case "agent_message":
        return this.#reply(seq, update);
      case "tool_call_update":
        return this.#result(seq, update);
      default:
        return [];
    }
  }

  #chunk(
    type: "text" | "thinking",
    { messageId, offset, text }: { messageId: string; offset: number; text: string },
  ): StreamLine[] {
    this.#written.set(`${type} ${messageId}`, offset + text.length);
    return text === "" ? [] : [{ type, text }];
  }

  #reply(seq: number, { messageId, parts, stop }: UpdateOf<"agent_message">): StreamLine[] {
    const rest = (["thinking", "text"] as const).flatMap((type): StreamLine[] => {
      const whole = type === "text" ? textOf(parts) : thoughtsOf(parts);
      const text = this.#written.has(`${type} ${messageId}`) ? "" : whole;
      return text === "" ? [] : [{ type, text }];
    });
    const calls = parts.filter((part) => part.type === "tool_call");
    const started = calls.flatMap((call) => (this.#early.has(call.toolCallId) ? [] : this.#start(call)));
    const early = calls.flatMap(({ toolCallId }) => {
      const result = this.#early.delete(toolCallId) ? this.#calls.get(toolCallId)?.result : undefined;
      return result ? this.#result(result.seq, result.update) : [];
    });
    const reason = calls.length > 0 && stop !== "cut" ? "tool_calls" : reasons[stop];
    return [...rest, ...started, { type: "stop", reason, ...this.#numbered(seq) }, ...early];
  }

  #start(call: { toolCallId: string; name: string; input?: unknown; inputText?: string }): StreamLine[] {
    const { toolCallId: id, name, input = call.inputText ?? "" } = call;
    this.#calls.set(id, { name });
    return [{ type: "tool_start", id, name, input }];
  }

  /** The result of an early call gets a number when its reply is complete. */
  #result(seq: number, update: UpdateOf<"tool_call_update">): StreamLine[] {
    const { toolCallId: id, outcome, byPerson } = update;
    const call = this.#calls.get(id);
    if (!call || !outcome || byPerson) return [];
    if (this.#early.has(id)) {
      call.result = { seq, update };
      return [];
    }
    this.#calls.delete(id);
    const error = outcome.status === "ok" ? "false" : "true";
    const name = update.name ?? call.name;
    return [
      { type: "tool_output", text: outcome.text },
      { type: "tool_done", id, name, ...this.#numbered(seq), error },
    ];
  }

  #numbered(factSeq: number): { seq?: string } {
    const seq = this.#numberOf(factSeq);
    return seq === undefined ? {} : { seq };
  }
}

function thoughtsOf(parts: UpdateOf<"agent_message">["parts"]): string {
  return parts.flatMap((part) => (part.type === "thinking" ? [part.text] : [])).join("\n\n");
}
