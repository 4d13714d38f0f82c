import type { ToolCallPart } from "@harness/protocol";
import type { PastResult } from "../../context/shrinking/past-result.ts";
import { callArguments } from "../calls/call-arguments.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import type { Agent } from "../turn/agent.ts";

type ResultInfo = Pick<PastResult, "title" | "key" | "category" | "effects">;

/** The results in the agent's conversation, oldest first, with what their calls did. */
export function pastResults({ projection, toolbox }: Agent, cwd: string): PastResult[] {
  const { messages } = projection;
  const replies = messages.filter(({ role }) => role === "assistant").length;
  const lastPrompt = projection.promptIndexes.at(-1) ?? 0;
  const calls = new Map<string, { part: ToolCallPart; reply: number }>();
  let reply = 0;
  return messages.flatMap((message, index): PastResult[] => {
    if (message.role === "assistant") {
      reply += 1;
      for (const part of message.parts) if (part.type === "tool_call") calls.set(part.toolCallId, { part, reply });
    }
    if (message.role !== "tool") return [];
    const { toolCallId, text, images = [], isError, name } = message;
    const call = calls.get(toolCallId);
    const known = call ? knownOf(call.part, toolbox, cwd) : undefined;
    const age = replies - (call?.reply ?? 0);
    const isOfOldTurn = index < lastPrompt;
    const plain: ResultInfo = { title: name, key: toolCallId, category: "destructive", effects: [] };
    return [{ toolCallId, text, pictures: images.length, isError, ...(known ?? plain), age, isOfOldTurn }];
  });
}

/** Undefined if the call could not run, or its tool no longer exists. */
function knownOf(part: ToolCallPart, toolbox: Agent["toolbox"], cwd: string): ResultInfo | undefined {
  const found = toolbox.find(part.name);
  if (!found) return undefined;
  const { tool, alias } = found;
  try {
    const read = callArguments(part, tool, alias);
    if ("problem" in read) return undefined;
    const { args } = read;
    return {
      title: tool.title(args, cwd),
      key: `${tool.name} ${canonicalJson(args)}`,
      category: tool.categoryOf?.(args) ?? tool.category,
      effects: tool.effects(args, cwd),
    };
  } catch {
    // The tool has a bug: its result is treated like one of an unknown tool.
    return undefined;
  }
}
