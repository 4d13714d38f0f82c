import type { AgentView } from "@harness/protocol";
import type { ClientCommand } from "./client-command.ts";

/** `/subagents`: the agents that work for this session. */
export const subagentsCommand: ClientCommand = {
  description: "List the subagents of this session, stop one, or say something to it.",
  hint: "[stop NAME | tell NAME WORDS]",
  async run(args, { client, session, sessionId }) {
    const [, action, wanted, words = ""] = /^(\S+)\s+(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
    const { agents } = await client.call("agents/list", { sessionId });
    const subagents = agents.filter(({ depth }) => depth > 0);
    if (args === "") return subagents.map(agentLine).join("\n") || "No subagents.";
    if (action !== "stop" && (action !== "tell" || words === ""))
      return "Usage: /subagents [stop NAME | tell NAME WORDS]";
    const agent = subagents.find(({ agentId, name }) => agentId === wanted || name === wanted);
    if (!agent) return `There is no subagent ${wanted}.`;
    if (action === "stop") return (await session.cancel(agent.agentId)) ? "It was stopped." : "It was not running.";
    await session.prompt(words, { agentId: agent.agentId });
    return "It reads that before its next request.";
  },
};

function agentLine({ agentId, name, state, task, lastAction }: AgentView): string {
  const what = [task, lastAction].filter(Boolean).join(" · ");
  return `${name === undefined ? agentId : `${name} (${agentId})`}  ${state}  ${what}`;
}
