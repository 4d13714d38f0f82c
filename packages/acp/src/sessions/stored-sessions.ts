import type {
  ListSessionsRequest,
  ListSessionsResponse,
  SessionInfo,
  SessionStatusResponse,
} from "@agentclientprotocol/sdk/unstable";
import type { HarnessClient } from "@harness/client";
import type { SessionSummary } from "@harness/protocol";
import { invalidParams, sessionNotFound } from "../peer/request-failure.ts";
import { folderWithoutLinks } from "./session-setup.ts";

const MAX_TITLE = 200;

const archiveFilters = { exclude: false, only: true, include: "include" } as const;

/** Sessions by their ids, whether they are open here or not. */
export class SessionsInStore {
  readonly #client: HarnessClient;

  constructor(client: HarnessClient) {
    this.#client = client;
  }

  async list({ cwd, cursor, archived }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const filter = archived ?? "exclude";
    if (!isArchiveFilter(filter))
      throw invalidParams(`archived: ${filter} is not supported; there is ${Object.keys(archiveFilters).join(", ")}.`);
    const { sessions, nextCursor } = await this.#client.call("session/list", {
      ...(cwd == null ? {} : { cwd: await folderWithoutLinks("cwd", cwd).catch(() => cwd) }),
      ...(cursor == null ? {} : { cursor }),
      archived: archiveFilters[filter],
    });
    return { sessions: sessions.map(sessionInfo), ...(nextCursor === undefined ? {} : { nextCursor }) };
  }

  /** The session with exactly this id. */
  async need(sessionId: string): Promise<SessionSummary> {
    const { session } = await this.#client.call("session/get", { sessionId });
    if (session.sessionId !== sessionId) throw sessionNotFound(sessionId);
    return session;
  }

  async status(sessionId: string): Promise<SessionStatusResponse> {
    const { state } = await this.need(sessionId);
    return { status: state === "stored" ? "saved" : "open" };
  }

  /** Blanks around and within the title are one. */
  async setTitle(sessionId: string, wanted: string): Promise<{ title: string }> {
    const title = wanted.replace(/\s+/g, " ").trim();
    if (title === "" || title.length > MAX_TITLE) throw invalidParams(`title: must have 1 to ${MAX_TITLE} characters.`);
    await this.need(sessionId);
    await this.#client.call("session/set_title", { sessionId, title });
    return { title };
  }

  async archive(sessionId: string, { isArchived }: { isArchived: boolean }): Promise<void> {
    await this.need(sessionId);
    await this.#client.call("session/archive", { sessionId, archived: isArchived });
  }

  async delete(sessionId: string): Promise<void> {
    await this.#client.call("session/delete", { sessionId });
  }

  /** A new session with the conversation of another. */
  async fork(sessionId: string): Promise<string> {
    await this.need(sessionId);
    return (await this.#client.call("session/fork", { sessionId })).session.sessionId;
  }
}

function isArchiveFilter(value: string): value is keyof typeof archiveFilters {
  return Object.hasOwn(archiveFilters, value);
}

function sessionInfo({ sessionId, cwd, title, preview, updatedAt, archived }: SessionSummary): SessionInfo {
  return { sessionId, cwd, title: title ?? (preview || null), updatedAt, archived: archived === true };
}
