import { randomUUID } from "node:crypto";
import type { PromptRequest, PromptResponse } from "@agentclientprotocol/sdk/unstable";
import { type Question, type QuestionAnswer, Session, type SessionTerms } from "@harness/client";
import type { CallParams, ClientMethods, Content, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { ClientAsker } from "../peer/client-asker.ts";
import { UpdateWriter } from "../peer/update-writer.ts";
import { messageContent } from "../prompts/message-content.ts";
import { PromptWait } from "../prompts/prompt-wait.ts";
import { promptAnswer } from "../prompts/stop-reason.ts";
import { askPermission } from "../questions/permission-questions.ts";
import { UpdatePublisher } from "../updates/update-publisher.ts";
import type { SessionHost } from "./session-host.ts";

type PermissionRequest = CallParams<ClientMethods, "session/request_permission">;

type SendingPrompt = { isCancelled: boolean };

/** One session of a connection. */
export class AcpSession {
  readonly #host: SessionHost;
  readonly #session: Session;
  readonly #waits = new PromptWait();
  readonly #asker: ClientAsker;
  /** Prompts of this client that the server has not accepted yet, with whether they were cancelled meanwhile. */
  readonly #sending = new Map<string, SendingPrompt>();
  #publisher: UpdatePublisher | undefined;
  #writer: UpdateWriter | undefined;

  constructor(host: SessionHost, terms: SessionTerms) {
    this.#host = host;
    this.#session = new Session(host.client, terms, { onUpdate: (update) => this.#follow(update) });
    this.#asker = new ClientAsker(host.peer());
  }

  take(update: SessionUpdate): void {
    this.#session.take(update);
  }

  async begin(): Promise<string> {
    const { session } = await this.#session.begin();
    this.#open(session.sessionId);
    return session.sessionId;
  }

  /** The client knows the session: it gets what has happened, and what it can do here. */
  announce(): void {
    this.#writer?.release();
  }

  async prompt({ prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const promptId = randomUUID();
    const sending = { isCancelled: signal.aborted };
    this.#sending.set(promptId, sending);
    const cancel = () => void this.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const place = { client: this.#host.client, cwd: this.#session.terms.cwd };
      const content = await messageContent(prompt, place);
      if (sending.isCancelled) return promptAnswer("cancelled");
      return await this.#send(promptId, content, sending);
    } finally {
      this.#sending.delete(promptId);
      signal.removeEventListener("abort", cancel);
    }
  }

  /** Stops the turn, and takes back all that waits: each prompt is answered as cancelled. */
  async cancel(): Promise<void> {
    for (const sending of this.#sending.values()) sending.isCancelled = true;
    for (const promptId of this.#waits.queued) {
      if (this.#sending.has(promptId)) continue;
      if (await this.#session.unqueue(promptId)) this.#waits.cancelled(promptId);
    }
    await this.#session.cancel();
  }

  async askPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    const publisher = this.#publisher;
    if (!publisher) return { outcome: "cancelled" };
    return await askPermission(request, { publisher, asker: this.#asker, signal });
  }

  async askQuestion(_question: Question, _signal: AbortSignal): Promise<QuestionAnswer> {
    return { action: "decline" };
  }

  async #send(promptId: string, content: readonly Content[], sending: SendingPrompt): Promise<PromptResponse> {
    const ended = this.#waits.add(promptId);
    // It is awaited below, once the server has accepted the prompt.
    ended.catch(() => undefined);
    try {
      const { turnId, disposition } = await this.#session.prompt(content, { promptId });
      if (turnId !== undefined && disposition === "started") this.#waits.started(promptId, turnId);
    } catch (error) {
      this.#waits.failed(promptId, error);
    }
    this.#sending.delete(promptId);
    if (sending.isCancelled) await this.cancel();
    return await ended;
  }

  #open(sessionId: string): void {
    const writer = new UpdateWriter(sessionId, this.#host.peer(), this.#host.capabilities());
    this.#writer = writer;
    this.#publisher = new UpdatePublisher({
      writer,
      isOwnPrompt: (promptId) => this.#waits.has(promptId),
      onConfig: () => undefined,
      agentName: (agentId) => this.#session.state?.agents.get(agentId)?.name ?? agentId,
    });
  }

  #follow(update: SessionUpdate): void {
    this.#publisher?.see(update);
    this.#waits.see(update);
  }
}
