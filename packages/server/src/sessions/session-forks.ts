import {
  type FactPages,
  factsOf,
  type LoadedSession,
  LogWriteError,
  lastFactOf,
  type SessionLog,
  type SessionStore,
} from "@harness/core";
import type { Clock } from "@harness/gate";
import {
  type CallParams,
  emptySession,
  type Fact,
  protocolError,
  type Result,
  ROOT_AGENT,
  type ServerMethods,
  type SessionState,
  stateView,
} from "@harness/protocol";
import { folderPlace } from "@harness/workspace";
import { needFolder, recordMove } from "./moved-sessions.ts";
import { orThrow } from "./store-errors.ts";
import { type ForkPoint, filesAt, forkPoint } from "./stored/fork-point.ts";
import { forkTitle } from "./stored/fork-title.ts";

type ForkResult = Result<ServerMethods, "session/fork">;
type ForkParams = CallParams<ServerMethods, "session/fork">;

/** `parent`: the current session. */
type ForkOrder = Omit<ForkParams, "sessionId"> & { sessionId: string; parent: Parent };
type Parent = FactPages & Pick<LoadedSession, "header" | "editsAfter">;

/** Creates a worktree with these files. */
type MakeWorktree = (cwd: string, title: string, checkpointId: string | undefined) => Promise<NewFolder | NoFolder>;
type NewFolder = NonNullable<ForkResult["worktree"]>;
type NoFolder = { problem: string };

type SessionForksDeps = {
  readonly store: SessionStore;
  readonly clock: Pick<Clock, "now">;
  readonly makeWorktree: MakeWorktree;
};

/** Forks sessions. A fork is stored and opened like any other session. */
export class SessionForks {
  readonly #deps: SessionForksDeps;
  /** For forks that were not opened yet: the edits of the parent's files that were stored to make them. */
  readonly #untold = new Map<string, number>();

  constructor(deps: SessionForksDeps) {
    this.#deps = deps;
  }

  /** `client`: the requesting client. */
  async make({ sessionId, parent, messageId, worktree, ...named }: ForkOrder, client?: string): Promise<ForkResult> {
    const { store } = this.#deps;
    const point = forkPoint(parent, messageId);
    const title = named.title ?? forkTitle(titleOf(parent), store.forksOf(sessionId).length);
    const folder = worktree ? await this.#worktree(parent, title, point) : undefined;
    const newId = store.newSessionId();
    const start = { sessionId: newId, createdAt: this.#now(), seq: point.seq, ...(client && { client }) };
    const log = orThrow(store.fork(sessionId, start));
    try {
      this.#begin(log, title);
      if (folder) await this.#moveTo(log, folder);
    } catch (error) {
      if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
      throw error;
    } finally {
      log.close();
    }
    const { prompt } = point;
    const { editsAfter } = parent;
    if (editsAfter !== undefined && editsAfter < point.seq) this.#untold.set(newId, editsAfter);
    return { ...orThrow(store.inspect(newId)), ...(prompt && { prompt }), ...(folder && { worktree: folder }) };
  }

  /** The fact after which edits of the session's files were stored that no client has heard of; each is returned once. */
  takeUntold({ header: { sessionId }, editsAfter }: Pick<LoadedSession, "header" | "editsAfter">): number | undefined {
    const untold = editsAfter ?? this.#untold.get(sessionId);
    this.#untold.delete(sessionId);
    return untold;
  }

  async #worktree(parent: ForkOrder["parent"], title: string, point: ForkPoint): Promise<NewFolder> {
    const { header } = parent;
    needFolder(header);
    const made = await this.#deps.makeWorktree(header.cwd, title, filesAt(parent, point));
    if ("problem" in made) throw protocolError("conflict", made.problem, {});
    return made;
  }

  /** The model must know that the fork works in a worktree. */
  async #moveTo(log: SessionLog, { path, branch }: NewFolder): Promise<void> {
    const { cwd: from } = log.header;
    const text = `[A note from harness, not from the person: this conversation goes on in a git worktree of its own, ${path}, on the branch ${branch}, with the files as they were here. Paths above are those of ${from}, which stays as it is: read and change files only in the new place.]`;
    recordMove(log, { cwd: path, from, place: await folderPlace(path) }, { text, at: this.#now() });
  }

  /** The fork's first own facts: its title, and the end of everything that only the parent continues. */
  #begin(log: SessionLog, title: string): void {
    const state = emptySession(log.header.sessionId);
    const view = stateView(state);
    for (const fact of factsOf(log, { kinds: ["queue_update", "subagent_update"] })) view.see(fact);
    const facts: [agentId: string, update: Fact][] = [
      [ROOT_AGENT, { sessionUpdate: "session_info_update", title }],
      ...outOfArchive(log),
      ...takenBack(state),
      ...leftWorktrees(state),
    ];
    for (const [agentId, update] of facts) log.append({ agentId, at: this.#now(), update });
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}

function titleOf(pages: FactPages): string | undefined {
  const named = lastFactOf(pages, "session_info_update")?.update;
  return named?.sessionUpdate === "session_info_update" ? named.title : undefined;
}

/** A fork of an archived session is not archived. */
function outOfArchive({ digest }: SessionLog): [string, Fact][] {
  return digest.archived ? [[ROOT_AGENT, { sessionUpdate: "archive_update", archived: false }]] : [];
}

/** Queued messages stay with the parent, which sends them. */
function takenBack({ queue }: SessionState): [string, Fact][] {
  if (queue.length === 0) return [];
  const removed = queue.map(({ promptId }) => promptId);
  return [[ROOT_AGENT, { sessionUpdate: "queue_update", added: [], removed }]];
}

/** The worktrees of subagents stay with the parent. */
function leftWorktrees({ agents }: SessionState): [string, Fact][] {
  return [...agents.values()].flatMap(({ agentId, parentAgentId, task = "", run, worktree }): [string, Fact][] => {
    if (worktree?.state !== "open" || parentAgentId === undefined) return [];
    const state = run === undefined || run === "running" ? "interrupted" : run;
    const update = { childAgentId: agentId, task, state, worktree: { ...worktree, state: "dropped" } } as const;
    return [[parentAgentId, { sessionUpdate: "subagent_update", ...update }]];
  });
}
