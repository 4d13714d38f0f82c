import { textOf } from "@harness/protocol";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { FileExtracts } from "../../ports/tool.ts";
import { type RequestCost, sideRequest } from "../turn/side-request.ts";
import type { Turn } from "../turn/turn.ts";

const MAX_OUTPUT_TOKENS = 1_000;
const MAX_PURPOSE_CHARS = 2_000;
/** An estimate on the safe side. */
const CHARS_PER_TOKEN = 3;

/** Lets a tool have a model choose the lines of a large file; undefined if the setting is off. */
export function fileExtracts(turn: Turn, onSpent: (spent: RequestCost) => void): FileExtracts | undefined {
  const { agent, scope, choice } = turn;
  const { extract_files_above: aboveLines } = scope.settings.values;
  if (aboveLines === 0 || !choice) return undefined;
  return {
    aboveLines,
    purpose: purposeOf(turn),
    maxChars: (usableTokens(choice.contextWindow.tokens) - MAX_OUTPUT_TOKENS) * CHARS_PER_TOKEN,
    answers: agent.extracts,
    async ask({ system, text }, signal) {
      const model = await modelFor(turn, choice);
      const reply = await sideRequest({
        scope,
        about: { agentId: agent.agentId, purpose: "extract" },
        choice: model,
        request: {
          model: model.model,
          system,
          messages: [{ role: "user", content: [{ type: "text", text }] }],
          tools: [],
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          contextWindow: model.contextWindow.tokens,
          priority: "background",
        },
        signal,
      });
      if (reply.spent) {
        turn.spend(reply.spent.usage, reply.spent.cost);
        onSpent(reply.spent);
      }
      return "end" in reply && reply.end.stop !== "cut" ? textOf(reply.end.parts) : undefined;
    },
  };
}

/** The agent's current goal. It stays the same for a whole turn, so that a file is asked about once. */
function purposeOf({ agent, scope }: Turn): string {
  const task = agent.projection.lastPrompt?.text.slice(0, MAX_PURPOSE_CHARS) ?? "";
  const todos = scope.journal.state.agents.get(agent.agentId)?.todos ?? [];
  return [task, ...todos.flatMap(({ text, status }) => (status === "in_progress" ? [`Now: ${text}`] : []))].join("\n");
}

/**
 * The model for summaries if there is one with as large a window: the available room is known only for the agent's own
 * model.
 */
async function modelFor({ agent, scope }: Turn, choice: ModelChoice): Promise<ModelChoice> {
  const { compact_model: compactModel } = scope.settings.values;
  if (compactModel === "") return choice;
  const named = await agent.models.named(compactModel);
  return "problem" in named || named.contextWindow.tokens < choice.contextWindow.tokens ? choice : named;
}
