import type { PromptRequest, PromptResponse, SessionConfigOption } from "@agentclientprotocol/sdk/unstable";
import {
  endsTurn,
  GOES_ON_HERE,
  OPEN_ELSEWHERE,
  type Question,
  type QuestionAnswer,
  Session,
  type SessionServer,
  type SessionTerms,
} from "@harness/client";
import type { CallParams, ClientMethods, Hud, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { availableCommands } from "../commands/available-commands.ts";
import { ClientFiles } from "../files/client-files.ts";
import type { ClientFolders } from "../files/client-folders.ts";
import { ClientAsker } from "../peer/client-asker.ts";
import { invalidParams, sessionNotFound } from "../peer/request-failure.ts";
import { UpdateWriter } from "../peer/update-writer.ts";
import { PromptController } from "../prompts/prompt-controller.ts";
import { AddressAsker, webAddress } from "../questions/address-asker.ts";
import { askPermission } from "../questions/permission-questions.ts";
import { askWithForm, askWithOptions } from "../questions/person-questions.ts";
import { askReview } from "../questions/review-questions.ts";
import { replaySession } from "../updates/replayed-session.ts";
import { SessionPublisher } from "../updates/session-publisher.ts";
import { UsagePublisher } from "../updates/usage-publisher.ts";
import { ConfigController, type ConfigView } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";

type PermissionRequest = CallParams<ClientMethods, "session/request_permission">;

/** One session of a connection, once it is begun or opened. */
type OpenSession = {
  id: string;
  writer: UpdateWriter;
  publisher: SessionPublisher;
  config: ConfigController;
  usage: UsagePublisher;
};

/** One session of a connection. */
export class AcpSession {
  readonly #host: SessionHost;
  readonly #session: Session;
  readonly #prompts: PromptController;
  readonly #asker: ClientAsker;
  readonly #addresses: AddressAsker;
  /** The files that the client has open. */
  readonly files: ClientFiles;
  #open: OpenSession | undefined;

  constructor(host: SessionHost, terms: SessionTerms, names: ClientFolders) {
    this.#host = host;
    this.#session = new Session(host.client, terms, { onUpdate: (update) => this.#follow(update) });
    this.#asker = new ClientAsker(host.peer());
    this.#addresses = new AddressAsker(host.peer());
    this.#prompts = new PromptController({
      ...{ client: host.client, session: this.#session, asker: this.#asker, folders: names },
      writer: () => this.#need().writer,
      commandEnded: () => this.#addresses.ended(),
    });
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
    const { writer, publisher } = this.#opened(sessionId);
    writer.release();
    const { state } = this.#session;
    if (isReplayed && state) replaySession(state, publisher);
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

  prompt(request: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    return this.#prompts.prompt(request, signal);
  }

  /** Stops the turn, and takes back all that waits: each prompt is answered as cancelled. */
  async cancel(): Promise<void> {
    await this.#prompts.cancel();
  }

  /** Stops a subagent by the id of its session; false: there is none here. */
  async cancelSubagent(sessionId: string): Promise<boolean> {
    const agentId = this.#open?.publisher.agentOf(sessionId);
    if (agentId !== undefined) await this.#session.cancel(agentId);
    return agentId !== undefined;
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

  #opened(id: string): OpenSession {
    const writer = new UpdateWriter(id, this.#host.peer(), this.#host.capabilities());
    const publisher = new SessionPublisher({
      writer,
      isOwnPrompt: (promptId) => this.#prompts.waits.has(promptId),
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
    this.#prompts.waits.see(update);
  }
}
