import { type FactPages, factsOf } from "@harness/core";
import { addCost, addUsage, type Cost, NO_COST, ROOT_AGENT, type StoredFact, type Usage } from "@harness/protocol";
import { type AtifStep, AtifSteps, metricsOf } from "./atif-steps.ts";
import {
  type ExportedAgent,
  type ExportSource,
  type ExportWriter,
  exportedFacts,
  hiddenBy,
  hiddenSubagents,
  subagentsOf,
} from "./export-source.ts";

/** ATIF (Agent Trajectory Interchange Format), as specified by RFC 0001 of the Harbor project. */
const ATIF_VERSION = "ATIF-v1.7";

/** One step per request to the model, with its calls and their results. */
export const atifExport: ExportWriter = {
  title: "ATIF",
  ending: ".atif.json",
  *write(source) {
    yield* trajectory({ source, subagents: subagentsOf(source) }, undefined);
    yield "\n";
  },
};

type Document = { source: ExportSource; subagents: ReadonlyMap<string, ExportedAgent> };

function* trajectory(document: Document, agent: ExportedAgent | undefined): Generator<string, void> {
  const { source, subagents } = document;
  const { header, version, hide } = source;
  const agentId = agent?.agentId ?? ROOT_AGENT;
  const children = [...subagents.values()].filter(({ parentId }) => parentId === agentId);
  const head = {
    schema_version: ATIF_VERSION,
    session_id: header.sessionId,
    trajectory_id: idOf(header.sessionId, agentId),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"steps":[`;
  const refs = new Map<string, string[]>();
  for (const child of children) {
    if (child.toolCallId === undefined) continue;
    refs.set(child.toolCallId, [...(refs.get(child.toolCallId) ?? []), idOf(header.sessionId, child.agentId)]);
  }
  const totals = new Totals();
  let count = 0;
  for (const step of stepsOf(source, agent, { refs, totals })) {
    count += 1;
    yield `${count === 1 ? "\n" : ",\n"}${JSON.stringify({ step_id: count, ...step })}`;
  }
  // A trajectory has at least one step.
  if (count === 0) {
    count = 1;
    yield JSON.stringify({ step_id: 1, source: "user", message: agent?.task ?? "" });
  }
  const model = totals.model === undefined ? {} : { model_name: totals.model };
  yield `\n],"agent":${JSON.stringify({ name: agent?.name ?? "harness", version, ...model })}`;
  yield `,"final_metrics":${JSON.stringify(totals.finalMetrics(count))}`;
  const extra = { cwd: hide(header.cwd), ...(source.title && !agent ? { title: hide(source.title) } : {}) };
  if (!agent) yield `,"extra":${JSON.stringify(extra)}`;
  if (children.length > 0) {
    yield ',"subagent_trajectories":[';
    for (const [index, child] of children.entries()) {
      if (index > 0) yield ",\n";
      yield* trajectory(document, child);
    }
    yield "]";
  }
  yield "}";
}

function idOf(sessionId: string, agentId: string): string {
  return agentId === ROOT_AGENT ? sessionId : `${sessionId}/${agentId}`;
}

function* stepsOf(
  source: ExportSource,
  agent: ExportedAgent | undefined,
  { refs, totals }: { refs: ReadonlyMap<string, readonly string[]>; totals: Totals },
): Generator<AtifStep, void> {
  const wanted = agent?.agentId ?? ROOT_AGENT;
  const range = agent ? { after: agent.after, before: agent.before } : {};
  const steps = new AtifSteps({ refs, early: earlyResults(source.pages, wanted, range) });
  const shared = source.header.parent?.seq ?? 0;
  const isHidden = hiddenBy(source);
  const isAgentHidden = hiddenSubagents(source).has(wanted);
  for (const fact of exportedFacts(source, range)) {
    if (fact.agentId !== wanted) continue;
    const isRepeated = "fromFile" in fact.update && fact.update.fromFile?.of !== undefined;
    const isCopied = fact.seq <= shared || isRepeated;
    // Their cost counts in the session that made the requests.
    if (!isCopied) totals.add(fact);
    const marks = { isCopied, isRewound: isAgentHidden || isHidden(fact) };
    yield* steps.take(fact, marks);
  }
  yield* steps.end();
}

/** Calls that started before their reply was complete: their results may precede it. */
function earlyResults(pages: FactPages, agentId: string, range: { after?: number; before?: number }): Set<string> {
  const early = new Set<string>();
  for (const fact of factsOf(pages, { ...range, kinds: ["early_call"] })) {
    if (fact.agentId === agentId && fact.update.sessionUpdate === "early_call") early.add(fact.update.call.toolCallId);
  }
  return early;
}

/**
 * Usage and cost of all requests of an agent, including those without a step: summaries, failed requests, requests by
 * tools.
 */
class Totals {
  model: string | undefined;
  #usage: Usage = {};
  #cost: Cost = NO_COST;

  add({ update }: StoredFact): void {
    if (update.sessionUpdate === "agent_message") this.model = update.model;
    // For a turn or a subagent it is a sum of requests counted elsewhere.
    if (update.sessionUpdate === "state_update" || update.sessionUpdate === "subagent_update") return;
    // The cost of this reply is unknown.
    if (update.sessionUpdate === "agent_message" && update.cost === undefined)
      this.#cost = addCost(this.#cost, { usd: 0, unpricedRequests: 1 });
    if (!("usage" in update || "cost" in update)) return;
    this.#usage = addUsage(this.#usage, update.usage);
    this.#cost = addCost(this.#cost, update.cost);
  }

  finalMetrics(steps: number): Record<string, unknown> {
    const { prompt_tokens, completion_tokens, cached_tokens, cost_usd, extra } = metricsOf(this.#usage, this.#cost);
    return {
      ...(prompt_tokens === undefined ? {} : { total_prompt_tokens: prompt_tokens }),
      ...(completion_tokens === undefined ? {} : { total_completion_tokens: completion_tokens }),
      ...(cached_tokens === undefined ? {} : { total_cached_tokens: cached_tokens }),
      ...(cost_usd === undefined ? {} : { total_cost_usd: cost_usd }),
      total_steps: steps,
      ...(extra ? { extra } : {}),
    };
  }
}
