import type { Clock } from "@harness/gate";
import type { Tool } from "../../ports/tool.ts";

/** Limits by tool name; `*`: for all tools without their own, except those that only speak to the loop. */
export type LimitByTool = Readonly<Record<string, number>>;

export function limitFor(limits: LimitByTool, { name, category }: Pick<Tool, "name" | "category">): number | undefined {
  const own = Object.hasOwn(limits, name) ? limits[name] : undefined;
  return own ?? (category === "signal" ? undefined : limits["*"]);
}

export type TimeLimit = {
  /** Aborts with the call, and at its time limit. */
  readonly signal: AbortSignal;
  readonly isOver: boolean;
  /** The call has ended by itself. */
  end(): void;
};

/** Starts the time limit of a call; undefined if it has none. */
export function timeLimit(ms: number | undefined, signal: AbortSignal, clock: Clock): TimeLimit {
  if (ms === undefined) return { signal, isOver: false, end: () => undefined };
  const over = new AbortController();
  const ended = new AbortController();
  const waiting = AbortSignal.any([signal, ended.signal]);
  void clock.sleep(ms, waiting).then(
    () => {
      if (!waiting.aborted) over.abort("over");
    },
    () => undefined,
  );
  return {
    signal: AbortSignal.any([signal, over.signal]),
    get isOver() {
      return over.signal.aborted;
    },
    end: () => ended.abort("ended"),
  };
}

/** Why a call was ended. */
export function stoppedText(tool: Pick<Tool, "name">, { aborted }: AbortSignal, maxMs: number | undefined): string {
  if (aborted) return "cancelled while it ran: the person stopped it.";
  return `stopped: it had not ended after ${maxMs} ms, which is the person's limit for \`${tool.name}\`.`;
}
