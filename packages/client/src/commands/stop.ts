import { ROOT_AGENT } from "@harness/protocol";
import type { FrontCommand } from "./front-command.ts";

export const stopCommand: FrontCommand = {
  words: "Stop a subagent by the first letters of its id, or all; without argument the newest",
  lines: { words: "Stop the turn, as Ctrl+C does; or a subagent by the first letters of its id, or all" },
  hint: "[AGENT | all]",
  whileBusy: true,
  complete: async (front) =>
    (await front.runningAgents()).map(({ agentId, task = "" }) => ({ label: agentId, detail: task, insert: agentId })),
  async run(front, wanted) {
    if (wanted === "" && front.stopTurn) return await front.stopTurn();
    const { session } = front;
    const agents = await front.runningAgents();
    const running = agents.map(({ agentId }) => agentId);
    if (running.length === 0) return front.say(({ stopTurn }) => `No subagent is running.${stopTurn}`);
    if (wanted === "all") {
      // Stopping one also stops its subagents.
      const topmost = agents.filter(({ parentAgentId }) => parentAgentId === ROOT_AGENT);
      await Promise.all(topmost.map(({ agentId }) => session.cancel(agentId)));
      return front.say("Stopping all subagents.");
    }
    const [agentId, ...others] = agentsNamed(running, wanted);
    if (!agentId)
      return front.say(`No running subagent is called ${wanted}. Running: ${running.join(", ")}.`, "warning");
    if (others.length > 0) return front.say(`Which one? ${[agentId, ...others].join(", ")}.`, "warning");
    const stopped = await session.cancel(agentId);
    front.say(stopped ? `Stopping agent ${agentId}.` : `Agent ${agentId} has already ended.`);
  },
};

/** Ids with this prefix; without a prefix, the newest. */
function agentsNamed(running: readonly string[], wanted: string): string[] {
  if (wanted === "") return running.slice(-1);
  return running.includes(wanted) ? [wanted] : running.filter((agentId) => agentId.startsWith(wanted));
}
