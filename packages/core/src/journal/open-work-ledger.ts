import {
  type Fact,
  type FactView,
  type PermissionOutcome,
  type ReviewHunk,
  ROOT_AGENT,
  type StopReason,
  type StoredFact,
  type ToolCallPart,
  type ToolOutcome,
  textOf,
  type UpdateOf,
} from "@harness/protocol";
import { unreadNotices } from "../context/conversation/inbox-text.ts";
import { cutResult } from "../context/cut-result.ts";

/** The size of a result if it is unknown how much its reader can take. */
const MAX_LOST_CHARS = 8_000;

export type JournalEntry = { agentId: string; turnId?: string; update: Fact };

type Owner = { agentId: string; turnId?: string };
type OpenCall = Owner & { name: string; started: boolean } & Pick<UpdateOf<"tool_call_update">, "byPerson">;
type EarlyReply = Owner & { calls: ToolCallPart[]; provider: string; model: string };
type Unread = { agentId: string } & Pick<UpdateOf<"inbox_update">, "fromAgentId" | "prompt">;
type OpenChild = Owner & { update: UpdateOf<"subagent_update"> };
/** A review that the user has answered. */
export type AnsweredReview = Owner & { hunks: readonly ReviewHunk[]; outcome: SelectedOutcome };
type SelectedOutcome = Extract<PermissionOutcome, { outcome: "selected" }>;
/** The last text of a subagent, and how its turn ended. */
type LastWords = { text: string; stopReason?: StopReason };

/**
 * Tracks what the stored facts have begun and not ended: turns, calls, questions, subagents. The facts that repair a
 * session after a crash follow from it alone, so that the repair is the same in every process. It reads only stored
 * facts, while the session state also shows those that could not be stored.
 */
export class OpenWorkLedger implements FactView {
  readonly #turns = new Map<string, string | undefined>();
  readonly #calls = new Map<string, OpenCall>();
  /** Replies that have calls running already, by message id. */
  readonly #early = new Map<string, EarlyReply>();
  readonly #permissions = new Map<string, Owner & { toolCallId: string; review?: ReviewHunk[] }>();
  #answeredReview: AnsweredReview | undefined;
  readonly #children = new Map<string, OpenChild>();
  /** By the id of a subagent whose end is not recorded yet. */
  readonly #lastWords = new Map<string, LastWords>();
  /** Messages that subagents have not read, by their id. */
  readonly #unread = new Map<string, Unread>();
  readonly #processes = new Map<string, UpdateOf<"process_update">>();

  see({ agentId, turnId, update }: StoredFact): void {
    const owner: Owner = turnId === undefined ? { agentId } : { agentId, turnId };
    switch (update.sessionUpdate) {
      case "state_update":
        this.#seeState(owner, update);
        break;
      case "early_call":
        this.#seeEarly(owner, update);
        break;
      case "agent_message":
        this.#seeReply(owner, update);
        break;
      case "tool_call_update":
        this.#seeCall(owner, update);
        break;
      case "permission_requested":
        this.#seeRequest(owner, update);
        break;
      case "permission_resolved":
        this.#seeAnswer(update);
        break;
      case "staged_update":
        this.#answeredReview = undefined;
        break;
      case "subagent_update":
        this.#lastWords.delete(update.childAgentId);
        if (update.state === "running") this.#children.set(update.childAgentId, { ...owner, update });
        else this.#children.delete(update.childAgentId);
        break;
      case "inbox_update":
        if (update.state !== "queued") this.#unread.delete(update.messageId);
        else if (agentId !== ROOT_AGENT) this.#unread.set(update.messageId, unreadOf(agentId, update));
        break;
      case "process_update":
        // A kept one runs on without harness.
        if (update.state === "running" && !update.kept) this.#processes.set(update.processId, update);
        else this.#processes.delete(update.processId);
        break;
      default:
        break;
    }
  }

  /** A review whose answer was stored, but nothing that follows from it. */
  get answeredReview(): AnsweredReview | undefined {
    return this.#answeredReview;
  }

  /** The ends of processes that cannot have outlived the harness that started them. */
  lostProcesses(): JournalEntry[] {
    return [...this.#processes.values()].map(({ matched: _matched, ...process }) => ({
      agentId: ROOT_AGENT,
      update: { ...process, state: "interrupted" },
    }));
  }

  /** The agent's own calls without a result, in the order they were made. */
  callsOf(agentId: string): { toolCallId: string; started: boolean }[] {
    return [...this.#calls].flatMap(([toolCallId, call]) =>
      call.agentId === agentId && !call.byPerson ? [{ toolCallId, started: call.started }] : [],
    );
  }

  /** The facts that end everything that is open, children before parents. */
  closing(): JournalEntry[] {
    return this.#agents().flatMap((agentId) => this.#closingOf(agentId));
  }

  #seeRequest(owner: Owner, { permission }: UpdateOf<"permission_requested">): void {
    const { permissionId, toolCallId, review } = permission;
    this.#permissions.set(permissionId, { ...owner, toolCallId, ...(review ? { review } : {}) });
  }

  #seeAnswer({ permissionId, outcome }: UpdateOf<"permission_resolved">): void {
    const request = this.#permissions.get(permissionId);
    this.#permissions.delete(permissionId);
    if (!request?.review || outcome.outcome !== "selected") return;
    const { review: hunks, toolCallId: _call, ...owner } = request;
    this.#answeredReview = { ...owner, hunks, outcome };
  }

  #seeState({ agentId, turnId }: Owner, { state, stopReason }: UpdateOf<"state_update">): void {
    if (state !== "idle") {
      this.#turns.set(agentId, turnId);
      return;
    }
    this.#turns.delete(agentId);
    const lastWords = this.#lastWords.get(agentId);
    if (lastWords && stopReason) lastWords.stopReason = stopReason;
  }

  #seeReply(owner: Owner, { messageId, parts, stop }: UpdateOf<"agent_message">): void {
    if (this.#children.has(owner.agentId)) this.#lastWords.set(owner.agentId, { text: textOf(parts) });
    const early = new Set(this.#early.get(messageId)?.calls.map(({ toolCallId }) => toolCallId));
    this.#early.delete(messageId);
    // A cut reply has only the calls that had started before it was cut.
    if (stop === "cut") return;
    for (const part of parts) {
      if (part.type !== "tool_call" || early.has(part.toolCallId)) continue;
      this.#calls.set(part.toolCallId, { ...owner, name: part.name, started: false });
    }
  }

  #seeEarly(owner: Owner, { messageId, call, provider, model }: UpdateOf<"early_call">): void {
    const calls = [...(this.#early.get(messageId)?.calls ?? []), call];
    this.#early.set(messageId, { ...owner, calls, provider, model });
    this.#calls.set(call.toolCallId, { ...owner, name: call.name, started: false });
  }

  #seeCall(owner: Owner, { toolCallId, status, name, outcome, byPerson }: UpdateOf<"tool_call_update">): void {
    const before = this.#calls.get(toolCallId);
    if (outcome) this.#calls.delete(toolCallId);
    else if (before) this.#calls.set(toolCallId, { ...before, started: before.started || status === "in_progress" });
    else {
      const isStarted = status === "in_progress";
      const call = { ...owner, name: name ?? "", started: isStarted };
      this.#calls.set(toolCallId, byPerson ? { ...call, byPerson } : call);
    }
  }

  /** All agents with something open, deepest first. */
  #agents(): string[] {
    const work = [this.#calls, this.#permissions, this.#children, this.#early];
    const owners = work.flatMap((each): Owner[] => [...each.values()]);
    const ids = new Set([...this.#turns.keys(), ...this.#children.keys(), ...owners.map((each) => each.agentId)]);
    return [...ids].sort((a, b) => this.#depth(b) - this.#depth(a) || (a < b ? -1 : 1));
  }

  #depth(agentId: string): number {
    let depth = 0;
    let at: string | undefined = agentId;
    while (at !== undefined && at !== ROOT_AGENT && depth < 100) {
      depth += 1;
      at = this.#children.get(at)?.agentId;
    }
    return depth;
  }

  #closingOf(agentId: string): JournalEntry[] {
    const entries: JournalEntry[] = [];
    const owned = <T extends Owner>(all: Map<string, T>): [string, T][] =>
      [...all].filter(([, each]) => each.agentId === agentId);
    for (const [permissionId, { toolCallId, ...owner }] of owned(this.#permissions)) {
      const outcome = { outcome: "cancelled" as const };
      entries.push({
        ...owner,
        update: {
          sessionUpdate: "permission_resolved",
          permissionId,
          toolCallId,
          outcome,
          by: "harness",
          reason: "interrupted",
        },
      });
    }
    for (const [messageId, { calls: parts, provider, model, ...owner }] of owned(this.#early)) {
      const update: Fact = { sessionUpdate: "agent_message", messageId, parts, stop: "cut", provider, model };
      entries.push({ ...owner, update });
    }
    for (const [toolCallId, { name, started, byPerson, ...owner }] of owned(this.#calls)) {
      const outcome = interruptedOutcome(started);
      const update: Fact = { sessionUpdate: "tool_call_update", toolCallId, status: "failed", name, outcome };
      entries.push({ ...owner, update: byPerson ? { ...update, byPerson } : update });
    }
    for (const [childAgentId, { update, ...owner }] of owned(this.#children)) {
      entries.push({ ...owner, update: { ...update, ...lostEnd(update, this.#lastWords.get(childAgentId)) } });
    }
    for (const [messageId, { fromAgentId, prompt }] of owned(this.#unread)) {
      const from = fromAgentId === undefined ? {} : { fromAgentId };
      const reason = "it was interrupted when the program ended.";
      entries.push({
        agentId,
        update: { sessionUpdate: "inbox_update", messageId, state: "dropped", ...from, reason },
      });
      if (prompt) entries.push(...unreadNotices(agentId, prompt, reason));
    }
    if (!this.#turns.has(agentId)) return entries;
    const turnId = this.#turns.get(agentId);
    const idle: Fact = { sessionUpdate: "state_update", state: "idle", stopReason: "interrupted" };
    return [...entries, { agentId, ...(turnId === undefined ? {} : { turnId }), update: idle }];
  }
}

function interruptedOutcome(started: boolean): ToolOutcome {
  const text = started
    ? "interrupted: it is unknown whether it ran. Look before you do it again."
    : "interrupted before it started: it did not run.";
  return { status: "interrupted", text, blocks: [], durationMs: 0 };
}

/** How a lost child is reported to its parent; a child that had ended by itself still has its result. */
function lostEnd(
  { childAgentId, worktree }: UpdateOf<"subagent_update">,
  lastWords: LastWords | undefined,
): Partial<UpdateOf<"subagent_update">> {
  const isDone = lastWords?.stopReason === "end_turn" || lastWords?.stopReason === "max_tokens";
  return {
    state: isDone ? "completed" : "interrupted",
    output: `${isDone ? cutResult(lastWords.text.trim(), MAX_LOST_CHARS, undefined) : LOST}${worktree ? leftWorktree(childAgentId) : ""}`,
    resultId: `${childAgentId}-interrupted`,
  };
}

const LOST = "interrupted when the program ended.";

function leftWorktree(agentId: string): string {
  return `\nIts worktree still exists: agent_changes with {"agent":"${agentId}","action":"diff"} shows its changes, "apply" applies them to the workspace, "drop" discards them.`;
}

function unreadOf(agentId: string, { fromAgentId, prompt }: UpdateOf<"inbox_update">): Unread {
  return { agentId, ...(fromAgentId === undefined ? {} : { fromAgentId }), ...(prompt ? { prompt } : {}) };
}
