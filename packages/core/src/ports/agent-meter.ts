/** Counts the running subagents of all sessions of a server. */
export class AgentMeter {
  #running = 0;

  get running(): number {
    return this.#running;
  }

  began(): void {
    this.#running += 1;
  }

  ended(): void {
    this.#running -= 1;
  }
}
