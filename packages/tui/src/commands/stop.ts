import { agentsNamed, runningAgents } from "../state/selectors.ts";
import type { CommandRow } from "./command-row.ts";

export const stop: CommandRow = {
  description: "Stop a subagent, by the beginning of its name; without one the newest",
  argumentHint: "[AGENT]",
  complete: async ({ state }) =>
    runningAgents(state().session).map(({ agentId, task = "" }) => ({ label: agentId, detail: task, insert: agentId })),
  async run({ say, state, controllers }, args) {
    const wanted = args.trim();
    const { session } = state();
    const [agentId, ...others] = agentsNamed(session, wanted);
    const running = runningAgents(session).map((each) => each.agentId);
    if (running.length === 0) return say("info", "No subagent is at work. Esc stops the turn.");
    if (!agentId) return say("warning", `No subagent at work is called ${wanted}. There are: ${running.join(", ")}.`);
    if (others.length > 0) return say("warning", `Which one? ${[agentId, ...others].join(", ")}.`);
    const stopped = await controllers.session.stopAgent(agentId);
    say("info", stopped ? `Agent ${agentId} is being stopped.` : `Agent ${agentId} has ended already.`);
  },
};
