import { errorText } from "@harness/client";
import type { WindowHost } from "../../client/window-host.ts";
import type { KeyEvent } from "../../input/index.ts";
import { agentKeys } from "../../keymap/overlay-keys.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { listKeys } from "../../keymap/shared-keys.ts";
import type { SessionController } from "../../session/session-controller.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { agentLines } from "./agent-lines.ts";
import { type AgentLine, type AgentTree, type AskedOfAgent, agentTree } from "./state.ts";

/** The tree is rebuilt at this rate while it is in view, whatever is streaming. */
const REFRESH_MS = 250;

/** The session's agents: shows them as a tree, opens and stops them, and applies or drops their separate changes. */
export class AgentController {
  readonly #host: WindowHost;
  readonly #session: SessionController;

  constructor(host: WindowHost, session: SessionController) {
    this.#host = host;
    this.#session = session;
  }

  open(): void {
    const { store } = this.#host;
    const { session, agentInView: marked, overlay } = store.get();
    if (!session) {
      store.note("info", "There are no agents yet: send a message first.");
      return;
    }
    const tree = { kind: "agents", lines: [], marked, question: undefined, message: undefined, nowMs: 0 } as const;
    store.set({ overlay: this.#tree(tree) });
    if (overlay?.kind !== "agents") this.#refresh();
  }

  readonly take: KeyScope = (event) => {
    const tree = agentTree.of(this.#host.store.get());
    if (!tree) return false;
    if (event.type === "key") this.#key(event, tree);
    return true;
  };

  #key(key: KeyEvent, tree: AgentTree): void {
    const { lines, marked, question } = tree;
    const at = lines.findIndex(({ agentId }) => agentId === marked);
    const moved = listMoved(key, Math.max(0, at), lines.length);
    const action = agentKeys.idOf(key);
    const line = lines[at];
    // Any other key cancels the first press.
    const calm = { ...tree, question: undefined, message: undefined };
    if (moved !== undefined) this.#show({ ...calm, marked: lines[moved]?.agentId ?? marked });
    else if (listKeys.idOf(key) === "close") this.#show(question === undefined ? undefined : calm);
    else if (action === "open") this.#session.showAgent(marked);
    else if (!line || action === undefined || !isPossible(line, action)) this.#show(calm);
    else if (action === "diff") void this.#showChanges(line);
    else if (question?.what !== action) this.#show({ ...calm, question: { agentId: marked, what: action } });
    else {
      this.#show(calm);
      void this.#do(question);
    }
  }

  /** Performs an action that was confirmed by a second press, and reports the outcome. */
  async #do({ agentId, what }: AskedOfAgent): Promise<void> {
    try {
      if (what === "stop") await this.#session.stopAgent(agentId);
      else this.#say(await this.#worktree(agentId, what));
    } catch (error) {
      this.#say(errorText(error));
    }
  }

  async #showChanges({ agentId }: AgentLine): Promise<void> {
    try {
      const text = await this.#worktree(agentId, "diff");
      this.#host.store.set({
        overlay: { kind: "text", title: `Changes of ${agentId}`, text, scroll: 0, look: "diff" },
      });
    } catch (error) {
      this.#say(errorText(error));
    }
  }

  async #worktree(agentId: string, action: "diff" | "apply" | "drop"): Promise<string> {
    const { server } = this.#host;
    const { sessionId = "" } = this.#session;
    return (await server.call("agents/worktree", { sessionId, agentId, action })).text;
  }

  #say(text: string): void {
    const tree = agentTree.of(this.#host.store.get());
    if (tree) this.#show({ ...this.#tree(tree), message: text });
    else this.#host.store.note("info", text);
  }

  #refresh(): void {
    const { store, clock } = this.#host;
    clock.after(REFRESH_MS, () => {
      const shown = agentTree.of(store.get());
      if (!shown) return;
      this.#show(this.#tree(shown));
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

function isPossible({ canStop, worktree }: AgentLine, action: "stop" | "diff" | "apply" | "drop"): boolean {
  return action === "stop" ? canStop : worktree?.state === "open";
}
