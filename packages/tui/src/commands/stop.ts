import { ROOT_AGENT } from "@harness/protocol";
import { agentsNamed, runningAgents } from "../state/agents.ts";
import type { CommandRow } from "./command-row.ts";

export const stop: CommandRow = {
  description: "Stop a subagent, by the beginning of its name, or all; without one the newest",
  argumentHint: "[AGENT | all]",
  complete: async ({ store }) =>
    runningAgents(store.get().session).map(({ agentId, task = "" }) => ({
      label: agentId,
      detail: task,
      insert: agentId,
    })),
  async run({ store, controllers }, args) {
    const wanted = args.trim();
    const { session } = store.get();
    const [agentId, ...others] = agentsNamed(session, wanted);
    const running = runningAgents(session).map((each) => each.agentId);
    if (running.length === 0) return store.note("info", "No subagent is at work. Esc stops the turn.");
    if (wanted === "all") {
      // Each takes those below it along.
      const topmost = runningAgents(session).filter(({ parentAgentId }) => parentAgentId === ROOT_AGENT);
      await Promise.all(topmost.map((each) => controllers.session.stopAgent(each.agentId)));
      return store.note("info", "All subagents are being stopped.");
    }
    if (!agentId)
      return store.note("warning", `No subagent at work is called ${wanted}. There are: ${running.join(", ")}.`);
    if (others.length > 0) return store.note("warning", `Which one? ${[agentId, ...others].join(", ")}.`);
    const stopped = await controllers.session.stopAgent(agentId);
    store.note("info", stopped ? `Agent ${agentId} is being stopped.` : `Agent ${agentId} has ended already.`);
  },
};
