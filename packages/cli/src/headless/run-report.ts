import { type Failure, ROOT_AGENT, type SessionUpdate, type StopReason, textOf, type Usage } from "@harness/protocol";
import { type Ending, exitCodes } from "../exit-codes.ts";

/** The last line of every run: `{"type":"result",…}`. */
export type RunResult = {
  type: "result";
  subtype: "success" | "error" | "cancelled" | "limit" | "denied";
  isError: boolean;
  exitCode: number;
  stopReason: StopReason | null;
  /** The model's last words; partial when the run did not succeed. */
  result: string;
  sessionId: string | null;
  turns: number;
  durationMs: number;
  usage: Usage;
  models: Record<string, Usage>;
  permissionDenials: { tool: string; title: string; reason: string }[];
  filesChanged: string[];
  error?: { kind: string; message: string };
};

const usageFields = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

function addUsage(sum: Usage, more: Usage): void {
  for (const field of usageFields) if (more[field] !== undefined) sum[field] = (sum[field] ?? 0) + more[field];
}

/** Collects from a session's updates what the result of a run says. */
export class RunReport {
  answer = "";
  turns = 0;
  stopReason: StopReason | undefined;
  failure: Failure | undefined;
  private readonly usage: Usage = {};
  private readonly models: Record<string, Usage> = {};
  private readonly titles = new Map<string, { tool: string; title: string }>();
  private readonly denials: RunResult["permissionDenials"] = [];
  private readonly changed = new Set<string>();

  /** True when this update ended the root agent's turn. */
  take({ agentId, update }: SessionUpdate): boolean {
    if (update.sessionUpdate === "agent_message") {
      this.turns += 1;
      const model = `${update.provider}/${update.model}`;
      this.models[model] ??= {};
      if (update.usage) {
        addUsage(this.usage, update.usage);
        addUsage(this.models[model], update.usage);
      }
      const text = textOf(update.parts);
      if (agentId === ROOT_AGENT && text !== "") this.answer = text;
    }
    if (update.sessionUpdate === "tool_call_update") this.takeCall(update);
    if (update.sessionUpdate !== "state_update" || agentId !== ROOT_AGENT || update.state !== "idle") return false;
    this.stopReason = update.stopReason;
    this.failure = update.error;
    return true;
  }

  private takeCall(update: Extract<SessionUpdate["update"], { sessionUpdate: "tool_call_update" }>): void {
    const { toolCallId, name, title, outcome } = update;
    if (name !== undefined) this.titles.set(toolCallId, { tool: name, title: title ?? name });
    if (!outcome) return;
    const call = this.titles.get(toolCallId) ?? { tool: "", title: toolCallId };
    if (outcome.status === "denied") this.denials.push({ ...call, reason: outcome.text });
    if (outcome.status === "ok")
      for (const block of outcome.blocks) if (block.type === "diff") this.changed.add(block.path);
  }

  /** How the run ended, from why its turn stopped; `forced` is what ended it from outside. */
  ending(forced: Ending | undefined): Ending {
    if (forced) return forced;
    const kind = this.failure?.kind;
    if (kind) return kind === "auth" || kind === "config" ? "config" : "failed";
    switch (this.stopReason) {
      case "end_turn":
        return "done";
      case "max_tokens":
      case "max_turn_requests":
      case "loop":
        return "limit";
      default:
        return "failed";
    }
  }

  result(ending: Ending, run: { sessionId: string | null; durationMs: number; error?: RunResult["error"] }): RunResult {
    const error = run.error ?? (this.failure && { kind: this.failure.kind, message: this.failure.message });
    return {
      type: "result",
      subtype: subtypes[ending] ?? "error",
      isError: ending !== "done",
      exitCode: exitCodes[ending].code,
      stopReason: this.stopReason ?? null,
      result: this.answer,
      sessionId: run.sessionId,
      turns: this.turns,
      durationMs: Math.round(run.durationMs),
      usage: this.usage,
      models: this.models,
      permissionDenials: this.denials,
      filesChanged: [...this.changed].sort(),
      ...(error ? { error } : {}),
    };
  }
}

const subtypes: Partial<Record<Ending, RunResult["subtype"]>> = {
  done: "success",
  denied: "denied",
  limit: "limit",
  interrupted: "cancelled",
  terminated: "cancelled",
};
