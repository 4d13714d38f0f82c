import type { Effect, StoredFact, ToolCallPart, UpdateOf } from "@harness/protocol";
import { isHeldByReview } from "../loop/review/review-edits.ts";
import { type FactPages, factsOf } from "../ports/fact-pages.ts";

/** How the gate decided about a call: it ran unasked, a person was asked, or it was denied without a question. */
export type CallFate = "ran" | "asked" | "denied";

type CallRecord = { fate: CallFate | undefined; effects: readonly Effect[]; keptAnswer: boolean };

const KINDS = ["tool_call_update", "permission_requested", "permission_resolved"] as const;

/** How the calls of a stored session were decided. */
export class CallLedger {
  readonly #records = new Map<string, CallRecord>();
  /** The options that last, by permission request. */
  readonly #lasting = new Map<string, readonly string[]>();

  constructor(pages: FactPages) {
    for (const fact of factsOf(pages, { kinds: [...KINDS] })) this.#note(fact);
  }

  /** Undefined: the call never came to the gate. */
  fateOf(toolCallId: string): CallFate | undefined {
    return this.#records.get(toolCallId)?.fate;
  }

  /** As they were recorded. */
  effectsOf(toolCallId: string): readonly Effect[] {
    return this.#records.get(toolCallId)?.effects ?? [];
  }

  /** The answer was kept, so that nobody is asked again about the same call. */
  hasKeptAnswer(toolCallId: string): boolean {
    return this.#records.get(toolCallId)?.keptAnswer ?? false;
  }

  #note({ update }: StoredFact): void {
    if (update.sessionUpdate === "permission_requested") {
      const { toolCallId, permissionId, options } = update.permission;
      this.#of(toolCallId).fate = "asked";
      const lasting = options.filter(({ kind }) => kind === "allow_always").map(({ optionId }) => optionId);
      this.#lasting.set(permissionId, lasting);
    } else if (update.sessionUpdate === "permission_resolved") {
      const { toolCallId, permissionId, outcome } = update;
      const isKept = outcome.outcome === "selected" && this.#lasting.get(permissionId)?.includes(outcome.optionId);
      if (isKept) this.#of(toolCallId).keptAnswer = true;
    } else if (update.sessionUpdate === "tool_call_update" && !update.byPerson) {
      const record = this.#of(update.toolCallId);
      if (update.effects) record.effects = update.effects;
      if (update.status === "in_progress") record.fate ??= "ran";
      if (isDenied(update)) record.fate ??= "denied";
    }
  }

  #of(toolCallId: string): CallRecord {
    const known = this.#records.get(toolCallId) ?? { fate: undefined, effects: [], keptAnswer: false };
    this.#records.set(toolCallId, known);
    return known;
  }
}

/** The call that this fact shows to have been decided; undefined: none. */
export function decidedBy({ update }: StoredFact): string | undefined {
  if (update.sessionUpdate === "permission_requested") return update.permission.toolCallId;
  if (update.sessionUpdate !== "tool_call_update" || update.byPerson) return undefined;
  return update.status === "in_progress" || isDenied(update) ? update.toolCallId : undefined;
}

function isDenied({ outcome }: UpdateOf<"tool_call_update">): boolean {
  return outcome?.status === "denied" && !isHeldByReview(outcome);
}

/** The calls that a fact brings. */
export function callsBrought({ update }: StoredFact): ToolCallPart[] {
  if (update.sessionUpdate === "early_call") return [update.call];
  if (update.sessionUpdate !== "agent_message") return [];
  return update.parts.filter((part) => part.type === "tool_call");
}
