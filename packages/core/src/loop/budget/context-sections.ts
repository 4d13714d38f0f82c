import type { ContextSection, ContextSectionName } from "@harness/protocol";
import { apportion } from "../../context/tokens/apportion.ts";
import { messageChars } from "../../context/tokens/estimate-tokens.ts";
import type { ModelMessage } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import { pastResults } from "./past-results.ts";

/** Named parts of a section that are listed; the section's tokens count all. */
const MAX_ITEMS = 20;

type Part = { name: string; chars: number };
type Weights = Readonly<Record<ContextSectionName, { chars: number; parts: Part[] }>>;

/** The agent's next request by its sections, in the order in which they are sent; the sum is what its meter counts. */
export function contextSections(agent: Agent, cwd: string): ContextSection[] {
  const weights = Object.entries(weightsOf(agent, cwd)) as [ContextSectionName, Weights[ContextSectionName]][];
  const tokens = apportion(
    agent.usedTokens,
    weights.map(([, { chars }]) => chars),
  );
  return weights.map(([section, { chars, parts }], index) => {
    const sum = tokens[index] ?? 0;
    const items = parts
      .map(({ name, chars: own }) => ({ name, tokens: chars > 0 ? Math.round((sum * own) / chars) : 0 }))
      .sort((a, b) => b.tokens - a.tokens)
      .slice(0, MAX_ITEMS);
    return { section, tokens: sum, ...(items.length > 0 ? { items } : {}) };
  });
}

function weightsOf(agent: Agent, cwd: string): Weights {
  const { systemText = "", instructionFiles, toolbox, projection } = agent;
  const files = instructionFiles.map(({ path, chars }) => ({ name: path, chars }));
  const inFiles = sumOf(files);
  const charsOf = (isOne: (message: ModelMessage) => boolean) =>
    projection.messages.reduce((sum, message) => sum + (isOne(message) ? messageChars(message) : 0), 0);
  const results = charsOf(({ role }) => role === "tool");
  const working = charsOf((message) => projection.isWorkingContext(message));
  return {
    system: { chars: systemText.length - inFiles, parts: [] },
    instruction_files: { chars: inFiles, parts: files },
    pinned_files: { chars: 0, parts: [] },
    skills: { chars: 0, parts: [] },
    tools: {
      chars: toolbox.chars,
      parts: toolbox.specs.map((spec) => ({ name: spec.name, chars: JSON.stringify(spec).length })),
    },
    conversation: { chars: projection.chars - results - working, parts: [] },
    tool_results: {
      chars: results,
      parts: pastResults(agent, cwd).map(({ title, text }) => ({ name: title, chars: text.length })),
    },
    volatile: { chars: working, parts: [] },
  };
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { chars }) => sum + chars, 0);
}
