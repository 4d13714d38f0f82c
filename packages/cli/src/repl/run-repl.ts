import { type ForkWish, type LocalServer, newestSession } from "@harness/client";
import { ProtocolError } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import type { CommandLine } from "../command-line/command-line.ts";
import { sessionRequest } from "../command-line/session-request.ts";
import { LineInput } from "../lines/line-input.ts";
import { terminalLines } from "../lines/terminal-lines.ts";
import { CliError, exitCodes } from "../process/exit-codes.ts";
import { attachInProcess } from "../process/open-in-process.ts";
import { needsLines } from "../process/plain-terminal.ts";
import { importOffer } from "../text/import-offer.ts";
import { waitingNotes } from "../text/waiting-notes.ts";
import { chooseSession } from "./commands/choose-session.ts";
import { commandNames } from "./commands/command-names.ts";
import { runLineCommand } from "./commands/line-commands.ts";
import type { LineContext } from "./commands/line-context.ts";
import { settleLineTrust } from "./commands/line-trust.ts";
import { LineMode } from "./line-mode.ts";

const PROMPT = ">>> ";
const LEAVING = ["quit", "exit", "/quit", "/exit", "/q"];
/** A second Ctrl+C within this time exits. */
const LEAVE_MS = 2_000;

/** `harness repl`: a conversation in plain lines, for terminals that cannot show a window, and for screen readers. */
export async function runRepl(line: CommandLine, startServer: (cwd: string) => Promise<LocalServer>): Promise<number> {
  const request = sessionRequest(line);
  const server = await startServer(request.cwd);
  const repl = new Repl(request);
  for (const [signal, ending] of [
    ["SIGTERM", "terminated"],
    ["SIGHUP", "hungUp"],
  ] as const)
    process.once(signal, () => repl.leave(exitCodes[ending].code));
  process.on("SIGINT", () => repl.interrupted());
  // A closed terminal cannot be written, often before its signal arrives.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) =>
    repl.leave(exitCodes[code === "EIO" ? "hungUp" : "closedPipe"].code),
  );
  try {
    return await Promise.race([repl.live(server, line), repl.left]);
  } finally {
    repl.close();
    await server.shutdown();
  }
}

class Repl {
  readonly #context: LineContext;
  readonly #input: LineInput;
  readonly #left = Promise.withResolvers<number>();
  readonly #open: ReturnType<typeof sessionRequest>["open"];
  readonly #fork: ForkWish;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(request: ReturnType<typeof sessionRequest>) {
    const { stdin, stdout, env } = process;
    const isTerminal = stdin.isTTY === true && stdout.isTTY === true;
    this.#input = new LineInput({
      ...{ input: stdin, output: stdout },
      editing: isTerminal && !needsLines(env) ? { complete: (begun) => commandNames(this.#context, begun) } : undefined,
      onStray: (text) => void this.#stray(text).catch((error) => this.#refused(error)),
      onInterrupt: (typed) => this.#interrupt(typed),
      onEnd: () => this.#ended(),
      onGone: () => this.leave(exitCodes.hungUp.code),
    });
    const lines = terminalLines(this.#input, async () => {
      const { settings } = await this.#context.mode.client.call("settings/get", { cwd: request.cwd });
      return settings.find(({ key }) => key === "editor")?.value;
    });
    this.#open = request.open;
    this.#fork = request.fork;
    this.#context = { lines, mode: new LineMode(lines, request), cwd: request.cwd, notices: {} };
  }

  /** Resolves with the exit code when a signal ends it. */
  get left(): Promise<number> {
    return this.#left.promise;
  }

  leave(code: number): void {
    this.#left.resolve(code);
  }

  close(): void {
    this.#input.close();
  }

  interrupted(): void {
    this.#input.signalled();
  }

  /** Stops the turn; while idle it empties the line. The second time it exits. */
  #interrupt({ hadText }: { hadText: boolean }): void {
    const { mode, lines } = this.#context;
    const now = performance.now();
    if (now - this.#interruptedAt < LEAVE_MS) {
      this.leave(exitCodes.interrupted.code);
      return;
    }
    if (mode.isBusy || !hadText) this.#interruptedAt = now;
    if (mode.isBusy) {
      lines.print("Stopping… Press Ctrl+C again to leave.");
      void mode.stop().catch(() => undefined);
    } else lines.print(hadText ? "Input cleared." : "Press Ctrl+C again, or type quit, to leave.");
  }

  /** Ctrl+D. A script's turn runs to its end; if the user has left, nobody waits for it. */
  #ended(): void {
    if (this.#context.mode.isBusy) this.leave(exitCodes.done.code);
  }

  async live(server: LocalServer, line: CommandLine): Promise<number> {
    const { mode, lines, cwd, notices } = this.#context;
    notices["providers/waiting"] = waitingNotes((text) => lines.print(text));
    mode.client = await attachInProcess(server, "harness-repl", {
      ...mode.listeners,
      notices,
      optOut: ["hud", "agent_thought_chunk", "tool_input_chunk", "tool_output_chunk"],
    });
    lines.print(`harness ${VERSION} · ${cwd}\nType a message; /help lists the commands, quit leaves.`);
    const offer = await importOffer(mode.client);
    if (offer !== undefined) lines.print(offer);
    const canAsk = process.stdin.isTTY === true;
    await settleLineTrust(this.#context, { isTrusted: line.has("trust"), canAsk });
    await this.#begin();
    const prompt = line.positionals.join(" ").trim();
    if (prompt !== "") await this.#take(prompt);
    for (;;) {
      const text = await this.#input.line(PROMPT, { isMessage: true });
      const trimmed = text?.trim();
      if (trimmed === undefined || LEAVING.includes(trimmed.toLowerCase())) return exitCodes.done.code;
      if (trimmed !== "") await this.#take(text ?? "");
    }
  }

  /** Opens the session that the command line asks for; throws a `CliError` if it does not exist. */
  async #begin(): Promise<void> {
    const { mode, cwd } = this.#context;
    const open = this.#open;
    try {
      if (open.how === "choose") await chooseSession(this.#context);
      if (open.how === "id") await mode.open(open.id, { fork: this.#fork });
      if (open.how !== "newest") return;
      const { newest, moved } = await newestSession(mode.client, cwd);
      const found = newest ?? moved?.session;
      if (!found) throw new CliError("session", `There is no session in ${cwd} to continue.`);
      await mode.open(found.sessionId, { fork: this.#fork });
    } catch (error) {
      if (error instanceof ProtocolError) throw new CliError("session", error.message);
      throw error;
    }
  }

  /** One line of the user: a command, a shell command, or a message. */
  async #take(text: string): Promise<void> {
    const { mode } = this.#context;
    try {
      const shell = /^(!{1,2})\s*(\S[\s\S]*)$/.exec(text);
      if (shell) await mode.shell(shell[2] ?? "", { share: shell[1] === "!" });
      else if (!(await runLineCommand(this.#context, text))) await mode.send(text);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** A line that nothing waits for. While a turn runs, a message goes with its next step; otherwise it is next. */
  async #stray(text: string): Promise<void> {
    const { mode } = this.#context;
    const trimmed = text.trim();
    if (trimmed === "") return;
    if (!mode.isBusy) return this.#input.later(text);
    if (LEAVING.includes(trimmed.toLowerCase())) return this.leave(exitCodes.done.code);
    if (/^!/.test(trimmed))
      throw new CliError("usage", "A turn is running: your command can be run when it has ended.");
    if (!(await runLineCommand(this.#context, trimmed))) await mode.steer(text);
  }

  #refused(error: unknown): void {
    if (!(error instanceof ProtocolError || error instanceof CliError)) throw error;
    this.#context.lines.print(error.message);
  }
}
