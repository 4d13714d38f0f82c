import { mkdir } from "node:fs/promises";
import { errorText } from "@harness/client";
import { formatCount } from "../../widgets/list-slice.ts";
import type { ScreenHost } from "../screen.ts";
import { chosenSessions, type HistoryState, historySlice, type PutAway } from "./state.ts";
import { type ExportForm, exportPath } from "./stored/export-form.ts";

/** An action on each of several sessions, in words. */
type Act = {
  /** `Deleting`. */
  readonly doing: string;
  /** `deleted`. */
  readonly done: string;
  readonly each: (sessionId: string) => Promise<unknown>;
};

/** Archives, deletes, restores and exports sessions: the marked ones, one after another. */
export class ChosenSessionsController {
  readonly #host: Pick<ScreenHost, "request" | "store" | "server" | "session">;
  readonly #changed: () => void;
  #isStopped = false;

  /** `changed`: the list has to be read again. */
  constructor(host: Pick<ScreenHost, "request" | "store" | "server" | "session">, changed: () => void) {
    this.#host = host;
    this.#changed = changed;
  }

  /** Ends the work after the session that it is at. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Puts them into the archive or, if that is what is listed, takes them out. */
  async archive(): Promise<void> {
    const archived = this.#state.section === "archive";
    const gone = await this.#run(chosenSessions(this.#state), {
      doing: archived ? "Taking out" : "Archiving",
      done: archived ? "taken out of the archive" : "archived",
      each: (sessionId) => this.#host.server.call("session/archive", { sessionId, archived: !archived }),
    });
    this.#leave(gone, archived ? "unarchived" : "archived");
  }

  /** Brings back what was put away last. */
  async takeBack(): Promise<void> {
    const { putAway } = this.#state;
    if (!putAway) return;
    const { server } = this.#host;
    const { how } = putAway;
    const undo: Readonly<Record<PutAway["how"], (sessionId: string) => Promise<unknown>>> = {
      deleted: (sessionId) => server.call("session/restore", { sessionId }),
      restored: (sessionId) => server.call("session/delete", { sessionId }),
      archived: (sessionId) => server.call("session/archive", { sessionId, archived: false }),
      unarchived: (sessionId) => server.call("session/archive", { sessionId, archived: true }),
    };
    const isDeletion = how === "restored";
    await this.#run(putAway.sessionIds, {
      doing: isDeletion ? "Deleting" : "Bringing back",
      done: isDeletion ? "deleted" : "brought back",
      each: undo[how],
    });
    this.#changed();
  }

  /** Moves them to the bin or, if that is what is listed, deletes them for good. */
  async remove(): Promise<void> {
    const { server, session } = this.#host;
    const isBin = this.#state.section === "bin";
    const gone = await this.#run(chosenSessions(this.#state), {
      doing: "Deleting",
      done: isBin ? "deleted for good" : "deleted",
      each: async (sessionId) => {
        await server.call("session/delete", { sessionId, ...(isBin ? { now: true } : {}) });
        session.forget(sessionId);
      },
    });
    this.#leave(gone, isBin ? undefined : "deleted");
  }

  /** Brings them back from the bin. */
  async restore(): Promise<void> {
    const back = await this.#run(chosenSessions(this.#state), {
      doing: "Restoring",
      done: "restored",
      each: (sessionId) => this.#host.server.call("session/restore", { sessionId }),
    });
    this.#leave(back, "restored");
  }

  async export({ folder, format }: ExportForm, into: (typed: string) => string): Promise<void> {
    const path = into(folder.text.trim());
    try {
      // The folder is one of the server's machine.
      if (!this.#host.request.far) await mkdir(path, { recursive: true });
    } catch (error) {
      this.#change({ problem: `The folder ${path} could not be made: ${errorText(error)}` });
      return;
    }
    const done = await this.#run(chosenSessions(this.#state), {
      doing: "Exporting",
      done: "exported",
      each: (sessionId) =>
        this.#host.server.call("session/export", { sessionId, format, path: exportPath(path, sessionId, format) }),
    });
    if (done.length > 0) this.#change({ said: `${formatCount(done.length, "session")} exported to ${path}.` });
  }

  get #state(): HistoryState {
    return historySlice.of(this.#host.store.get());
  }

  /** Those that it worked for. A problem names the first session that it did not work for, and how many others. */
  async #run(sessionIds: readonly string[], { doing, done, each }: Act): Promise<string[]> {
    if (this.#state.working !== undefined || sessionIds.length === 0) return [];
    this.#isStopped = false;
    this.#change({ said: undefined, problem: undefined, putAway: undefined });
    const worked: string[] = [];
    const problems: string[] = [];
    for (const [at, sessionId] of sessionIds.entries()) {
      if (this.#isStopped) break;
      if (sessionIds.length > 1) this.#change({ working: `${doing} ${at + 1} of ${sessionIds.length}` });
      try {
        await each(sessionId);
        worked.push(sessionId);
      } catch (error) {
        problems.push(`${sessionId} was not ${done}: ${errorText(error)}`);
      }
    }
    const [first, ...others] = problems;
    const more = others.length === 0 ? "" : ` The same goes for ${formatCount(others.length, "other session")}.`;
    const said = worked.length === 0 ? undefined : `${formatCount(worked.length, "session")} ${done}.`;
    this.#change({
      working: undefined,
      said,
      problem: first === undefined ? undefined : `${first}${more}`,
      marked: new Set([...this.#state.marked].filter((id) => !worked.includes(id))),
    });
    return worked;
  }

  /** They are no longer in the list. `how`: how they were put away, for the key that takes it back; undefined: for good. */
  #leave(sessionIds: readonly string[], how: PutAway["how"] | undefined): void {
    const gone = new Set(sessionIds);
    const { sessions, total, passages } = this.#state;
    this.#change({
      sessions: sessions?.filter(({ sessionId }) => !gone.has(sessionId)),
      total: Math.max(0, total - gone.size),
      putAway: sessionIds.length === 0 || how === undefined ? undefined : { how, sessionIds },
      passages: passages && { ...passages, hits: passages.hits.filter(({ sessionId }) => !gone.has(sessionId)) },
    });
    this.#changed();
  }

  #change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }
}
