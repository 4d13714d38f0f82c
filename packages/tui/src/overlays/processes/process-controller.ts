import { errorText } from "@harness/client";
import type { ProcessView } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import type { KeyEvent } from "../../input/index.ts";
import { processKeys } from "../../keymap/overlay-keys.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import { SHEET_END } from "../../state/text-sheet.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { clampSelection } from "../../widgets/list-slice.ts";
import { type ProcessList, processList } from "./state.ts";

/** How often the list is reloaded while it is in view. */
const REFRESH_MS = 1_000;

/** Background processes: lists them, shows their output, stops them and keeps them running. */
export class ProcessController {
  readonly #host: WindowHost;

  constructor(host: WindowHost) {
    this.#host = host;
  }

  open(): void {
    const { session, reading } = this.#host.store.get();
    if (!session || reading) {
      this.#host.store.note("info", "There are no background processes: no session is open.");
      return;
    }
    this.#show({ kind: "processes", processes: undefined, selected: 0, nowMs: this.#host.clock.wallNow() });
    void this.#refresh(session.sessionId);
  }

  readonly take: KeyScope = (event) => {
    const state = this.#host.store.get();
    const list = processList.of(state);
    if (!list) return false;
    if (event.type === "key") this.#key(event, list, state.session?.sessionId ?? "");
    return true;
  };

  #key(key: KeyEvent, list: ProcessList, sessionId: string): void {
    const { processes = [], selected } = list;
    const moved = listMoved(key, selected, processes.length);
    const marked = processes[selected];
    const action = processKeys.idOf(key);
    // Any other key cancels the first press.
    const calm = { ...list, stopping: undefined };
    if (moved !== undefined) this.#show({ ...calm, selected: moved });
    else if (listKeys.idOf(key) === "close") this.#show(list.stopping === undefined ? undefined : calm);
    else if (marked && action === "output") void this.#output(sessionId, marked);
    else if (marked?.state !== "running" || !action) this.#show(calm);
    else if (action === "stop" && list.stopping !== marked.processId)
      this.#show({ ...list, stopping: marked.processId });
    else {
      this.#show(calm);
      void this.#change(sessionId, marked, action === "keep");
    }
  }

  /** Reloads the list repeatedly until it is closed. */
  async #refresh(sessionId: string): Promise<void> {
    const { store, server, clock } = this.#host;
    try {
      const { processes } = await server.call("process/list", { sessionId });
      const shown = processList.of(store.get());
      if (!shown) return;
      const selected = clampSelection(shown.selected, processes.length);
      this.#show({ ...shown, processes, selected, nowMs: clock.wallNow() });
      clock.after(REFRESH_MS, () => {
        if (store.get().overlay?.kind === "processes") void this.#refresh(sessionId);
      });
    } catch (error) {
      this.#failed("The processes could not be listed", error);
    }
  }

  async #output(sessionId: string, { processId, command }: ProcessView): Promise<void> {
    const { store, server } = this.#host;
    try {
      const { text, offset } = await server.call("process/read", { sessionId, processId });
      if (store.get().overlay?.kind !== "processes") return;
      const shown = text === "" ? "(no output)" : offset > 0 ? `… ${offset} bytes before\n${text}` : text;
      store.set({ overlay: { kind: "text", title: `${processId} · ${command}`, text: shown, scroll: SHEET_END } });
    } catch (error) {
      this.#failed("The output could not be read", error);
    }
  }

  async #change(sessionId: string, { processId, kept }: ProcessView, keep: boolean): Promise<void> {
    const { server } = this.#host;
    try {
      const params = { sessionId, processId };
      const answer = keep
        ? await server.call("process/keep", { ...params, keep: !kept })
        : await server.call("process/stop", params);
      const shown = processList.of(this.#host.store.get());
      if (!shown) return;
      const processes = shown.processes?.map((each) => (each.processId === processId ? answer.process : each));
      this.#show({ ...shown, processes });
    } catch (error) {
      this.#failed(keep ? "Nothing was changed" : "It could not be stopped", error);
    }
  }

  #failed(what: string, error: unknown): void {
    this.#show(undefined);
    this.#host.store.note("error", `${what}: ${errorText(error)}`);
  }

  #show(overlay: ProcessList | undefined): void {
    this.#host.store.set({ overlay });
  }
}
