import { type AgentMode, emptySession, type SessionState } from "@harness/protocol";
import { MemoryLog, memoryPorts, ScriptedProvider, sessionPorts } from "@harness/testkit";
import { promptBudget } from "../src/context/system/prompt-budget.ts";
import type { AssembledSystemText } from "../src/context/system/system-prompt.ts";
import { SystemText } from "../src/context/system/system-text.ts";
import type { RequestSources } from "../src/ports/session-ports.ts";

type SystemInput = Partial<RequestSources> & {
  mode?: AgentMode;
  customInstructions?: string;
  contextWindow?: number;
  toolChars?: number;
  isMain?: boolean;
  mapSetting?: "auto" | "off" | "on";
  state?: SessionState;
};

/** The system text of a session with these sources. */
export function writtenSystem(given: SystemInput = {}): Promise<AssembledSystemText> {
  const { mode = "agent", customInstructions = "", contextWindow = 128_000, toolChars = 3_000, isMain = true } = given;
  const { state = emptySession("s"), mapSetting = "auto", ...sources } = given;
  const memory = { ...memoryPorts({ provider: new ScriptedProvider([]), log: new MemoryLog() }), ...sources };
  const text = new SystemText({
    requests: sessionPorts(memory).requests,
    settings: {
      agentMode: mode,
      values: { custom_instructions: customInstructions, project_md_files: [], repository_map: mapSetting },
    },
    state: () => state,
    cwd: memory.log.header.cwd,
    refusal: async () => undefined,
  });
  return text.get(
    { agentId: "main", loadsSkills: true, hasInView: () => false, mode, isMain },
    promptBudget(contextWindow),
    toolChars,
  );
}
