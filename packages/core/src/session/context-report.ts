import type { ContextReport, ContextSection, DroppablePart } from "@harness/protocol";
import { measurePressure, shrinkFrom, usableTokens } from "../context/tokens/usable-tokens.ts";
import { contextSections } from "../loop/budget/context-sections.ts";
import type { ShorteningOptions } from "../loop/budget/record-shortening.ts";
import { shrinkable } from "../loop/budget/shrink-results.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { ModelChoice } from "../ports/provider.ts";

/** The contents of the next request of a running agent. `settled`: settles an agent without a turn, if it can. */
export async function nextRequestReport(
  scope: Scope,
  agentId: string,
  settled: (settle: () => Promise<string>) => Promise<void>,
): Promise<ContextReport | { problem: string }> {
  const agent = scope.agents.get(agentId);
  if (!agent) return { problem: `Agent ${agentId} is not running, so it has no next request.` };
  const { models, system } = scope.requests;
  const choice = models.current ?? (await models.choose({ fresh: false }));
  if ("problem" in choice) return choice;
  if (agent.systemText === undefined) await settled(() => agent.settle(choice, system));
  return contextReport(scope, agent, choice);
}

/** The contents of the context window of an agent whose system text and tools are settled. */
function contextReport(scope: Scope, agent: Agent, choice: ModelChoice): ContextReport {
  const { contextWindow, provider, model } = choice;
  const { auto_compact_enabled: autoCompact, compact_trigger: compactTrigger } = scope.settings.values;
  const { usedTokens, truncated } = agent;
  const usable = usableTokens(contextWindow.tokens);
  const sections = contextSections(agent, scope.ports.log.header.cwd);
  return {
    agentId: agent.agentId,
    provider: provider.id,
    model,
    usedTokens,
    isCounted: agent.meter.isCounted,
    windowTokens: contextWindow.tokens,
    windowSource: contextWindow.source,
    usableTokens: usable,
    pressure: measurePressure(usedTokens, contextWindow.tokens),
    ...(autoCompact
      ? {
          shrinkTokens: shrinkFrom(contextWindow.tokens, compactTrigger),
          compactTokens: Math.ceil((usable * compactTrigger) / 100),
        }
      : {}),
    sections,
    droppable: [
      ...droppableResults({ scope, agent, contextWindow: contextWindow.tokens }, autoCompact),
      ...droppableFiles(sections),
      ...droppablePins(sections),
      ...unusedTools(sections, agent),
    ].filter(({ tokens }) => tokens > 0),
    ...(truncated ? { truncated } : {}),
  };
}

/** Results made useless by later ones, and other old ones. */
function droppableResults(order: ShorteningOptions, isAutomatic: boolean): DroppablePart[] {
  const { requestChars, usedTokens } = order.agent;
  const cuts = shrinkable(order).map((cut) => ({
    isUseless: cut.reason !== "long" && cut.reason !== "picture",
    item: { name: cut.result.title, tokens: Math.round((cut.savedChars * usedTokens) / Math.max(1, requestChars)) },
  }));
  const advice = isAutomatic
    ? "harness shortens them automatically as the context window fills; /compact makes room now."
    : "With auto_compact_enabled, harness would shorten them as the context window fills; /compact makes room now.";
  const partOf = (kind: DroppablePart["kind"], title: string, isUseless: boolean): DroppablePart => {
    const items = cuts.filter((cut) => cut.isUseless === isUseless).map(({ item }) => item);
    items.sort((a, b) => b.tokens - a.tokens);
    return { kind, title, tokens: items.reduce((sum, { tokens }) => sum + tokens, 0), advice, items };
  };
  return [
    partOf("repeated_results", "Results superseded by later ones", true),
    partOf("old_results", "The middle of long old results, and old images", false),
  ];
}

function droppableFiles(sections: readonly ContextSection[]): DroppablePart[] {
  const { items = [] } = sections.find(({ section }) => section === "instruction_files") ?? {};
  return items.map((item) => ({
    kind: "instruction_file",
    title: `Instructions from ${item.name}`,
    tokens: item.tokens,
    advice: "Shorten the file: it is part of every request in this folder.",
    items: [item],
  }));
}

function droppablePins(sections: readonly ContextSection[]): DroppablePart[] {
  const { items = [] } = sections.find(({ section }) => section === "pinned_files") ?? {};
  return items.map((item) => ({
    kind: "pinned_file",
    title: `Pinned: ${item.name}`,
    tokens: item.tokens,
    advice: `/drop ${/\s/.test(item.name) ? `"${item.name}"` : item.name} unpins it.`,
    items: [item],
  }));
}

/** Tools that the conversation has not called. */
function unusedTools(sections: readonly ContextSection[], { projection, toolbox }: Agent): DroppablePart[] {
  const { items = [] } = sections.find(({ section }) => section === "tools") ?? {};
  const called = new Set(
    projection.messages.flatMap((message) =>
      message.role === "assistant"
        ? message.parts.flatMap((part) => (part.type === "tool_call" ? [toolbox.find(part.name)?.tool.name] : []))
        : [],
    ),
  );
  const unused = items.filter(({ name }) => !called.has(name));
  if (called.size === 0 || unused.length === 0) return [];
  return [
    {
      kind: "unused_tools",
      title: unused.length === 1 ? "1 unused tool" : `${unused.length} unused tools`,
      tokens: unused.reduce((sum, { tokens }) => sum + tokens, 0),
      advice:
        "Another mode offers fewer tools (/mode); their descriptions are shorter where the context window is small.",
      items: unused,
    },
  ];
}
