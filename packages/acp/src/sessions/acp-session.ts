import { randomUUID } from "node:crypto";
import type { PromptRequest, PromptResponse, SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import {
  endsTurn,
  errorText,
  GOES_ON_HERE,
  isOutsideRefusal,
  OPEN_ELSEWHERE,
  type PromptOptions,
  type Question,
  type QuestionAnswer,
  Session,
  type SessionServer,
  type SessionTerms,
} from "@harness/client";
import type { SlashLine } from "@harness/client/commands";
import type { CallParams, ClientMethods, Content, Hud, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { codeFence } from "../calls/code-fence.ts";
import { availableCommands, isServerCommand, slashLineOf } from "../commands/available-commands.ts";
import { clientCommands } from "../commands/client-commands.ts";
import { ClientFiles } from "../files/client-files.ts";
import type { ClientFolders } from "../files/client-folders.ts";
import { ClientAsker } from "../peer/client-asker.ts";
import { invalidParams, sessionNotFound } from "../peer/request-failure.ts";
import { UpdateWriter } from "../peer/update-writer.ts";
import { messageContent } from "../prompts/message-content.ts";
import { PromptWait } from "../prompts/prompt-wait.ts";
import { promptWishes } from "../prompts/prompt-wishes.ts";
import { promptAnswer } from "../prompts/stop-reason.ts";
import { AddressAsker, webAddress } from "../questions/address-asker.ts";
import { confirmsOutside } from "../questions/outside-question.ts";
import { askPermission } from "../questions/permission-questions.ts";
import { askWithForm, askWithOptions } from "../questions/person-questions.ts";
import { askReview } from "../questions/review-questions.ts";
import { askFolderTrust } from "../questions/trust-question.ts";
import { replaySession } from "../updates/replayed-session.ts";
import { UpdatePublisher } from "../updates/update-publisher.ts";
import { UsagePublisher } from "../updates/usage-publisher.ts";
import { ConfigController, type ConfigView } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";

type PermissionRequest = CallParams<ClientMethods, "session/request_permission">;
type PromptContext = { cancelled: AbortSignal; wishes: PromptOptions };
/** A prompt that was sent, a command that was started, or one that was cancelled before. */
type BegunPrompt = { ended: Promise<PromptResponse> };

/** One session of a connection, once it is begun or opened. */
type OpenSession = {
  id: string;
  writer: UpdateWriter;
  publisher: UpdatePublisher;
  config: ConfigController;
  usage: UsagePublisher;
};

/** One session of a connection. */
export class AcpSession {
  readonly #host: SessionHost;
  readonly #session: Session;
  readonly #waits = new PromptWait();
  readonly #asker: ClientAsker;
  readonly #addresses: AddressAsker;
  /** The files that the client has open. */
  readonly files: ClientFiles;
  /** Prompts of this client that the server has not accepted yet, each with what cancels it. */
  readonly #sending = new Map<string, AbortController>();
  /** The prompt before the next one has been sent, or was not. */
  #last: Promise<unknown> = Promise.resolve();
  #open: OpenSession | undefined;
  #isTrustAsked = false;

  constructor(host: SessionHost, terms: SessionTerms, names: ClientFolders) {
    this.#host = host;
    this.#session = new Session(host.client, terms, { onUpdate: (update) => this.#follow(update) });
    this.#asker = new ClientAsker(host.peer());
    this.#addresses = new AddressAsker(host.peer());
    this.files = new ClientFiles(host, names);
  }

  take(update: SessionUpdate): void {
    this.#session.take(update);
  }

  async begin(): Promise<string> {
    const { session } = await this.#session.begin();
    this.#opened(session.sessionId);
    return session.sessionId;
  }

  /** Opens a stored session; `isReplayed`: all of it is sent before this resolves. */
  async resume(sessionId: string, { isReplayed }: { isReplayed: boolean }): Promise<void> {
    const opened = await this.#session.resume(sessionId, { replay: isReplayed ? "start" : "none" });
    if ("gone" in opened) throw invalidParams(opened.gone.text);
    // The server takes prefixes and titles; a client means exactly this session.
    if (opened.session.sessionId !== sessionId) {
      this.#session.leave();
      throw sessionNotFound(sessionId);
    }
    const { writer } = this.#opened(sessionId);
    writer.release();
    const { state } = this.#session;
    if (isReplayed && state) replaySession(state, writer);
  }

  /** The modes and options, for the answer that opens it. */
  view(): Promise<ConfigView> {
    return this.#need().config.view();
  }

  /** The client knows the session: it gets what has happened, and the commands. Never rejects. */
  async announce(): Promise<void> {
    const { id, writer } = this.#need();
    writer.release();
    const commands = await availableCommands(this.#host.client, id).catch(() => []);
    writer.send({ sessionUpdate: "available_commands_update", availableCommands: commands });
    if (this.#host.client.isElsewhere(id)) writer.notice("info", { id: "attached", title: OPEN_ELSEWHERE });
  }

  /** Sends the options again if they are others than the client has. Never rejects. */
  async showConfig(): Promise<void> {
    await this.#open?.config.show().catch(() => undefined);
  }

  async setMode(modeId: string): Promise<void> {
    await this.#need().config.setMode(modeId);
  }

  async setOption(configId: string, value: unknown): Promise<SessionConfigOption[]> {
    return await this.#need().config.setOption(configId, value);
  }

  /** The server that held it has gone: it goes on at `server`, after the last fact that was sent. */
  async returned(server: SessionServer): Promise<void> {
    this.#need().writer.notice("info", { id: "returned", title: GOES_ON_HERE });
    this.#session.lost();
    await this.#session.reattach(server);
  }

  /** Nothing more is sent; the session itself goes on. */
  leave(): void {
    this.#open?.publisher.close();
    this.#session.leave();
  }

  async prompt(request: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const promptId = randomUUID();
    const cancelled = new AbortController();
    this.#sending.set(promptId, cancelled);
    const cancel = () => {
      cancelled.abort();
      // The connection may be ending, and the server with it.
      void this.cancel().catch(() => undefined);
    };
    if (signal.aborted) cancelled.abort();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { ended } = await this.#inOrder(() => this.#begun(promptId, request, cancelled.signal));
      return await ended;
    } finally {
      this.#sending.delete(promptId);
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Stops the turn, and takes back all that waits: each prompt is answered as cancelled. */
  async cancel(): Promise<void> {
    for (const cancelled of this.#sending.values()) cancelled.abort();
    for (const promptId of this.#waits.queued) {
      if (this.#sending.has(promptId)) continue;
      if (await this.#session.unqueue(promptId)) this.#waits.cancelled(promptId);
    }
    await this.#session.cancel();
  }

  async askPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    const { publisher, writer } = this.#need();
    const asker = this.#asker;
    if (request.permission.review) return await askReview(request.permission, { asker, writer, signal });
    return await askPermission(request, { publisher, asker, signal });
  }

  async askQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    const { writer } = this.#need();
    const { form, url } = this.#host.capabilities().elicitation ?? {};
    const address = url ? webAddress(question) : undefined;
    if (address !== undefined)
      return await this.#addresses.ask({ question, url: address, sessionId: writer.sessionId, signal });
    const ask = form ? askWithForm : askWithOptions;
    return await ask(question, { asker: this.#asker, peer: this.#host.peer(), writer, signal });
  }

  showUsage(hud: Hud): void {
    this.#open?.usage.show(hud);
  }

  async #askTrust(signal: AbortSignal): Promise<void> {
    if (this.#isTrustAsked) return;
    this.#isTrustAsked = true;
    const { writer } = this.#need();
    await askFolderTrust(this.#session.terms.cwd, { client: this.#host.client, asker: this.#asker, writer, signal });
    // It was withdrawn with its prompt.
    if (signal.aborted) this.#isTrustAsked = false;
  }

  /** A prompt may have to wait for answers of the person before it is sent: those behind it wait with it. */
  #inOrder(begin: () => Promise<BegunPrompt>): Promise<BegunPrompt> {
    const begun = this.#last.then(begin);
    this.#last = begun.catch(() => undefined);
    return begun;
  }

  async #begun(promptId: string, { prompt, _meta }: PromptRequest, cancelled: AbortSignal): Promise<BegunPrompt> {
    if (!cancelled.aborted) await this.#askTrust(cancelled);
    const line = slashLineOf(prompt);
    const command = line && (await this.#command(line));
    const place = { client: this.#host.client, cwd: this.#session.terms.cwd };
    const content = command ? [] : await messageContent(prompt, place);
    if (cancelled.aborted) return { ended: Promise.resolve(promptAnswer("cancelled")) };
    if (command) return { ended: this.#runCommand(promptId, command) };
    return await this.#send(promptId, content, { cancelled, wishes: promptWishes(_meta) });
  }

  async #send(promptId: string, content: readonly Content[], way: PromptContext): Promise<BegunPrompt> {
    const ended = this.#waits.add(promptId);
    // It is awaited once the server has accepted the prompt.
    ended.catch(() => undefined);
    try {
      const { turnId, disposition } = await this.#accepted(promptId, content, way);
      if (turnId !== undefined && disposition === "started") this.#waits.started(promptId, turnId);
    } catch (error) {
      if (way.cancelled.aborted) this.#waits.cancelled(promptId);
      else this.#waits.failed(promptId, error);
    }
    this.#sending.delete(promptId);
    if (way.cancelled.aborted) await this.cancel();
    return { ended };
  }

  /** A message that mentions files outside the workspace is sent once the person has said that they mean them. */
  async #accepted(promptId: string, content: readonly Content[], { cancelled: signal, wishes }: PromptContext) {
    try {
      return await this.#session.prompt(content, { promptId, ...wishes });
    } catch (error) {
      if (!isOutsideRefusal(error)) throw error;
      const question = { promptId, reason: errorText(error), signal };
      if (!(await confirmsOutside(question, { asker: this.#asker, writer: this.#need().writer }))) throw error;
      return await this.#session.prompt(content, { promptId, allowOutside: true, ...wishes });
    }
  }

  /** Undefined if there is no command of that name: the line is a message. */
  async #command({ name, args }: SlashLine): Promise<(() => Promise<CommandAnswer>) | undefined> {
    const { id } = this.#need();
    const { client } = this.#host;
    if (await isServerCommand(client, id, name)) return () => this.#session.command({ name, args });
    const own = Object.hasOwn(clientCommands, name) ? clientCommands[name] : undefined;
    if (!own) return undefined;
    const context = { client, session: this.#session, sessionId: id };
    return async () => ({ text: await own.run(args, context) });
  }

  async #runCommand(promptId: string, run: () => Promise<CommandAnswer>): Promise<PromptResponse> {
    const { text, turnId } = await run();
    // Columns stay columns.
    this.#need().writer.text(text.includes("\n") ? codeFence(text) : text, `command-${promptId}`);
    if (turnId === undefined) {
      this.#addresses.ended();
      return promptAnswer("end_turn");
    }
    const ended = this.#waits.add(promptId);
    this.#waits.started(promptId, turnId);
    return await ended;
  }

  #opened(id: string): OpenSession {
    const writer = new UpdateWriter(id, this.#host.peer(), this.#host.capabilities());
    const publisher = new UpdatePublisher({
      writer,
      isOwnPrompt: (promptId) => this.#waits.has(promptId),
      onConfig: () => void this.showConfig(),
      agentName: (agentId) => this.#session.state?.agents.get(agentId)?.name ?? agentId,
    });
    const config = new ConfigController(this.#session, this.#host, writer);
    this.#open = { id, writer, publisher, config, usage: new UsagePublisher(writer) };
    return this.#open;
  }

  #need(): OpenSession {
    if (!this.#open) throw new Error("The session is not open.");
    return this.#open;
  }

  #follow(update: SessionUpdate): void {
    this.#open?.publisher.see(update);
    if (endsTurn(update)) this.#addresses.ended();
    this.#waits.see(update);
  }
}

type CommandAnswer = { text: string; turnId?: string | undefined };
