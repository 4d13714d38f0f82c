import {
  blocksOf,
  type CallParams,
  type ClientMethods,
  ROOT_AGENT,
  type SessionUpdate,
  textOf,
  type UpdateOf,
  type UpdateView,
} from "@harness/protocol";
import { printNote } from "../process/print-note.ts";
import { noteText } from "../steps/note-text.ts";
import { StepLines } from "../steps/step-lines.ts";
import { terminalText } from "../text/terminal-text.ts";
import { AnswerStream } from "./answer-stream.ts";
import { firstLine } from "./run-report.ts";
import type { OutputFormat } from "./run-request.ts";
import type { RunResult } from "./run-result.ts";

/** Safe for the terminal that it may reach through a file or a pipe; JSON has it unchanged. */
function shownAnswer(answer: string): string {
  const text = terminalText(answer);
  return text.endsWith("\n") ? text : `${text}\n`;
}

export type OutputOptions = {
  format: OutputFormat;
  /** Chunks are printed as lines, too. */
  partial: boolean;
  /** In the format `text`, messages are written as they arrive. */
  streams: boolean;
  verbose: boolean;
  /** Someone is watching: stderr shows each step as it happens. */
  steps: boolean;
  quiet: boolean;
  /** A trajectory is written to stdout, in place of the answer. */
  isTaken?: boolean;
  /** Called when stdout fails; `EPIPE` means that its reader has closed it. */
  onBroken(code: string): void;
};

/** Waits that may take minutes: silence would look like a hang. */
const longWaits: Partial<Record<UpdateOf<"request_status">["phase"], string>> = {
  loading: "The server is loading the model.",
  reconnecting: "The server no longer answers: waiting for it to come back.",
};

/**
 * The output of a run. stdout contains only the result: in the format `text` the last message of the model, once it is
 * known to be the last; messages between tool calls need --verbose. If messages are streamed, it contains all of them.
 */
export class RunOutput implements UpdateView {
  readonly #options: OutputOptions;
  #isOver = false;
  #isBroken = false;
  readonly #steps: StepLines;
  readonly #stream: AnswerStream | undefined;
  #lastSaid = "";
  #lastStatus = "";
  /** Updates that arrive while the session is opened: the first line must be `init`. */
  #early: SessionUpdate[] | undefined = [];

  constructor(options: OutputOptions) {
    this.#options = options;
    if (options.streams) this.#stream = new AnswerStream((text) => void this.#write(text));
    // One terminal shows both: text that is already there is not repeated as a step.
    this.#steps = new StepLines({ isSaid: options.streams && process.stdout.isTTY });
    // Write errors are handled at the writes.
    process.stdout.on("error", () => undefined);
    // Errors of stderr cannot be reported anywhere.
    process.stderr.on("error", () => undefined);
  }

  /** Prints a question that a line of stdin may answer, even while the session is being opened. */
  question(question: CallParams<ClientMethods, "elicitation/create">): void {
    this.#line({ type: "question", ...question });
  }

  /** True if the format consists of lines, with `init` as the first. */
  get wantsInit(): boolean {
    return this.#options.format === "stream-json";
  }

  init(line: Record<string, unknown>): void {
    if (this.wantsInit) this.#line({ type: "init", ...line });
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const update of early) this.see(update);
  }

  see(update: SessionUpdate): void {
    if (this.#isOver) return;
    if (this.#early) {
      this.#early.push(update);
      return;
    }
    const isDelta = update.seq === undefined && "offset" in update.update;
    if (this.#options.format === "stream-json" && (!isDelta || this.#options.partial))
      this.#line({ type: "update", ...update });
    this.#stream?.see(update);
    if (!this.#options.quiet) this.#tell(update);
  }

  /** Prints a note, unless `--quiet`. */
  say(text: string): void {
    if (this.#options.quiet) return;
    this.#note(`harness: ${text}`);
    this.#lastSaid = text;
  }

  /** Writes the result as the last output; resolves when it is written. */
  async result(result: RunResult): Promise<void> {
    this.#isOver = true;
    this.#stream?.breakLine();
    const { result: answer, error } = result;
    if (this.#options.format !== "text") await this.#write(`${JSON.stringify(result)}\n`);
    else if (answer !== "" && !this.#options.isTaken && !this.#stream?.hasWritten(answer))
      await this.#write(shownAnswer(answer));
    if (error) this.#tellEnd(error.message);
  }

  /** For an interactive user, and with --verbose; a script reads the session's id from JSON. */
  sayHowToContinue({ sessionId, turns, error }: RunResult): void {
    const { format, steps, verbose } = this.#options;
    const wasSaid = error?.message.includes(`${sessionId}`);
    if (format !== "text" || !(steps || verbose) || sessionId === null || turns === 0 || wasSaid) return;
    this.say(`Session ${sessionId}. Continue with: harness -r ${sessionId}, or harness run -r ${sessionId} "…"`);
  }

  /** A notice may have said the same already, but without how to go on. */
  #tellEnd(message: string): void {
    const reason = firstLine(message);
    const left = this.#lastSaid.startsWith(reason) ? message.slice(reason.length + 1) : message;
    if (left !== "") printNote(`harness: ${left}`);
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

  #note(text: string): void {
    this.#stream?.breakLine();
    printNote(text);
  }

  #tell(whole: SessionUpdate): void {
    const { agentId, update } = whole;
    if (this.#options.steps) for (const line of this.#steps.see(whole)) this.#note(line);
    const note = noteText(whole);
    if (note !== undefined) this.say(note);
    const who = agentId === ROOT_AGENT ? "" : `[${agentId}] `;
    switch (update.sessionUpdate) {
      case "tool_call_update":
        this.#tellCall(who, update);
        return;
      case "repair":
        if (this.#options.verbose)
          this.#note(who + (update.what.startsWith("no_") ? update.detail : `repaired: ${update.detail}`));
        return;
      case "request_status":
        if (this.#options.verbose || this.#options.steps || longWaits[update.phase] !== undefined)
          this.#tellStatus(who, update);
        return;
      case "agent_message":
        if (
          this.#options.verbose &&
          !this.#options.steps &&
          !this.#stream &&
          update.stop === "tool_calls" &&
          textOf(update.parts) !== ""
        )
          this.#note(who + textOf(update.parts));
        return;
      default:
        return;
    }
  }

  /** Prints a wait once, not for each step, and the reading of a prompt only if its length is known. */
  #tellStatus(who: string, { messageId, phase, ahead, totalTokens }: UpdateOf<"request_status">): void {
    if (phase === "ended") return;
    const status = `${messageId} ${phase}`;
    const isReading = phase === "prefill";
    if (this.#lastStatus === status || (isReading && totalTokens === undefined)) return;
    this.#lastStatus = status;
    const reading = `the server is reading the prompt (${totalTokens?.toLocaleString("en-US")} tokens)`;
    const waiting = `waiting for a free slot on the server${ahead === undefined ? "" : `, ${ahead} ahead`}`;
    const longWait = longWaits[phase];
    if (longWait !== undefined) this.say(who + longWait);
    else this.#note(who + (isReading ? reading : waiting));
  }

  #tellCall(who: string, { title, outcome }: UpdateOf<"tool_call_update">): void {
    if (outcome?.status === "denied") this.say(who + firstLine(outcome.text));
    if (!this.#options.verbose) return;
    if (title && !this.#options.steps) this.#note(`${who}● ${title}`);
    if (!outcome || outcome.status === "denied") return;
    for (const block of blocksOf(outcome)) if (block.type === "terminal") this.#note(block.output.trimEnd());
  }
}
