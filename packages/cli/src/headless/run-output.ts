import { writeFile } from "node:fs/promises";
import { blocksOf, ROOT_AGENT, type SessionUpdate, textOf } from "@harness/protocol";
import { CliError } from "../exit-codes.ts";
import type { RunResult } from "./run-report.ts";

export type OutputFormat = "text" | "json" | "stream-json";

/** Writes to stdout and waits until it is written; a reader that went away ends the process quietly. */
export function write(text: string): Promise<void> {
  return new Promise((done) => process.stdout.write(text, () => done()));
}

/** Notes for people, on stderr; model and tool text loses its control characters. */
export function note(text: string): void {
  process.stderr.write(
    `${text.replace(/\p{Cc}/gu, (character) => (character === "\t" || character === "\n" ? character : ""))}\n`,
  );
}

/** What a run says while it works and at its end. stdout holds the result and nothing else. */
export class RunOutput {
  private readonly format: OutputFormat;
  private readonly options: { partial: boolean; verbose: boolean; quiet: boolean; file: string | undefined };

  constructor(
    format: OutputFormat,
    options: { partial: boolean; verbose: boolean; quiet: boolean; file: string | undefined },
  ) {
    this.format = format;
    this.options = options;
  }

  init(line: Record<string, unknown>): void {
    if (this.format === "stream-json") void write(`${JSON.stringify({ type: "init", ...line })}\n`);
  }

  update(update: SessionUpdate): void {
    const isDelta = update.seq === undefined && "offset" in update.update;
    if (this.format === "stream-json" && (!isDelta || this.options.partial))
      void write(`${JSON.stringify({ type: "update", ...update })}\n`);
    if (!this.options.quiet) this.tell(update);
  }

  /** Says something to the person, unless `--quiet`. */
  say(text: string): void {
    if (!this.options.quiet) note(text);
  }

  async result(result: RunResult): Promise<void> {
    if (this.format === "text") {
      if (result.result !== "") await write(result.result.endsWith("\n") ? result.result : `${result.result}\n`);
      if (result.error) note(`harness: ${result.error.message}`);
      else if (result.isError) note(`harness: the run ended without success (${result.stopReason ?? result.subtype}).`);
    } else await write(`${JSON.stringify(result)}\n`);
    if (this.options.file !== undefined) await saveAnswer(this.options.file, result.result);
  }

  private tell({ agentId, update }: SessionUpdate): void {
    const who = agentId === ROOT_AGENT ? "" : `[${agentId}] `;
    if (update.sessionUpdate === "notice" && update.severity !== "info")
      note(`harness: ${update.title}${update.description ? `: ${update.description}` : ""}`);
    if (update.sessionUpdate === "retry")
      note(
        `harness: ${update.error.message} Trying again in ${Math.round(update.delayMs / 1000)} s (${update.attempt} of ${update.maxAttempts}).`,
      );
    if (update.sessionUpdate === "tool_call_update" && update.outcome?.status === "denied")
      note(`harness: ${who}denied: ${update.outcome.text}`);
    if (!this.options.verbose) return;
    if (update.sessionUpdate === "tool_call_update" && update.title) note(`${who}● ${update.title}`);
    if (update.sessionUpdate === "tool_call_update" && update.outcome)
      for (const block of blocksOf(update.outcome)) if (block.type === "terminal") note(block.output.trimEnd());
    if (update.sessionUpdate === "agent_message" && update.stop === "tool_calls") {
      const text = textOf(update.parts);
      if (text !== "") note(who + text);
    }
  }
}

async function saveAnswer(path: string, text: string): Promise<void> {
  await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new CliError("usage", `The answer could not be written to ${path}: ${error.code}.`);
  });
}
