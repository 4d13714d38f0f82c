import type { NewSessionRequest, NewSessionResponse } from "@agentclientprotocol/sdk/unstable";
import type { Question, QuestionAnswer } from "@harness/client";
import type { CallParams, ClientMethods, PermissionOutcome, SessionUpdate } from "@harness/protocol";
import { authRequired, sessionNotFound } from "../peer/request-failure.ts";
import { AcpSession } from "./acp-session.ts";
import type { SessionHost } from "./session-host.ts";
import { readTerms } from "./session-setup.ts";

type PermissionRequest = CallParams<ClientMethods, "session/request_permission">;

/** The sessions that a connection has open, by their ids. */
export class OpenSessions {
  readonly #host: SessionHost;
  readonly #open = new Map<string, AcpSession>();
  /** Those whose id is not known yet. */
  readonly #opening = new Set<AcpSession>();

  constructor(host: SessionHost) {
    this.#host = host;
  }

  find(sessionId: string): AcpSession | undefined {
    return this.#open.get(sessionId);
  }

  need({ sessionId }: { sessionId: string }): AcpSession {
    const session = this.#open.get(sessionId);
    if (!session) throw sessionNotFound(sessionId);
    return session;
  }

  async begin(params: NewSessionRequest): Promise<NewSessionResponse> {
    const { client } = this.#host;
    const terms = await readTerms(params);
    const { problem } = await client.call("hud/get", { cwd: terms.cwd });
    if (problem !== undefined) throw authRequired(problem);
    const session = new AcpSession(this.#host, terms);
    const sessionId = await this.#opened(session, () => session.begin());
    setImmediate(() => session.announce());
    return { sessionId };
  }

  take(update: SessionUpdate): void {
    this.#open.get(update.sessionId)?.take(update);
    for (const session of this.#opening) session.take(update);
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
}
