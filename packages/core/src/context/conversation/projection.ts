import {
  type Content,
  type FactView,
  type StoredFact,
  type ToolOutcome,
  textOf,
  type UpdateOf,
} from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { lenientName } from "../lenient-name.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";
import { dateIn } from "./date-note.ts";
import { type EarlyCallRecords, wholeParts, withEarlyCall } from "./early-calls.ts";
import { NoteQueue } from "./note-queue.ts";
import { callsIn, hasText, type OpenCalls, openCall, resultsOf } from "./open-calls.ts";
import { type Conversation, type PastFacts, RewindHistory } from "./rewind-history.ts";
import { shortenMessages } from "./shorten-messages.ts";
import { SHORT_RESULT_CHARS, shortened } from "./shortened-result.ts";
import { summaryMessage } from "./summary-text.ts";
import { allButLast, oversizeAmong, unansweredMessages } from "./unanswered-messages.ts";

/**
 * The messages to send to a model, built from the facts of one agent. It is append-only, so that request n is a prefix
 * of request n+1, except for a compaction, a rewind, shortened results, and a message that was too long to be sent.
 * Results are in the order of their calls, followed by messages that the user sent in the meantime.
 */
export class Projection implements FactView {
  readonly messages: ModelMessage[] = [];
  /** The last date that the messages mention; undefined: none. */
  today: string | undefined;
  /** Characters of all messages, for estimates. */
  chars = 0;
  /** The compaction whose summary comes first in the messages; undefined: none. */
  compaction: UpdateOf<"compaction_update"> | undefined;
  readonly notes = new NoteQueue();
  /** The seq of the fact that each message comes from; a result has the seq of its reply. */
  readonly #seqs: number[] = [];
  #prompts: Conversation["prompts"] = [];
  readonly #past: PastFacts;
  readonly #rewound = new RewindHistory();
  readonly #marked = new WeakMap<ModelMessage, Pick<UpdateOf<"user_message">, "kind" | "texts">>();
  #open: OpenCalls | undefined;
  #early: EarlyCallRecords | undefined;
  #behindCalls: { seq: number; message: ModelMessage }[] = [];
  #cut: { seq: number; message: ModelMessage } | undefined;

  /** `past` is read after a rewind across a compaction. */
  constructor(past: PastFacts) {
    this.#past = past;
  }

  see(fact: StoredFact): void {
    const { seq, update } = fact;
    this.notes.see(fact);
    switch (update.sessionUpdate) {
      case "user_message": {
        // The first message is the task, even if the user did not send it.
        if (update.origin === "user" || !this.lastPrompt) this.#prompts.push({ seq, text: textOf(update.content) });
        const message: ModelMessage = { role: "user", content: this.#withNotes(update) };
        if (update.kind) this.#marked.set(message, update);
        this.#addUser(seq, message);
        break;
      }
      case "agent_message":
        this.#addReply(seq, update);
        break;
      case "early_call":
        this.#early = withEarlyCall(this.#early, update);
        break;
      case "tool_call_update":
        this.#addToCall(update);
        break;
      case "compaction_update":
        this.#rewound.compacted(seq, update);
        this.#compact(update);
        break;
      case "context_update": {
        const shorter = shortenMessages(this.messages, this.#seqs, update.shortened);
        for (const [index, message] of shorter) this.#replace(index, message);
        this.#dropOldWorkingContexts();
        break;
      }
      case "rewind_update":
        this.#rewind(update);
        break;
      case "state_update":
        if (update.state === "idle") this.#endTurn(update);
        break;
      default:
        break;
    }
  }

  /** The user's messages so far, including those replaced by a summary, or a subagent's task. */
  get prompts(): readonly { seq: number; text: string }[] {
    return this.#prompts;
  }

  get lastPrompt(): { seq: number; text: string } | undefined {
    return this.#prompts.at(-1);
  }

  /** The indexes of the messages that are prompts. */
  get promptIndexes(): number[] {
    const seqs = new Set(this.#prompts.map(({ seq }) => seq));
    return this.#seqs.flatMap((seq, index) => (seqs.has(seq) ? [index] : []));
  }

  /** The seq of the fact that the message at this index comes from. */
  seqAt(index: number): number {
    return this.#seqs[index] ?? Number.MAX_SAFE_INTEGER;
  }

  /** The number of messages at the time of the last compaction; 0: there was none. */
  get compactedCount(): number {
    return this.#seqs.filter((seq) => seq <= this.#rewound.lastCompaction).length;
  }

  isWorkingContext(message: ModelMessage): boolean {
    return this.#marked.get(message)?.kind === "working_context";
  }

  /** The files whose text a message contains. */
  textsIn(message: ModelMessage): readonly { name: string; sha256: string }[] {
    return this.#marked.get(message)?.texts ?? [];
  }

  /** Messages and results since the last reply, with the seqs of their facts. A compaction summary does not count. */
  get unanswered(): { seq: number; message: ModelMessage }[] {
    return unansweredMessages(this.messages, this.#seqs);
  }

  /** After an overflow: a message that fills the window by itself would make every later request overflow too. */
  #leaveOutOversize(): void {
    const users = this.unanswered.map(({ message }) => message).filter(({ role }) => role === "user");
    for (const message of oversizeAmong(users, this.chars)) {
      const seq = this.#remove(this.messages.lastIndexOf(message));
      this.#prompts = this.#prompts.filter((each) => each.seq !== seq);
    }
  }

  /** Returns the seq of the message's fact. */
  #remove(index: number): number | undefined {
    const [message] = this.messages.splice(index, 1);
    if (message) this.chars -= messageChars(message);
    return this.#seqs.splice(index, 1)[0];
  }

  #push(seq: number, message: ModelMessage): void {
    this.messages.push(message);
    this.#seqs.push(seq);
    this.chars += messageChars(message);
  }

  #replace(index: number, message: ModelMessage): void {
    const before = this.messages[index];
    this.messages[index] = message;
    this.chars += messageChars(message) - (before ? messageChars(before) : 0);
  }

  #addUser(seq: number, message: ModelMessage): void {
    if (this.#open) this.#behindCalls.push({ seq, message });
    else this.#push(seq, message);
  }

  #addReply(seq: number, { messageId, parts, stop, provider, model }: UpdateOf<"agent_message">): void {
    const early = this.#early?.messageId === messageId ? this.#early : undefined;
    this.#early = undefined;
    const whole = stop === "cut" ? wholeParts(parts, early) : parts;
    const sendable = whole.filter((part) => part.type !== "text" || part.text !== "");
    const calls = callsIn(sendable);
    const message: ModelMessage = { role: "assistant", parts: sendable, provider, model };
    if (stop === "cut" && calls.size === 0) {
      if (hasText(sendable)) this.#cut = { seq, message };
      return;
    }
    this.#cut = undefined;
    // Only in a damaged log: every wire API rejects a call without a result.
    if (this.#open) this.#closeCalls(this.#open);
    // Most wire APIs reject a reply that consists of thoughts only.
    if (calls.size === 0 && !hasText(sendable)) return;
    this.#push(seq, message);
    if (calls.size === 0) return;
    this.#open = { seq, parts: sendable, calls, answers: new Map() };
    for (const [toolCallId, name] of early?.names ?? []) this.#putRight(toolCallId, name);
    for (const [toolCallId, outcome] of early?.outcomes ?? []) this.#addOutcome(toolCallId, outcome);
  }

  #addToCall({ toolCallId, name, outcome }: UpdateOf<"tool_call_update">): void {
    if (this.#early) {
      if (name !== undefined) this.#early.names.set(toolCallId, name);
      if (outcome) this.#early.outcomes.set(toolCallId, outcome);
      return;
    }
    if (name !== undefined) this.#putRight(toolCallId, name);
    if (outcome) this.#addOutcome(toolCallId, outcome);
  }

  /**
   * The fact keeps the name that the model wrote; requests contain the tool's real name, so that the model learns it. A
   * call that uses another harness's name keeps it, because its arguments have that form. This happens before any
   * result, and so before any request that contains the call.
   */
  #putRight(toolCallId: string, name: string): void {
    const call = openCall(this.#open, toolCallId);
    if (!call || call.part.name === name || lenientName(call.part.name) !== lenientName(name)) return;
    call.parts[call.index] = { ...call.part, name };
    this.chars += name.length - call.part.name.length;
  }

  #addOutcome(toolCallId: string, outcome: ToolOutcome): void {
    const open = this.#open;
    const call = openCall(this.#open, toolCallId);
    // Every wire API rejects a result without a call.
    if (!open || !call) return;
    const { text, images, status } = outcome;
    const { name } = call.part;
    const message: ModelMessage = { role: "tool", toolCallId, name, text, isError: status !== "ok" };
    open.answers.set(toolCallId, images && images.length > 0 ? { ...message, images } : message);
    if (open.answers.size === open.calls.size) this.#closeCalls(open);
  }

  #closeCalls(open: OpenCalls): void {
    this.#open = undefined;
    for (const result of resultsOf(open)) this.#push(open.seq, result);
    for (const { seq, message: later } of this.#behindCalls.splice(0)) this.#push(seq, later);
  }

  /**
   * A reply that the user stopped stays in the conversation; a reply cut short by a failure is shown to people only.
   */
  #endTurn({ stopReason, error }: UpdateOf<"state_update">): void {
    const cut = this.#cut;
    this.#cut = undefined;
    if (error?.kind === "overflow") this.#leaveOutOversize();
    if (cut && stopReason === "cancelled") this.#push(cut.seq, cut.message);
  }

  /** Notes about undone changes and other events between turns come before the user's next message. */
  #withNotes({ origin, content, attached = [], fromFile }: UpdateOf<"user_message">): Content[] {
    const notes = origin === "user" && !fromFile ? [...this.#rewound.takeNotes(), ...this.notes.takeAll()] : [];
    this.today = dateIn(attached) ?? this.today;
    return [...notes.map((text): Content => ({ type: "text", text })), ...content, ...attached];
  }

  /** Only the last one is up to date; the others are dropped when the beginning of the messages changes anyway. */
  #dropOldWorkingContexts(): void {
    for (const index of allButLast(this.messages, (message) => this.isWorkingContext(message))) this.#remove(index);
  }

  #conversation(): Conversation {
    const { compaction } = this;
    return { messages: this.messages.slice(), seqs: this.#seqs.slice(), prompts: this.#prompts.slice(), compaction };
  }

  #conversationBefore(seq: number): Conversation {
    const earlier = new Projection(this.#past);
    for (const fact of this.#past(seq)) earlier.see(fact);
    return earlier.#conversation();
  }

  #rewind(update: UpdateOf<"rewind_update">): void {
    // Only in a damaged log: a working agent is never rewound.
    if (this.#open) this.#closeCalls(this.#open);
    const then = this.#rewound.rewind(update, this.#conversation(), (seq) => this.#conversationBefore(seq));
    if (!then) return;
    this.messages.length = 0;
    this.#seqs.length = 0;
    this.chars = 0;
    then.messages.forEach((message, index) => {
      this.#push(then.seqs[index] ?? 0, message);
    });
    this.#prompts = then.prompts.slice();
    this.today = undefined;
    this.compaction = then.compaction;
  }

  #compact(compaction: UpdateOf<"compaction_update">): void {
    const { summary, keepFromSeq, shortened: count = 0 } = compaction;
    const first = this.#seqs.findIndex((each) => each >= keepFromSeq);
    const keepFrom = first < 0 ? this.messages.length : first;
    const kept = this.messages.splice(0).slice(keepFrom);
    const keptSeqs = this.#seqs.splice(0).slice(keepFrom);
    this.chars = 0;
    this.compaction = compaction;
    this.today = dateIn([{ type: "text", text: summary }]);
    // 0: the summary precedes everything that is kept, in the next compaction too.
    this.#push(0, summaryMessage(summary));
    kept.forEach((message, index) => {
      this.#push(keptSeqs[index] ?? keepFromSeq, message);
    });
    // Starts after the summary.
    for (const [at, message] of this.messages.slice(1, count + 1).entries())
      if (message.role === "tool") this.#replace(at + 1, shortened(message, SHORT_RESULT_CHARS));
    this.#dropOldWorkingContexts();
  }
}
