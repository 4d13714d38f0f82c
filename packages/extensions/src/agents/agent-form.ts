import { basename } from "node:path";
import type { DefinitionForm } from "../sources/definitions.ts";
import { type AgentReading, readAgent } from "./read-agent.ts";

export type ReadAgent = Extract<AgentReading, { definition: unknown }>;

/** The agents that people have described in files. */
export const agentForm: DefinitionForm<ReadAgent> = {
  kind: "agent",
  accepts: () => true,
  read: (text, { path }) => readAgent(text, basename(path).replace(/\.md$/i, "")),
  nameOf: ({ definition }) => definition.name,
};
