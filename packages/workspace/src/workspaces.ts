import type { Clock } from "@harness/gate";
import { realPathOrSame } from "@harness/host";
import { requireDirectory } from "./files/require-directory.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The number of workspaces without a session to keep, such as those of a list or of a folder that a client only looked
 * at.
 */
const MAX_IDLE = 20;
/**
 * How long a workspace outlives its last session, so that a client which starts a new one finds its MCP servers
 * running.
 */
const LINGER_MS = 30_000;

/** A workspace, and how to close it. */
export type OpenWorkspace = { workspace: Workspace; close(): Promise<void> };

export type WorkspacesOptions = {
  /** Creates the workspace of a real path. Starts nothing and reads no file. */
  open(folder: string): OpenWorkspace;
  /** Follows the settings of workspaces that have sessions. */
  watch: { follow(settings: Workspace["settings"]): void; unfollow(settings: Workspace["settings"]): void };
  /** The server's own folder, whose workspace stays. */
  own: string;
  clock: Pick<Clock, "sleep">;
};

/** `leaving`: its last session is closed, and it waits a while for a new session. */
type Entry = OpenWorkspace & { sessions: Set<string>; leaving: AbortController | undefined };

/** The workspaces of a server: one object per real path, which its sessions share. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  /** Most recently requested last. */
  readonly #entries = new Map<string, Entry>();
  /** Includes closed ones: a session may be about to open in one. */
  readonly #ofWorkspace = new WeakMap<Workspace, Entry>();
  readonly #bySession = new Map<string, Entry>();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  /** The workspace of a folder, by default the server's own. The same object as long as a session works in it. */
  at(folder = this.#options.own): Workspace {
    // A known path is a real one, so that repeated callers wait for no disk.
    return this.#entryOf(this.#entries.has(folder) ? folder : realPathOrSame(folder)).workspace;
  }

  /**
   * The workspace named by a request, by default the server's own. Throws `invalid_params` unless the folder exists.
   */
  async need(folder = this.#options.own): Promise<Workspace> {
    await requireDirectory(folder);
    return this.at(folder);
  }

  /** The workspace of the server's own folder. */
  get own(): Workspace {
    return this.at(this.#options.own);
  }

  /** A session holds its workspace from here to `onClosed`. */
  onOpened({ workspace, session: { sessionId } }: { workspace: Workspace; session: { sessionId: string } }): void {
    const entry = this.#ofWorkspace.get(workspace) ?? this.#entryOf(workspace.folder);
    // It may have been closed and recreated between the request and the session.
    const other = this.#entries.get(workspace.folder);
    if (other && other !== entry && other.sessions.size === 0) void this.#close(other);
    this.#entries.set(workspace.folder, entry);
    stay(entry);
    entry.sessions.add(sessionId);
    this.#bySession.set(sessionId, entry);
    this.#options.watch.follow(workspace.settings);
  }

  onClosed(sessionId: string): void {
    const entry = this.#bySession.get(sessionId);
    this.#bySession.delete(sessionId);
    if (!entry) return;
    entry.sessions.delete(sessionId);
    if (entry.sessions.size > 0 || this.#isOwn(entry)) return;
    void this.#leave(entry);
  }

  /** Ends everything that the workspaces have running. */
  async close(): Promise<void> {
    const all = new Set([...this.#entries.values(), ...this.#bySession.values()]);
    await Promise.all([...all].map((entry) => this.#close(entry)));
  }

  #entryOf(folder: string): Entry {
    const known = this.#entries.get(folder);
    const entry = known ?? { ...this.#options.open(folder), sessions: new Set<string>(), leaving: undefined };
    this.#ofWorkspace.set(entry.workspace, entry);
    this.#entries.delete(folder);
    this.#entries.set(folder, entry);
    if (!known) this.#closeIdle();
    return entry;
  }

  #closeIdle(): void {
    const idle = [...this.#entries.values()].filter((entry) => entry.sessions.size === 0 && !this.#isOwn(entry));
    for (const entry of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) void this.#close(entry);
  }

  async #leave(entry: Entry): Promise<void> {
    const leaving = new AbortController();
    entry.leaving = leaving;
    await this.#options.clock.sleep(LINGER_MS, leaving.signal);
    if (!leaving.signal.aborted) await this.#close(entry);
  }

  async #close(entry: Entry): Promise<void> {
    stay(entry);
    const { folder } = entry.workspace;
    if (this.#entries.get(folder) === entry) this.#entries.delete(folder);
    this.#options.watch.unfollow(entry.workspace.settings);
    await entry.close();
  }

  #isOwn({ workspace }: Entry): boolean {
    return workspace.folder === realPathOrSame(this.#options.own);
  }
}

function stay(entry: Entry): void {
  entry.leaving?.abort();
  entry.leaving = undefined;
}
