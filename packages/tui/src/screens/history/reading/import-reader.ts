import { errorText } from "@harness/client";
import { importSources } from "@harness/protocol/choices";
import type { ScreenHost } from "../../screen.ts";
import { type HistoryState, historySlice } from "../state.ts";
import type { ImportableSession } from "../stored/importable.ts";

/** Newer sessions of each program; the command line lists all of them. */
const MAX_EACH = 200;

/** Lists the sessions of other programs, one program after another, and imports them. */
export class ImportReader {
  readonly #host: Pick<ScreenHost, "store" | "server">;

  constructor(host: Pick<ScreenHost, "store" | "server">) {
    this.#host = host;
  }

  async read(): Promise<void> {
    const problems: string[] = [];
    let sessions: readonly ImportableSession[] = [];
    for (const from of importSources) {
      try {
        const found = await this.#host.server.call("session/importable", { from, limit: MAX_EACH });
        sessions = [...sessions, ...found.sessions.map((each) => ({ ...each, from }))];
      } catch (error) {
        problems.push(errorText(error));
      }
      if (!historySlice.of(this.#host.store.get()).importable) return;
      this.#change({ importable: { sessions, isRead: from === importSources.at(-1) } });
    }
    if (problems.length > 0) this.#change({ problem: problems.join(" ") });
  }

  /** Makes a session of the file, which says itself what did not come along. Undefined: a problem is shown. */
  async import({ path }: ImportableSession): Promise<string | undefined> {
    this.#change({ working: "Importing", problem: undefined });
    try {
      return (await this.#host.server.call("session/import", { path })).sessionId;
    } catch (error) {
      this.#change({ problem: `The session could not be imported: ${errorText(error)}` });
      return undefined;
    } finally {
      this.#change({ working: undefined });
    }
  }

  #change(changes: Partial<HistoryState>): void {
    historySlice.change(this.#host.store, changes);
  }
}
