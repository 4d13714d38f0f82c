import {
  type AnswerSchema,
  type HarnessClient,
  type LocalServer,
  type Question,
  type QuestionAnswer,
  Session,
} from "@harness/client";
import type { SlashLine } from "@harness/client/commands";
import { type Content, type Permission, type PermissionOutcome, PROTOCOL_VERSION } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import { CliError } from "../process/exit-codes.ts";
import { exportToStdout, STDOUT } from "../process/export-target.ts";
import type { StopCause } from "../process/stop-cause.ts";
import { importOffer } from "../text/import-offer.ts";
import { connectHeadless, openHeadlessSession } from "./headless-session.ts";
import type { RunOutput } from "./run-output.ts";
import type { RunReport } from "./run-report.ts";
import type { RunRequest } from "./run-request.ts";
import { type RunServer, startServers } from "./run-servers.ts";
import { commandView, reportAnswer } from "./slash-command.ts";
import { type InputLine, readInputLines } from "./stream-input.ts";
import { askForStructured, readSchema } from "./structured-answer.ts";
import { dropUnbegun } from "./unbegun-session.ts";

/** How long a cancelled turn may take to end; the server's shutdown ends anything left. */
const CANCEL_GRACE_MS = 10_000;

type HeadlessRunDeps = { request: RunRequest; report: RunReport; output: RunOutput; stop: StopCause };

/** Runs prompts in one session without a window. */
export class HeadlessRun {
  readonly #deps: HeadlessRunDeps;
  #client: HarnessClient | undefined;
  #session: Session | undefined;
  /** Resolves when stdin has ended, so that no line can answer a question. */
  readonly #inputEnd = Promise.withResolvers<void>();
  /** A line of stdin was invalid: messages accepted before it no longer start. */
  #isInputBroken = false;
  /** The answer has to fit it. */
  #schema: AnswerSchema | undefined;

  constructor(deps: HeadlessRunDeps) {
    this.#deps = deps;
  }

  get sessionId(): string | null {
    return this.#session?.id ?? null;
  }

  async open(server: LocalServer): Promise<void> {
    const { outputSchema, cwd } = this.#deps.request;
    if (outputSchema !== undefined) this.#schema = await readSchema(outputSchema, cwd);
    await this.#connect(server);
    await this.#openSession();
  }

  async #connect(server: LocalServer): Promise<HarnessClient> {
    const { request, report, output } = this.#deps;
    const canAnswer = request.failOnPermission || request.streamInput;
    const client = await connectHeadless(server, request, {
      say: (text) => output.say(text),
      onUpdate: (update) => this.#session?.take(update),
      ...(canAnswer ? { onPermission: (permission, signal) => this.#answer(permission, signal) } : {}),
      // Questions need a reader of the output lines.
      ...(request.streamInput && output.wantsInit
        ? { onQuestion: (question, signal) => this.#ask(question, signal) }
        : {}),
    });
    this.#client = client;
    this.#session = new Session(client, request, {
      onUpdate(update) {
        output.see(update);
        report.see(update);
      },
    });
    return client;
  }

  async #openSession(): Promise<void> {
    const { request, output } = this.#deps;
    const { client, session } = this.#connected();
    const { session: opened, config } = await openHeadlessSession(session, client, request);
    const { sessionId, cwd, damage } = opened;
    const { problems } = await client.call("settings/get", { cwd });
    for (const problem of [...problems, ...(damage ? [damage] : [])]) output.say(problem);
    const answering = output.wantsInit ? await this.#answering() : {};
    output.init({ sessionId, cwd, ...config, ...answering, version: VERSION, protocolVersion: PROTOCOL_VERSION });
  }

  /** A run has one message: it waits for its MCP servers, and reports those that are missing. */
  async #startServers(): Promise<readonly RunServer[]> {
    const { output, report } = this.#deps;
    const servers = await startServers(this.#connected(), (text) => output.say(text));
    report.takeServers(servers);
    return servers;
  }

  async dropUnbegun(): Promise<void> {
    const { request, output } = this.#deps;
    // Readers of lines know the id of the session.
    const isKnown = request.open.how !== "new" || output.wantsInit;
    if (!isKnown && this.#client && this.#session) await dropUnbegun(this.#client, this.#session);
  }

  /** Names what other programs left, once in the life of the configuration folder. */
  async sayOffer(): Promise<void> {
    const offer = this.#client && (await importOffer(this.#client));
    if (offer !== undefined) this.#deps.output.say(offer);
  }

  /** Ends the server's work, and waits for all that it reports: the result has agents that were stopped as they ended. */
  async close(): Promise<void> {
    await this.#client?.close();
  }

  /** Runs the prompt's turn, or all prompts of stdin, to their end. */
  async work(prompt: Content[] | undefined): Promise<void> {
    await this.#startServers();
    if (!prompt) return this.#followInput();
    if (!this.#schema) return this.#prompt(prompt);
    return askForStructured(this.#schema, prompt, { ask: (each) => this.#prompt(each), report: this.#deps.report });
  }

  /**
   * Runs a slash command, and the turn that it starts, if any, to its end: in the requested session, in a new one if
   * the command starts a turn, otherwise in none.
   */
  async command(server: LocalServer, { name, args }: SlashLine): Promise<void> {
    const { request, report, output } = this.#deps;
    const client = await this.#connect(server);
    // Only a session knows the servers of --mcp-config.
    if (request.open.how === "new" && !name.startsWith("mcp:")) {
      const { cwd } = request;
      const { needsSession, startsTurn } = await commandView(client, { cwd }, name);
      if (!startsTurn) {
        if (needsSession)
          throw new CliError("usage", `/${name} needs a session. Name one with --continue or --resume ID.`);
        const answer = await client.call("command/run", { cwd, name, args });
        output.init({ sessionId: null, cwd, version: VERSION, protocolVersion: PROTOCOL_VERSION });
        reportAnswer(report, name, answer);
        return;
      }
    }
    await this.#openSession();
    await this.#commandInSession({ name, args });
  }

  async #commandInSession({ name, args }: SlashLine): Promise<void> {
    const { client, session } = this.#connected();
    const { startsTurn } = await commandView(client, session.place, name);
    const servers = startsTurn ? await this.#startServers() : [];
    const missing = servers.find((each) => each.problem !== undefined && name.startsWith(`mcp:${each.name}:`));
    if (missing?.problem !== undefined) throw new CliError("failed", missing.problem);
    await session.turn(async () => {
      const answer = await session.command({ name, args });
      if (answer.turnId === undefined) reportAnswer(this.#deps.report, name, answer);
      return answer.turnId !== undefined;
    });
  }

  /** Cancels the running turn and waits for its last fact, so that the result is complete. */
  async cancel(): Promise<void> {
    const session = this.#session;
    const running = session?.running;
    if (!session || !running) return;
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((done) => {
      timer = setTimeout(done, CANCEL_GRACE_MS);
    });
    const cancelled = running.begun.then(() => session.cancel()).then(() => running.ended);
    // A turn that cannot be cancelled ends with the server.
    await Promise.race([cancelled, tooLong]).catch(() => undefined);
    clearTimeout(timer);
  }

  /** Everything that was done in the session so far, in ATIF, into a file or to stdout (`-`). Nothing where nothing was done. */
  async saveTrajectory(target: string): Promise<void> {
    const sessionId = this.#session?.id;
    if (sessionId === undefined || sessionId === null) return;
    const { client } = this.#connected();
    const wanted = { sessionId, format: "atif" as const };
    const writing =
      target === STDOUT
        ? exportToStdout(client, wanted, (text) => text)
        : client.call("session/export", { ...wanted, path: target, replace: true });
    await writing.catch((error) => {
      throw new CliError("failed", `The trajectory could not be written: ${error.message}`);
    });
  }

  /** The provider and model of the session if the flags did not name them; empty if there are none. */
  async #answering(): Promise<{ provider?: string; model?: string; mcpServers: { name: string; status: string }[] }> {
    const { client, session } = this.#connected();
    const { provider, model } = await client.call("hud/get", session.place);
    const { servers } = await client.call("mcp/list", session.place);
    return {
      ...(provider ? { provider } : {}),
      ...(model ? { model } : {}),
      mcpServers: servers.map(({ name, state, enabled }) => ({
        name,
        // It is started with the first message, which is about to be sent.
        status: state === "off" && enabled ? "starting" : state,
      })),
    };
  }

  async #prompt(prompt: Content[], promptId?: string): Promise<void> {
    const { session } = this.#connected();
    if (this.#deps.stop.ending || this.#isInputBroken) return;
    // A prompt that was accepted before starts no turn to wait for.
    await session.turn(async () => !(await session.prompt(prompt, { promptId })).duplicate);
  }

  /** Runs the prompts of stdin one after another; cancels and replies take effect at once. */
  async #followInput(): Promise<void> {
    const failed = Promise.withResolvers<never>();
    let count = 0;
    let waiting = 0;
    let last: Promise<void> = Promise.resolve();
    const take = async (input: InputLine): Promise<void> => {
      if (input.type !== "prompt") return this.#takeReply(input);
      const run = () => this.#prompt(input.prompt, input.promptId);
      count += 1;
      last = waiting === 0 ? run() : last.then(run);
      waiting += 1;
      last.then(() => {
        waiting -= 1;
      }, failed.reject);
    };
    const readAll = async () => {
      try {
        for await (const input of readInputLines(process.stdin)) await take(input);
      } catch (error) {
        // The outcome must not depend on whether the server has already begun the turn.
        this.#isInputBroken = true;
        await this.cancel();
        throw error;
      }
    };
    await Promise.race([readAll(), failed.promise]);
    this.#inputEnd.resolve();
    this.#connected().session.questions.end();
    await last;
    if (count === 0)
      throw new CliError("usage", 'stdin contained no prompt. Expected lines such as {"type":"prompt","prompt":"…"}.');
  }

  async #takeReply(input: Exclude<InputLine, { type: "prompt" }>): Promise<void> {
    const { session } = this.#connected();
    const { output } = this.#deps;
    if (input.type === "cancel") {
      // A turn cannot be cancelled before it has started.
      await session.running?.begun;
      await session.cancel();
    } else if (input.type === "question_reply") {
      const { elicitationId, answer: text } = input;
      const answer = text === undefined ? ({ action: "decline" } as const) : ({ action: "accept", text } as const);
      if (!session.questions.answer(elicitationId, answer))
        output.say(`Question ${elicitationId} is not open: it was answered or withdrawn.`);
    } else await session.reply(input.permissionId, input.outcome).catch((error: Error) => output.say(error.message));
  }

  /** Prints a question, which a line of stdin answers. */
  #ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    const { session } = this.#connected();
    const answer = session.questions.ask(question, signal);
    if (!signal.aborted) this.#deps.output.question(question);
    return answer;
  }

  /**
   * Answers a permission request. The program behind stdin has seen the request among the updates and replies with a
   * line; once stdin has ended, the call is denied, as in a run where nobody can be asked.
   */
  async #answer(permission: Permission, signal: AbortSignal): Promise<PermissionOutcome> {
    const { request, stop } = this.#deps;
    if (request.failOnPermission)
      stop.by(
        "denied",
        `A permission was needed, but there is nobody to ask: ${permission.title} (${permission.reason})`,
      );
    const withdrawn = new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }));
    const unheard = this.#inputEnd.promise.then(() => permission.options.find(({ kind }) => kind === "reject_once"));
    const option = await Promise.race([withdrawn, unheard]);
    return option
      ? { outcome: "selected", optionId: option.optionId, feedback: "There is nobody to ask: the input has ended." }
      : { outcome: "cancelled" };
  }

  #connected(): { client: HarnessClient; session: Session } {
    if (!this.#client || !this.#session) throw new Error("The server is not connected yet.");
    return { client: this.#client, session: this.#session };
  }
}
