import { errorText } from "../../client/server-errors.ts";
import type { WindowHost } from "../../client/window-host.ts";
import type { KeyEvent } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import type { Scope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import type { SessionController } from "../../session/session-controller.ts";
import type { AgentTree } from "../../state/overlay.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { agentLines } from "./agent-lines.ts";

export const agentKeys = keyTable("agents", [
  {
    id: "open",
    keys: ["enter"],
    doc: "Read the marked agent's transcript as it grows, and write to it; Esc leads back",
  },
  { id: "stop", keys: ["s"], doc: "Stop it and the agents below it, when pressed twice" },
]);

/** The tree is made again at this rate while it is in view, whatever streams. */
const REFRESH_MS = 250;

/** The session's agents: shows them as a tree, opens and stops them. */
export class AgentController {
  readonly #host: WindowHost;
  readonly #session: SessionController;

  constructor(host: WindowHost, session: SessionController) {
    this.#host = host;
    this.#session = session;
  }

  open(): void {
    const { store } = this.#host;
    const { session, agentInView } = store.get();
    if (!session) {
      store.note("info", "There are no agents yet: send a message first.");
      return;
    }
    const isOpen = store.get().overlay?.kind === "agents";
    store.set({ overlay: this.#tree({ kind: "agents", lines: [], marked: agentInView, asked: undefined, nowMs: 0 }) });
    if (!isOpen) this.#refresh();
  }

  readonly take: Scope = (event) => {
    const { overlay } = this.#host.store.get();
    if (overlay?.kind !== "agents") return false;
    if (event.type === "key") this.#key(event, overlay);
    return true;
  };

  #key(key: KeyEvent, tree: AgentTree): void {
    const { lines, marked, asked } = tree;
    const at = lines.findIndex(({ agentId }) => agentId === marked);
    const moved = listMoved(key, Math.max(0, at), lines.length);
    const action = agentKeys.idOf(key);
    // Any other key takes the first press back.
    const calm = { ...tree, asked: undefined };
    if (moved !== undefined) this.#show({ ...calm, marked: lines[moved]?.agentId ?? marked });
    else if (listKeys.idOf(key) === "close") this.#show(asked === undefined ? undefined : calm);
    else if (action === "open") this.#session.showAgent(marked);
    else if (action !== "stop") this.#show(calm);
    else if (asked === marked) this.#stop(calm);
    else if (lines[at]?.canStop) this.#show({ ...tree, asked: marked });
  }

  #stop(tree: AgentTree): void {
    this.#show(tree);
    this.#session.stopAgent(tree.marked).catch((error: unknown) => {
      this.#show(undefined);
      this.#host.store.note("error", `The agent could not be stopped: ${errorText(error)}`);
    });
  }

  #refresh(): void {
    const { store, clock } = this.#host;
    clock.after(REFRESH_MS, () => {
      const { overlay } = store.get();
      if (overlay?.kind !== "agents") return;
      this.#show(this.#tree(overlay));
      this.#refresh();
    });
  }

  #tree(tree: AgentTree): AgentTree {
    const { store, clock } = this.#host;
    const { session, reading } = store.get();
    const lines = session ? agentLines(session, { canStop: reading === undefined }) : [];
    const isThere = lines.some(({ agentId }) => agentId === tree.marked);
    const [first] = lines;
    return { ...tree, lines, marked: isThere ? tree.marked : (first?.agentId ?? ""), nowMs: clock.wallNow() };
  }

  #show(overlay: AgentTree | undefined): void {
    this.#host.store.set({ overlay });
  }
}
