import type { ContextSection, ContextSectionName } from "@harness/protocol";
import { apportion } from "../../context/tokens/apportion.ts";
import { messageChars } from "../../context/tokens/estimate-tokens.ts";
import type { ModelMessage } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import { pastResults } from "./past-results.ts";

/** Named parts listed for a section; the section's tokens include all of them. */
const MAX_ITEMS = 20;

/** Characters between two pieces of the system text. */
const PIECE_GAP = 2;

type Part = { name: string; chars: number };
type Weights = Readonly<Record<ContextSectionName, { chars: number; parts: Part[] }>>;

/** The agent's next request by section, in the order in which they are sent; the sum is what its meter counts. */
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
  const { toolbox, projection } = agent;
  const charsOf = (isOne: (message: ModelMessage) => boolean) =>
    projection.messages.reduce((sum, message) => sum + (isOne(message) ? messageChars(message) : 0), 0);
  const results = charsOf(({ role }) => role === "tool");
  const working = charsOf((message) => projection.isWorkingContext(message));
  return {
    system: systemWeight(agent, "system"),
    prompt_fragments: systemWeight(agent, "prompt_fragments"),
    workspace: systemWeight(agent, "workspace"),
    repository_map: systemWeight(agent, "repository_map"),
    instruction_files: systemWeight(agent, "instruction_files"),
    pinned_files: systemWeight(agent, "pinned_files"),
    skills: systemWeight(agent, "skills"),
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

/** A section of the system text, which may consist of several pieces. */
function systemWeight({ systemSections }: Agent, section: ContextSectionName): { chars: number; parts: Part[] } {
  const pieces = systemSections.flatMap(({ name, pieces }) => (name === section ? pieces : []));
  const parts = pieces.map(({ name, text }) => ({ name, chars: text.length + PIECE_GAP }));
  return { chars: sumOf(parts), parts: parts.filter(({ name }) => name !== "") };
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { chars }) => sum + chars, 0);
}
