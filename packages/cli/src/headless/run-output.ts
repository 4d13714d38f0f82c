import {
  blocksOf,
  type CallParams,
  type ClientMethods,
  ROOT_AGENT,
  type SessionUpdate,
  textOf,
  type UpdateOf,
} from "@harness/protocol";
import { printNote } from "../process/print-note.ts";
import { terminalText } from "../text/terminal-text.ts";
import { firstLine, type RunResult } from "./run-report.ts";
import type { OutputFormat } from "./run-request.ts";

/** A file or a pipe gets the answer unchanged, a terminal only harmless text. */
function shownAnswer(answer: string): string {
  const text = process.stdout.isTTY ? terminalText(answer) : answer;
  return text.endsWith("\n") ? text : `${text}\n`;
}

export type OutputOptions = {
  format: OutputFormat;
  /** Chunks are printed as lines, too. */
  partial: boolean;
  verbose: boolean;
  quiet: boolean;
  /** Called when stdout fails; `EPIPE` means that its reader went away. */
  onBroken(code: string): void;
};

/**
 * The output of a run. stdout holds only the result: in the format `text` the last message of the model, once it is
 * known to be the last; messages between tool calls need --verbose.
 */
export class RunOutput {
  readonly #options: OutputOptions;
  #isOver = false;
  #isBroken = false;
  #lastSaid = "";
  #lastStatus = "";
  /** Updates that arrive while the session is opened: the first line must be `init`. */
  #early: SessionUpdate[] | undefined = [];

  constructor(options: OutputOptions) {
    this.#options = options;
    // Write errors are handled where the writes are.
    process.stdout.on("error", () => undefined);
    // Errors of stderr cannot be reported anywhere.
    process.stderr.on("error", () => undefined);
  }

  /** Prints a question that a line of stdin may answer, also while the session is opened. */
  question(question: CallParams<ClientMethods, "elicitation/create">): void {
    this.#line({ type: "question", ...question });
  }

  /** Does the format have lines, with `init` as the first? */
  get wantsInit(): boolean {
    return this.#options.format === "stream-json";
  }

  init(line: Record<string, unknown>): void {
    if (this.wantsInit) this.#line({ type: "init", ...line });
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const update of early) this.update(update);
  }

  update(update: SessionUpdate): void {
    if (this.#isOver) return;
    if (this.#early) {
      this.#early.push(update);
      return;
    }
    const isDelta = update.seq === undefined && "offset" in update.update;
    if (this.#options.format === "stream-json" && (!isDelta || this.#options.partial))
      this.#line({ type: "update", ...update });
    if (!this.#options.quiet) this.#tell(update);
  }

  /** Prints a note, unless `--quiet`. */
  say(text: string): void {
    if (this.#options.quiet) return;
    printNote(`harness: ${text}`);
    this.#lastSaid = text;
  }

  /** Writes the result as the last output; resolves when it is written. */
  async result(result: RunResult): Promise<void> {
    this.#isOver = true;
    const { result: answer, error } = result;
    if (this.#options.format !== "text") await this.#write(`${JSON.stringify(result)}\n`);
    else if (answer !== "") await this.#write(shownAnswer(answer));
    // A notice may have said the same already.
    if (error && !this.#lastSaid.startsWith(error.message)) printNote(`harness: ${error.message}`);
  }

  #line(value: object): void {
    if (!this.#isOver) void this.#write(`${JSON.stringify(value)}\n`);
  }

  #write(text: string): Promise<void> {
    return new Promise((done) => {
      process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        if (error && !this.#isBroken) {
          this.#isBroken = true;
          this.#options.onBroken(error.code ?? error.message);
        }
        done();
      });
    });
  }

  #tell({ agentId, update }: SessionUpdate): void {
    const who = agentId === ROOT_AGENT ? "" : `[${agentId}] `;
    switch (update.sessionUpdate) {
      case "notice":
        if (update.severity !== "info") this.say(who + [update.title, update.description].filter(Boolean).join(" "));
        return;
      case "retry": {
        const { error, delayMs, attempt, maxAttempts } = update;
        this.say(
          `${who}Retrying ${delayMs < 100 ? "at once" : `in ${(delayMs / 1000).toFixed(1)} s`} (${attempt} of ${maxAttempts}) · ${error.message}`,
        );
        return;
      }
      case "subagent_update":
        if (update.state === "failed")
          this.say(`${who}The subagent for "${firstLine(update.task)}" failed: ${update.output ?? ""}`);
        return;
      case "tool_call_update":
        this.#tellCall(who, update);
        return;
      case "repair":
        if (this.#options.verbose)
          printNote(who + (update.what.startsWith("no_") ? update.detail : `repaired: ${update.detail}`));
        return;
      case "request_status":
        if (this.#options.verbose) this.#tellStatus(who, update);
        return;
      case "agent_message":
        if (this.#options.verbose && update.stop === "tool_calls" && textOf(update.parts) !== "")
          printNote(who + textOf(update.parts));
        return;
      default:
        return;
    }
  }

  /** Prints a wait once, not for each step, and the reading of a prompt only where its length is known. */
  #tellStatus(who: string, { messageId, phase, ahead, totalTokens }: UpdateOf<"request_status">): void {
    if (phase === "ended") return;
    const status = `${messageId} ${phase}`;
    const isReading = phase === "prefill";
    if (this.#lastStatus === status || (isReading && totalTokens === undefined)) return;
    this.#lastStatus = status;
    const reading = `the server is reading the prompt of ${totalTokens?.toLocaleString("en-US")} tokens`;
    const waiting = `waiting for a free slot of the server${ahead === undefined ? "" : `, ${ahead} ahead`}`;
    printNote(who + (isReading ? reading : waiting));
  }

  #tellCall(who: string, { title, outcome }: UpdateOf<"tool_call_update">): void {
    if (outcome?.status === "denied") this.say(who + firstLine(outcome.text));
    if (!this.#options.verbose) return;
    if (title) printNote(`${who}● ${title}`);
    if (!outcome || outcome.status === "denied") return;
    for (const block of blocksOf(outcome)) if (block.type === "terminal") printNote(block.output.trimEnd());
  }
}
