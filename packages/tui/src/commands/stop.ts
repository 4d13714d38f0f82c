import { ROOT_AGENT } from "@harness/protocol";
import type { KeySentence } from "../keymap/key-names.ts";
import { agentsNamed, runningAgents } from "../state/agents.ts";
import type { CommandRow } from "./command-row.ts";

const nothingRuns: KeySentence = (keys) =>
  `No subagent is running.${keys.say("anywhere.escape", (key) => ` ${key} stops the turn.`)}`;

export const stop: CommandRow = {
  description: "Stop a subagent by the first letters of its id, or all; without argument the newest",
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
    if (running.length === 0) return store.note("info", nothingRuns);
    if (wanted === "all") {
      // Each takes those below it along.
      const topmost = runningAgents(session).filter(({ parentAgentId }) => parentAgentId === ROOT_AGENT);
      await Promise.all(topmost.map((each) => controllers.session.stopAgent(each.agentId)));
      return store.note("info", "Stopping all subagents.");
    }
    if (!agentId)
      return store.note("warning", `No running subagent is called ${wanted}. Running: ${running.join(", ")}.`);
    if (others.length > 0) return store.note("warning", `Which one? ${[agentId, ...others].join(", ")}.`);
    const stopped = await controllers.session.stopAgent(agentId);
    store.note("info", stopped ? `Stopping agent ${agentId}.` : `Agent ${agentId} has already ended.`);
  },
};
