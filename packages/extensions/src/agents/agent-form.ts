import { basename } from "node:path";
import type { DefinitionForm } from "../sources/definitions.ts";
import { type AgentReading, readAgent } from "./read-agent.ts";

export type ReadAgent = Extract<AgentReading, { definition: unknown }>;

/** Agents described in files. */
export const agentForm: DefinitionForm<ReadAgent> = {
  kind: "agent",
  accepts: () => true,
  read: (text, { path }) => readAgent(text, basename(path).replace(/\.md$/i, "")),
  nameOf: ({ definition }) => definition.name,
};
