import { textOf } from "@harness/protocol";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelAnswer, SamplingRequest } from "../../ports/tool.ts";
import { type RequestCost, sideRequest } from "../turn/side-request.ts";
import type { Turn } from "../turn/turn.ts";

/** An estimate on the safe side. */
const CHARS_PER_TOKEN = 3;

/**
 * Has the session's model answer a question of an extension beside the conversation: within the agent's budget, and
 * after all other requests. Throws `LogWriteError`.
 */
export async function askModel(
  turn: Turn,
  { system, messages, maxOutputTokens, temperature }: SamplingRequest,
  { signal, onSpent }: { signal: AbortSignal; onSpent(spent: RequestCost): void },
): Promise<ModelAnswer> {
  const { scope, choice, agent } = turn;
  if (!choice) return { problem: "No model has been asked yet" };
  const { exhausted } = agent.budget;
  if (exhausted !== undefined) return { problem: `The agent ${exhausted}` };
  const chars = system.length + messages.reduce((sum, { text }) => sum + text.length, 0);
  const room = usableTokens(choice.contextWindow.tokens) - maxOutputTokens;
  if (chars / CHARS_PER_TOKEN > room)
    return { problem: `It is too long: ${choice.model} has room for about ${Math.max(0, room)} tokens` };
  const reply = await sideRequest({
    scope,
    about: { agentId: agent.agentId, purpose: "question" },
    choice,
    request: {
      model: choice.model,
      system,
      messages: messages.map(({ role, text }) =>
        role === "user"
          ? { role, content: [{ type: "text", text }] }
          : { role, parts: [{ type: "text", text }], provider: choice.provider.id, model: choice.model },
      ),
      tools: [],
      maxOutputTokens,
      ...(temperature === undefined ? {} : { temperature }),
      contextWindow: choice.contextWindow.tokens,
      priority: "background",
    },
    signal,
  });
  if (reply.spent) {
    turn.spend(reply.spent.usage, reply.spent.cost);
    onSpent(reply.spent);
  }
  if ("failure" in reply) return { problem: `The model failed: ${reply.failure.message}` };
  if (!("end" in reply) || signal.aborted) return { problem: "The model gave no answer" };
  const isWhole = reply.end.stop !== "length" && reply.end.stop !== "cut";
  return { text: textOf(reply.end.parts), model: choice.model, isWhole };
}
