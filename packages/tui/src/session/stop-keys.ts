import { errorText } from "@harness/client";
import { ROOT_AGENT } from "@harness/protocol";
import type { WindowHost } from "../client/window-host.ts";
import { backgroundAgents } from "../state/agents.ts";
import { isBusy, runsOwnCommand } from "../state/selectors.ts";
import type { SessionController } from "./session-controller.ts";

/** A second press within this time does more than the first. */
const AGAIN_MS = 5000;

/** The keys that stop: first the turn, at the second press the background work; or the one agent in view. */
export class StopKeys {
  readonly #host: WindowHost;
  readonly #session: SessionController;
  #stopTimer: (() => void) | undefined;

  constructor(host: WindowHost, session: SessionController) {
    this.#host = host;
    this.#session = session;
  }

  /** Stops the turn, and right after that the agents in the background. Returns false if there was nothing to stop. */
  stop(): boolean {
    const state = this.#host.store.get();
    if (!isBusy(state) && !runsOwnCommand(state)) return this.stopBackground();
    this.#session.cancel();
    this.#arm();
    return true;
  }

  /**
   * Stops the agents in the background if the turn was stopped just now. Returns false if it was not, or there are
   * none.
   */
  stopBackground(): boolean {
    const { stopArmed, session } = this.#host.store.get();
    if (!stopArmed || backgroundAgents(session).length === 0) return false;
    this.#session.cancel();
    this.disarm();
    return true;
  }

  /** Stops the subagent in view at the second call. Returns false if none is in view, or it has ended. */
  stopInView(): boolean {
    const { screen, session, agentInView, stopArmed } = this.#host.store.get();
    if (screen !== "chat" || agentInView === ROOT_AGENT || !session?.running.has(agentInView)) return false;
    if (stopArmed) {
      this.disarm();
      void this.#stopAgent(agentInView);
    } else this.#arm();
    return true;
  }

  /** Another key was pressed, so the next press counts as a first one again. */
  disarm(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#host.store.dispatch({ type: "stopArmed", armed: false });
  }

  #arm(): void {
    this.#stopTimer?.();
    this.#host.store.dispatch({ type: "stopArmed", armed: true });
    this.#stopTimer = this.#host.clock.after(AGAIN_MS, () => this.disarm());
  }

  async #stopAgent(agentId: string): Promise<void> {
    try {
      await this.#session.stopAgent(agentId);
    } catch (error) {
      this.#host.store.note("error", `The agent could not be stopped: ${errorText(error)}`);
    }
  }
}
