import type { LoadedSession, SearchReport, SessionLog, SessionPage, SessionQuery, SessionStore } from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  type AgentDefinition,
  type CallParams,
  type Params,
  ProtocolError,
  protocolError,
  type Result,
  type ServerMethods,
  type SessionSummary,
  summaryOf,
} from "@harness/protocol";
import {
  endOrphans,
  folderPlace,
  importSession,
  requireDirectory,
  type Workspace,
  type Workspaces,
} from "@harness/workspace";
import { type LiveEntry, stateOf } from "./live-entry.ts";
import type { LiveSessions } from "./live-sessions.ts";
import { memoryLog } from "./memory-log.ts";
import { MovedSessions, needFolder, refuseMove } from "./moved-sessions.ts";
import { SessionForks } from "./session-forks.ts";
import type { AskedOfSession } from "./session-options.ts";
import { openedOrThrow, orThrow } from "./store-errors.ts";
import { archiveLive, archiveStored } from "./stored/archive-session.ts";
import { checkAll, unreadable } from "./stored/check-sessions.ts";
import { needRules } from "./stored/requested-rules.ts";
import { SessionReader } from "./stored/session-reader.ts";
import { whenReady } from "./when-ready.ts";

type NewParams = CallParams<ServerMethods, "session/new">;
type OpenedSession = Result<ServerMethods, "session/new">;
type SearchParams = Params<ServerMethods, "session/search">;

type SessionCatalogDeps = {
  store: SessionStore;
  sessions: LiveSessions;
  workspaces: Workspaces;
  clock: Clock;
  /** The socket of the server in a process of this person, if it listens. */
  socketOf(pid: number): string | undefined;
};

/** `isAnywhere`: even if its folder no longer exists. */
type StoredStart = AskedOfSession & { isAnywhere?: true };

function agentOf({ brought }: Workspace, { agent: name }: AskedOfSession): AgentDefinition | undefined {
  return name === undefined ? undefined : brought.agents.need(name);
}

/** The request, with the model of a named agent unless it names one. */
function asAgent<A extends AskedOfSession>(request: A, agent: AgentDefinition | undefined): A {
  return agent?.model === undefined ? request : { ...request, config: { model: agent.model, ...request.config } };
}

/** Stored sessions: created, opened, listed, renamed. */
export class SessionCatalog {
  readonly #store: SessionStore;
  readonly #sessions: LiveSessions;
  readonly #workspaces: Workspaces;
  readonly #clock: Clock;
  readonly #socketOf: SessionCatalogDeps["socketOf"];
  readonly #moved: MovedSessions;
  readonly #forks: SessionForks;
  readonly reader: SessionReader;
  readonly #byKey = new Map<string, string>();

  constructor(deps: SessionCatalogDeps) {
    this.#store = deps.store;
    this.#sessions = deps.sessions;
    this.#workspaces = deps.workspaces;
    this.#clock = deps.clock;
    this.#socketOf = deps.socketOf;
    this.#moved = new MovedSessions(deps.store, deps.clock);
    const { store, sessions, clock, workspaces } = deps;
    this.reader = new SessionReader({ store, sessions, find: (wanted) => this.#find(wanted) });
    const makeWorktree = (cwd: string, title: string, checkpointId: string | undefined) =>
      workspaces.at(cwd).files.forkWorktree(title, checkpointId);
    this.#forks = new SessionForks({ store, clock, makeWorktree });
  }

  /** `client`: the requesting client. */
  async create(params: NewParams, client?: string): Promise<LiveEntry> {
    const known = params.idempotencyKey && this.#byKey.get(params.idempotencyKey);
    const existing = known ? this.#sessions.get(known) : undefined;
    if (existing) return await whenReady(existing, this.#clock);
    await requireDirectory(params.cwd);
    for (const folder of params.additionalDirectories ?? []) await requireDirectory(folder, "additionalDirectories");
    const workspace = this.#workspaces.at(params.cwd);
    needRules(params.rules, workspace);
    const agent = agentOf(workspace, params);
    const place = params.ephemeral ? undefined : await folderPlace(params.cwd);
    const createdAt = new Date(this.#clock.now()).toISOString();
    const header = {
      sessionId: this.#store.newSessionId(),
      cwd: params.cwd,
      createdAt,
      version: 1,
      ...(client && { client }),
      ...(place && { place }),
      ...(params.follows !== undefined && { parent: { sessionId: await this.#find(params.follows), seq: 0 } }),
    };
    const log = params.ephemeral ? memoryLog(header) : this.#store.create(header);
    const entry = this.#sessions.open({ log, workspace, request: asAgent(params, agent), agent });
    if (params.title) entry.session.setTitle(params.title);
    if (params.idempotencyKey) this.#byKey.set(params.idempotencyKey, header.sessionId);
    return await whenReady(entry, this.#clock);
  }

  /** A live session, or a stored one that is opened for this; ids may be prefixes or titles. */
  async open(wanted: string, request: AskedOfSession): Promise<LiveEntry> {
    const live = this.#sessions.get(wanted);
    if (live) return await whenReady(live, this.#clock);
    for (const folder of request.additionalDirectories ?? []) await requireDirectory(folder, "additionalDirectories");
    const sessionId = await this.#find(wanted);
    const alsoLive = this.#sessions.get(sessionId);
    if (alsoLive) return await whenReady(alsoLive, this.#clock);
    return await whenReady(this.#startStored(sessionId, request), this.#clock);
  }

  /**
   * Moves a stored session whose folder no longer exists to `cwd`; returns its former folder, or undefined if it is
   * there already.
   */
  async takeAlong(wanted: string, cwd: string): Promise<string | undefined> {
    const sessionId = await this.#find(wanted);
    const live = this.#sessions.get(sessionId);
    if (!live) return await this.#moved.takeAlong(sessionId, cwd);
    refuseMove(live.log.header, cwd);
    return undefined;
  }

  /** Sessions whose folder no longer exists, and may now be this one. */
  async moved(cwd: string): Promise<Result<ServerMethods, "session/moved">> {
    await requireDirectory(cwd);
    return { sessions: await this.#moved.here(cwd) };
  }

  /** Facts that fit no schema are searched for and dropped only if the session does not open with them. */
  #startStored(sessionId: string, request: StoredStart): LiveEntry {
    try {
      return this.#startWith(this.#stored(sessionId), request);
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      return this.#startWith(this.#stored(sessionId, { checked: true }), request);
    }
  }

  #stored(sessionId: string, options?: { checked: true }) {
    return openedOrThrow(this.#store.open(sessionId, options), { sessionId, socketOf: this.#socketOf });
  }

  #startWith(
    { log, loaded }: { log: SessionLog; loaded: LoadedSession },
    { isAnywhere, ...asked }: StoredStart,
  ): LiveEntry {
    // Commands left running by a killed harness must not work beside the session.
    void endOrphans();
    try {
      if (!isAnywhere) needFolder(loaded.header);
      const workspace = this.#workspaces.at(loaded.header.cwd);
      needRules(asked.rules, workspace);
      const agent = agentOf(workspace, asked);
      const untold = this.#forks.takeUntold(loaded);
      return this.#sessions.open({ log, workspace, request: asAgent(asked, agent), loaded, agent, untold });
    } catch (error) {
      // It must be possible to open it again.
      log.close();
      throw error;
    }
  }

  describe(entry: LiveEntry): OpenedSession {
    const { state } = entry.session;
    return { session: liveSummary(entry), config: state.config, seq: state.seq };
  }

  /** The header of a stored session, without opening it. */
  async inspect(wanted: string): Promise<OpenedSession> {
    const sessionId = await this.#find(wanted);
    return orThrow(this.#store.inspect(sessionId));
  }

  /** The folder of a session; a live session without messages has not created it yet. */
  async folderOf(wanted: string): Promise<string> {
    const sessionId = await this.#find(wanted);
    const folder = this.#sessions.get(sessionId)?.log.location?.folder ?? this.#store.folderOf(sessionId);
    if (folder !== undefined) return folder;
    throw protocolError("not_found", `Session ${sessionId} is not stored.`, { what: "session", id: sessionId });
  }

  async list({ deleted = false, ...params }: SessionQuery & { deleted?: boolean }): Promise<SessionPage> {
    if (deleted) return await this.#store.bin.list(params);
    const page = await this.#store.list(params);
    const live = new Map(this.#sessions.all().map((entry) => [entry.session.sessionId, entry]));
    const asItIs = (stored: SessionSummary): SessionSummary => {
      const entry = live.get(stored.sessionId);
      return entry ? liveSummary(entry) : stored;
    };
    const { parents } = page;
    return { ...page, sessions: page.sessions.map(asItIs), ...(parents ? { parents: parents.map(asItIs) } : {}) };
  }

  search(search: SearchParams, hide: (text: string) => string): Promise<SearchReport> {
    return this.#store.search({ ...search, hide });
  }

  /** A new session with the conversation so far. `client`: the requesting client. */
  async fork({ sessionId: wanted, ...params }: CallParams<ServerMethods, "session/fork">, client?: string) {
    const sessionId = await this.#find(wanted);
    const parent = this.#sessions.upToDate(sessionId)?.log ?? orThrow(this.#store.load(sessionId, { settled: true }));
    return this.#forks.make({ ...params, sessionId, parent }, client);
  }

  /** A new session with the conversation of another program's. */
  import(wanted: { path: string; cwd: string | undefined; otherwise: string }) {
    const takeCheckpoints: Parameters<typeof importSession>[0]["takeCheckpoints"] = (cwd, pack) =>
      this.#workspaces.at(cwd).files.takeCheckpoints(pack);
    const now = new Date(this.#clock.now()).toISOString();
    return importSession({ ...wanted, store: this.#store, takeCheckpoints, now });
  }

  async rename(wanted: string, title: string): Promise<void> {
    const wasLive = this.#sessions.get(wanted);
    const entry =
      wasLive ?? (await whenReady(this.#startStored(await this.#find(wanted), { isAnywhere: true }), this.#clock));
    entry.session.setTitle(title);
    if (!wasLive) await this.#sessions.close(entry.session.sessionId, 0);
  }

  /** Checks the files of a session, or of all sessions. */
  async check(wanted: string | undefined): Promise<Result<ServerMethods, "session/check">> {
    if (wanted === undefined) return await checkAll(this.#store);
    const sessionId = await this.#find(wanted);
    const check = this.#store.check(sessionId);
    const folder = this.#store.folderOf(sessionId) ?? "";
    return { checked: 1, sessions: ["problem" in check ? unreadable(sessionId, folder, check.problem) : check] };
  }

  /** A closed session is not opened for this: it does not change, and its folder need not exist. */
  async archive(wanted: string, { archived }: { archived: boolean }): Promise<void> {
    const sessionId = await this.#find(wanted);
    const live = this.#sessions.get(sessionId);
    const now = new Date(this.#clock.now()).toISOString();
    if (live) archiveLive(live, { archived });
    else archiveStored(this.#store, { sessionId, archived, now });
  }

  async #find(wanted: string): Promise<string> {
    if (this.#sessions.get(wanted)) return wanted;
    return orThrow(await this.#store.resolve(wanted)).sessionId;
  }
}

function liveSummary(entry: LiveEntry): SessionSummary {
  return summaryOf(entry.log.digest, stateOf(entry), entry.damage);
}
