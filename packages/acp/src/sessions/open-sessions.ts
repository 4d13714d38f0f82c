import type {
  ForkSessionRequest,
  LoadSessionRequest,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionRequest,
} from "@agentclientprotocol/sdk/unstable";
import type { Question, QuestionAnswer } from "@harness/client";
import type { CallParams, ClientMethods, Hud, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { ClientFolders } from "../files/client-folders.ts";
import { authRequired, sessionNotFound } from "../peer/request-failure.ts";
import { AcpSession } from "./acp-session.ts";
import type { ConfigView } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";
import { readTerms } from "./session-setup.ts";
import { SessionsInStore } from "./stored-sessions.ts";

type PermissionRequest = CallParams<ClientMethods, "session/request_permission">;

/** The sessions that a connection has open, by their ids. */
export class OpenSessions {
  readonly stored: SessionsInStore;
  readonly #host: SessionHost;
  readonly #open = new Map<string, AcpSession>();
  /** Those whose id is not known yet. */
  readonly #opening = new Set<AcpSession>();

  constructor(host: SessionHost) {
    this.#host = host;
    this.stored = new SessionsInStore(host.client);
  }

  find(sessionId: string): AcpSession | undefined {
    return this.#open.get(sessionId);
  }

  need({ sessionId }: { sessionId: string }): AcpSession {
    const session = this.#open.get(sessionId);
    if (!session) throw sessionNotFound(sessionId);
    return session;
  }

  /** Of a session, or of a subagent by the id of its own. */
  async cancel(sessionId: string): Promise<void> {
    const session = this.find(sessionId);
    if (session) return await session.cancel();
    for (const each of this.#open.values()) if (await each.cancelSubagent(sessionId)) return;
  }

  async begin(params: NewSessionRequest): Promise<NewSessionResponse> {
    const terms = await readTerms(params);
    const { problem } = await this.#host.client.call("hud/get", { cwd: terms.cwd });
    if (problem !== undefined) throw authRequired(problem);
    const session = new AcpSession(this.#host, terms, new ClientFolders(params, terms));
    const sessionId = await this.#opened(session, () => session.begin());
    return { sessionId, ...(await this.#shown(session)) };
  }

  /** `isReplayed`: all of the conversation is sent before the answer. */
  async resume(
    params: LoadSessionRequest | ResumeSessionRequest,
    { isReplayed }: { isReplayed: boolean },
  ): Promise<ConfigView> {
    const { sessionId } = params;
    this.#open.get(sessionId)?.leave();
    this.#open.delete(sessionId);
    const terms = await readTerms(params);
    const session = new AcpSession(this.#host, terms, new ClientFolders(params, terms));
    await this.#opened(session, async () => {
      await session.resume(sessionId, { isReplayed });
      return sessionId;
    });
    return await this.#shown(session);
  }

  /** A fork is open at once: its id can be prompted. */
  async fork(params: ForkSessionRequest): Promise<NewSessionResponse> {
    const sessionId = await this.stored.fork(params.sessionId);
    return { sessionId, ...(await this.resume({ ...params, sessionId }, { isReplayed: false })) };
  }

  /** Ends its work and unloads it; it stays stored. One that is open elsewhere goes on there. */
  async close(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    if (!session) return;
    this.#open.delete(sessionId);
    if (this.#host.client.isElsewhere(sessionId)) return session.leave();
    await session.cancel();
    session.leave();
    await this.#host.client.call("session/close", { sessionId });
  }

  async delete(sessionId: string): Promise<void> {
    await this.close(sessionId);
    await this.stored.delete(sessionId);
  }

  /** Archiving ends the work of the session, like `close`. */
  async archive(sessionId: string): Promise<void> {
    await this.close(sessionId);
    await this.stored.archive(sessionId, { isArchived: true });
  }

  take(update: SessionUpdate): void {
    this.#open.get(update.sessionId)?.take(update);
    for (const session of this.#opening) session.take(update);
  }

  showUsage(sessionId: string, hud: Hud): void {
    this.#open.get(sessionId)?.showUsage(hud);
  }

  async askPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    return (await this.find(request.sessionId)?.askPermission(request, signal)) ?? { outcome: "cancelled" };
  }

  async askQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return (await this.find(question.sessionId)?.askQuestion(question, signal)) ?? { action: "decline" };
  }

  async #opened(session: AcpSession, open: () => Promise<string>): Promise<string> {
    this.#opening.add(session);
    try {
      const sessionId = await open();
      this.#open.set(sessionId, session);
      return sessionId;
    } finally {
      this.#opening.delete(session);
    }
  }

  /** For the answer; after it come the commands, and the models once their servers have listed them. */
  async #shown(session: AcpSession): Promise<ConfigView> {
    const view = await session.view();
    setImmediate(() => {
      void session.announce();
      void this.#host.models.refresh().then((isChanged) => (isChanged ? session.showConfig() : undefined));
    });
    return view;
  }
}
