import { type Approval, runsOnlyReaders } from "@harness/gate";
import type { ToolOutcome } from "@harness/protocol";
import type { EditReport } from "../../ports/edits/edit-checks.ts";
import type { Turn } from "../turn/turn.ts";
import { type PreparedCall, type ReadyCall, reachOf } from "./prepare-call.ts";

/**
 * The calls of one reply that may change files. When the last of them has run, the changed files are checked once, and
 * its result says what was found.
 */
export class BatchCheck {
  readonly #turn: Turn;
  /** Calls that may change files and have not ended. */
  readonly #open = new Set<string>();
  readonly #paths = new Set<string>();
  #ranCommands = false;
  /** Commands of these calls are known to only read. */
  readonly #readers = new Set<string>();
  #isStreaming = true;
  /** Resolves when another call has come, or no more will. */
  #news = Promise.withResolvers<void>();

  /** More calls may come until it is complete. */
  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** Every call of the reply is entered before it can end. */
  enter(call: PreparedCall): void {
    if (!this.#turn.scope.ports.files.editChecks) return;
    if (call.kind !== "ready" || !mayChangeFiles(call, this.#turn.cwd)) {
      this.#open.delete(call.toolCallId);
      return;
    }
    this.#open.add(call.toolCallId);
    this.#tell();
  }

  /** No further call will come. */
  complete(): void {
    this.#isStreaming = false;
    this.#tell();
  }

  /** Called before the tool of an approved call runs. */
  async before(call: ReadyCall, approval: Approval, signal: AbortSignal): Promise<void> {
    const checks = this.#turn.scope.ports.files.editChecks;
    if (!checks || !this.#open.has(call.toolCallId)) return;
    if (runsOnlyReaders(approval)) this.#readers.add(call.toolCallId);
    const { effects } = reachOf(call, this.#turn.cwd);
    const paths = effects.flatMap((each) => (each.kind === "write" ? [each.path] : []));
    if (!this.#readers.has(call.toolCallId)) await checks.before({ ...this.#agent(), paths }, signal);
  }

  /** The outcome of a call that has run, with the verdict about all changes if it is the last one. */
  async after(call: PreparedCall, outcome: ToolOutcome, signal: AbortSignal): Promise<ToolOutcome> {
    if (!this.#open.has(call.toolCallId)) return this.#open.size > 0 ? outcome : withVerdict(outcome, this.#late());
    this.#note(call, outcome);
    // The verdict belongs to the last call: this one is it unless another comes.
    if (this.#open.size === 1 && this.#isStreaming && this.#hasChanges) await this.#untilNews(signal);
    this.#open.delete(call.toolCallId);
    if (this.#open.size > 0 || !this.#hasChanges || signal.aborted) return outcome;
    return withVerdict(outcome, await this.#check(signal));
  }

  /** Of edits in an earlier reply; this one has changed nothing. */
  #late(): EditReport | undefined {
    if (this.#hasChanges) return undefined;
    return this.#turn.scope.ports.files.editChecks?.late(this.#agent());
  }

  get #hasChanges(): boolean {
    return this.#paths.size > 0 || this.#ranCommands;
  }

  #note(call: PreparedCall, outcome: ToolOutcome): void {
    const { files = [], status } = outcome;
    for (const { how, path } of files) if (how !== "read") this.#paths.add(path);
    if (call.kind !== "ready" || status === "denied" || status === "cancelled") return;
    const { effects } = reachOf(call, this.#turn.cwd);
    // Some tools do not say what they have changed.
    if (status === "ok" && files.length === 0)
      for (const each of effects) if (each.kind === "write") this.#paths.add(each.path);
    if (!this.#readers.has(call.toolCallId) && effects.some(({ kind }) => kind === "run")) this.#ranCommands = true;
  }

  async #check(signal: AbortSignal): Promise<EditReport | undefined> {
    const edits = { ...this.#agent(), paths: [...this.#paths], commands: this.#ranCommands };
    this.#paths.clear();
    this.#ranCommands = false;
    return await this.#turn.scope.ports.files.editChecks?.after(edits, signal);
  }

  async #untilNews(signal: AbortSignal): Promise<void> {
    const stop = () => this.#tell();
    signal.addEventListener("abort", stop, { once: true });
    if (!signal.aborted) await this.#news.promise;
    signal.removeEventListener("abort", stop);
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers<void>();
  }

  #agent() {
    const { agent, turnId, cwd, scope } = this.#turn;
    const { review } = scope.calls;
    const staged = agent.place || review.isEmpty ? {} : { staged: review.contents };
    return { agentId: agent.agentId, turnId, cwd, ...staged };
  }
}

function withVerdict(outcome: ToolOutcome, verdict: EditReport | undefined): ToolOutcome {
  if (!verdict) return outcome;
  const blocks = verdict.shown === undefined ? [] : [{ type: "text" as const, text: verdict.shown }];
  return { ...outcome, text: `${outcome.text}\n\n${verdict.text}`, blocks: [...outcome.blocks, ...blocks] };
}

function mayChangeFiles(call: ReadyCall, cwd: string): boolean {
  const { effects, category } = reachOf(call, cwd);
  return category !== "signal" && effects.some(({ kind }) => kind === "write" || kind === "run");
}
