import type { AgentMeter } from "../../ports/agent-meter.ts";
import type { AgentLimits } from "../../ports/session-ports.ts";

/** The limit that a start would exceed; `setting` is how the user raises it. */
type ReachedLimit = { reached: number; limit: number; says: (limit: number) => string; setting: string };

/**
 * How many subagents a session has running, and how many it has started since the user's last message. Limits of each
 * agent alone would multiply from level to level.
 */
export class StartLimit {
  readonly #server: AgentMeter;
  #running = 0;
  #started = 0;

  constructor(server: AgentMeter) {
    this.#server = server;
  }

  /** Why no further subagent may start now; undefined if one may. */
  refusal({ maxInSession, maxInServer, maxStarts }: AgentLimits): string | undefined {
    const limits: ReachedLimit[] = [
      {
        reached: this.#started,
        limit: maxStarts,
        says: (limit) => `${subagents(limit)} been started since the person's last message, which is the limit`,
        setting: "max_agent_starts",
      },
      {
        reached: this.#running,
        limit: maxInSession,
        says: (limit) => `${subagents(limit, "running")} in this session, which is the limit`,
        setting: "max_session_agents",
      },
      {
        reached: this.#server.running,
        limit: maxInServer,
        says: (limit) => `${subagents(limit, "running")} in all sessions together, which is the limit`,
        setting: "max_server_agents",
      },
    ];
    const found = limits.find(({ reached, limit }) => reached >= limit);
    return found && `${found.says(found.limit)} (\`${found.setting}\`). Do the task yourself.`;
  }

  began(): void {
    this.#running += 1;
    this.#started += 1;
    this.#server.began();
  }

  ended(): void {
    this.#running -= 1;
    this.#server.ended();
  }

  /** The user has sent a message: starts are counted anew. */
  renew(): void {
    this.#started = 0;
  }
}

function subagents(count: number, state?: "running"): string {
  const noun = count === 1 ? "1 subagent" : `${count} subagents`;
  if (state) return `${noun} ${count === 1 ? "is" : "are"} already ${state}`;
  return `${noun} ${count === 1 ? "has" : "have"}`;
}
