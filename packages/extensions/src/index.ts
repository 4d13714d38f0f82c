export { AgentDefinitions, type FoundAgent, type FoundAgents, type UnusedFile } from "./agents/agent-definitions.ts";
export {
  type AgentFolder,
  agentNameProblem,
  removeAgent,
  type SaveAgentProblem,
  saveAgent,
} from "./agents/save-agent.ts";
