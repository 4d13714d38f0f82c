import { type AgentDefinition, type Fact, parsePermissionMode, type UpdateOf } from "@harness/protocol";
import { type FactPages, lastFactOf } from "../ports/fact-pages.ts";
import type { SessionOptions } from "../ports/session-ports.ts";

/** The definition of the main agent, and the facts that record how it has changed since the last such facts. */
export type MainAgent = { definition: Partial<AgentDefinition>; facts: readonly Fact[] };

type RecordedAgent = UpdateOf<"main_agent_update">;

/**
 * The named agent of a session: the requested one, or the recorded one with its current definition. If that no longer
 * exists, its recorded modes still hold.
 */
export function mainAgentOf({ agent, loaded }: SessionOptions, agents: () => readonly AgentDefinition[]): MainAgent {
  const recorded = loaded && recordedIn(loaded);
  const definition = agent ?? (recorded && definitionOf(recorded, agents()));
  if (definition) return { definition, facts: isSame(recorded, definition) ? [] : [recordOf(definition)] };
  if (!recorded) return { definition: {}, facts: [] };
  const { name, mode } = recorded;
  // The fact may have the name of an older version.
  const permissionMode = recorded.permissionMode && parsePermissionMode(recorded.permissionMode);
  return {
    definition: { ...(mode ? { mode } : {}), ...(permissionMode ? { permissionMode } : {}) },
    facts: [
      {
        sessionUpdate: "notice",
        severity: "warning",
        title: `The agent ${name} no longer exists, or its folder is not trusted: the session continues without its prompt, with the session's own tools.`,
      },
    ],
  };
}

function recordedIn(loaded: FactPages): RecordedAgent | undefined {
  const update = lastFactOf(loaded, "main_agent_update")?.update;
  return update?.sessionUpdate === "main_agent_update" ? update : undefined;
}

function definitionOf({ name }: RecordedAgent, agents: readonly AgentDefinition[]): AgentDefinition | undefined {
  return agents.find((each) => each.name.toLowerCase() === name.toLowerCase());
}

function isSame(recorded: RecordedAgent | undefined, { name, mode, permissionMode }: AgentDefinition): boolean {
  if (recorded?.name.toLowerCase() !== name.toLowerCase()) return false;
  return recorded.mode === mode && recorded.permissionMode === permissionMode;
}

function recordOf({ name, mode, permissionMode }: AgentDefinition): RecordedAgent {
  const modes = { ...(mode ? { mode } : {}), ...(permissionMode ? { permissionMode } : {}) };
  return { sessionUpdate: "main_agent_update", name, ...modes };
}
