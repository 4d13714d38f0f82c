import type { Failure } from "../vocabulary/failure.ts";
import type { ChangeCounts, RestoredFile } from "../vocabulary/files/file-changes.ts";
import type { AgentPart, Content, Cost, RepairKind, StopReason, Usage } from "../vocabulary/message.ts";
import type { Effect } from "../vocabulary/permission.ts";
import type { ToolOutcome } from "../vocabulary/tool-outcome.ts";
import type { UpdateOf } from "../vocabulary/updates.ts";

/** An entry of a transcript. An item that changes is replaced by a new object, so rows can be cached by identity. */
export type TranscriptItem =
  | {
      kind: "user";
      id: string;
      content: Content[];
      origin: "user" | "subagent" | "agent" | "harness";
      fromAgentId?: string;
      at: string;
    }
  | { kind: "agent"; id: string; parts: AgentPart[]; cut: boolean; thoughtMs?: number; model: string; at: string }
  | ToolItem
  | RepairItem
  | {
      kind: "notice";
      id: string;
      severity: "info" | "warning" | "error";
      title: string;
      description?: string;
      at: string;
    }
  | TurnItem
  | {
      kind: "rewind";
      id: string;
      rewind: "undo" | "redo" | "rewind";
      title?: string;
      description?: string;
      /** Only if the fact has no text, as in older versions. */
      files?: RestoredFile[];
      at: string;
    }
  | ProcessItem
  | ({ kind: "compaction"; id: string; at: string } & Pick<
      UpdateOf<"compaction_update">,
      "summary" | "tokensBefore" | "tokensAfter" | "passes" | "fallback" | "pins"
    >)
  | ({ kind: "subagent"; id: string; at: string } & Pick<
      UpdateOf<"subagent_update">,
      "childAgentId" | "name" | "task" | "state" | "output" | "answerLength" | "background" | "worktree"
    >);

/** The end of a turn. */
export type TurnItem = {
  kind: "turn";
  id: string;
  /** Since its start; absent if unknown. */
  ms?: number;
  stopReason?: StopReason;
  error?: Failure;
  /** A preceding warning says why it ended. */
  explained?: true;
  usage?: Usage;
  cost?: Cost;
  changes?: ChangeCounts;
  at: string;
};

/**
 * The review of a call's edits. `taken` of `of` changes of its files were written; `reasons`: the user's, for those
 * that were not. `dropped`: they ended without a decision.
 */
export type EditReview =
  | { state: "waiting" }
  | { state: "decided"; taken: number; of: number; reasons: string[] }
  | { state: "dropped" };

export type ToolItem = {
  kind: "tool";
  id: string;
  name: string;
  title: string;
  status: "pending" | "in_progress" | "completed" | "failed";
  outcome?: ToolOutcome;
  /** Absent if it has none, or an older version wrote it. */
  effects?: Effect[];
  /** The user's own command. */
  byPerson?: true;
  /** It only reads, lists or searches files. */
  looks?: true;
  /** It is a command that provably only reads. */
  changesNothing?: true;
  /** It has started subagents, whose items represent it. */
  startedAgent?: true;
  /** Its edits went through a review. */
  review?: EditReview;
  at: string;
};

/** A background process ended, or printed what its agent waits for. */
export type ProcessItem = { kind: "process"; id: string; at: string } & Omit<
  UpdateOf<"process_update">,
  "sessionUpdate"
>;

/** A repair of the reply `messageId`, or of its request. */
export type RepairItem = {
  kind: "repair";
  id: string;
  messageId: string;
  what: RepairKind;
  toolCallId?: string;
  detail: string;
  at: string;
};
