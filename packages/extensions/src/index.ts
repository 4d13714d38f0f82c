export { AgentDefinitions, type FoundAgent, type FoundAgents, type UnusedFile } from "./agents/agent-definitions.ts";
export { agentText } from "./agents/agent-text.ts";
export { readAgent } from "./agents/read-agent.ts";
