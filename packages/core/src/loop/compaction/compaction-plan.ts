import type { UpdateOf } from "@harness/protocol";
import { missingPins, type Pins } from "../../context/compaction/pins.ts";
import { type KeptPart, keptChars, keptPart } from "../../context/conversation/kept-part.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";

/** The part that is kept, the pins for the rest, and how many characters the pins may take. */
export type CompactionPlan = {
  part: KeptPart;
  pins: Pins;
  maxPinChars: number;
  /** How many tokens requests may have after it. */
  targetTokens: number;
  /** A longer summary would fill the context window so far that the next compaction follows at once. */
  maxSummaryChars: number;
};

type PlanOptions = {
  scope: Scope;
  agent: Agent;
  contextWindow: number;
  reason: UpdateOf<"compaction_update">["reason"];
  /** Removes everything but the last exchange. */
  keepsLast?: true | undefined;
  /** The length of the summary if it is already written; the last exchanges get the rest of its share. */
  summaryChars?: number | undefined;
};

/** The approximate length of a summary, as requested from the model. */
const USUAL_SUMMARY_CHARS = 4_800;
const MAX_READ_FILES = 20;
/** The share of their room that pins always have; the last exchanges have priority for the rest. */
const PINS_FIRST_SHARE = 1 / 4;
/** A summary and the pins after it may each have this share of what a provider refused. */
const OVERFLOW_SHARE = 0.15;

const NO_PINS: Pins = { prompts: [], agents: [], todos: [], files: [] };

/** The plan for a compaction now; undefined if there is nothing to compact. */
export function compactionPlan({
  scope,
  agent,
  contextWindow,
  reason,
  keepsLast,
  summaryChars,
}: PlanOptions): CompactionPlan | undefined {
  const { projection } = agent;
  const { messages, promptIndexes, chars } = projection;
  const { compact_target: compactTarget, compact_trigger: compactTrigger } = scope.settings.values;
  // Based on the provider's count, if there is one: code and other languages have fewer characters per token than
  // estimates assume.
  const charsPerToken = agent.requestChars / Math.max(1, agent.usedTokens);
  const usable = usableTokens(contextWindow) * charsPerToken;
  const target = (usable * compactTarget) / 100;
  const trigger = (usable * compactTrigger) / 100;
  // Halfway from the target to the next compaction.
  const full = (target + trigger) / 2;
  const instructions = agent.requestChars - chars;
  const leastSummary = Math.min(USUAL_SUMMARY_CHARS, target / 4);
  const besides = instructions + Math.min(leastSummary, summaryChars ?? leastSummary);
  // The replacement must be shorter than the messages it replaces, whatever the window size is believed to be.
  const most = reason === "overflow" ? chars * OVERFLOW_SHARE : Number.POSITIVE_INFINITY;
  const mostPinChars = Math.min((contextWindow / 10) * charsPerToken, most);
  const leastPinChars = mostPinChars * PINS_FIRST_SHARE;
  const pinChars = pinCounter(scope, agent, leastPinChars);
  const roomOf = (share: number) => Math.max(share - besides, share / 4);
  // The provider refused what was estimated to fit, so the estimates are of no use.
  const room = reason === "overflow" ? Math.min(roomOf(target), chars / 2) : roomOf(target);
  // An earlier summary alone is not worth summarising again.
  const least = projection.compaction ? 2 : 1;
  const part = keepsLast
    ? lastExchange(messages)
    : keptPart({
        messages,
        prompts: promptIndexes,
        least,
        room: (from) => room - pinChars(from),
        maxChars: roomOf(trigger),
        ...(reason !== "overflow" && { maxCharsOfTwo: full - besides - leastPinChars }),
      });
  if (part === undefined) return undefined;
  const kept = keptChars(messages, part);
  const left = full - instructions - kept - pinChars(part.from);
  const besideSummary = full - instructions - kept - (summaryChars ?? leastSummary);
  const maxPinChars = Math.max(leastPinChars, Math.min(mostPinChars, room - kept, besideSummary));
  return {
    ...planFrom({ scope, agent }, part, maxPinChars),
    ...(keepsLast && { pins: NO_PINS }),
    targetTokens: target / charsPerToken,
    maxSummaryChars: Math.floor(Math.min(Math.max(leastSummary, left), most)),
  };
}

/** The unanswered end of the conversation, with the calls whose results are in it; undefined if nothing precedes it. */
function lastExchange(messages: Agent["projection"]["messages"]): KeptPart | undefined {
  const reply = messages.findLastIndex(({ role }) => role === "assistant");
  const from = messages[reply + 1]?.role === "tool" ? reply : reply + 1;
  return from > 0 && from < messages.length ? { from, shortenTo: from } : undefined;
}

/** The plan for a chosen part. */
function planFrom({ scope, agent }: Pick<PlanOptions, "scope" | "agent">, part: KeptPart, maxPinChars: number) {
  return { part, pins: pinsOf(scope, agent, part.from), maxPinChars };
}

/** The same plan with everything from a different message on kept whole. */
export function planKeepingFrom(
  options: Pick<PlanOptions, "scope" | "agent">,
  from: number,
  plan: CompactionPlan,
): CompactionPlan {
  return { ...plan, ...planFrom(options, { from, shortenTo: from }, plan.maxPinChars) };
}

/** The facts that a summary of the messages before this one must keep. */
export function pinsOf({ journal, ports }: Scope, agent: Agent, from: number): Pins {
  const { agentId } = agent;
  const { agents } = journal.state;
  const children = [...agents.values()].filter((each) => each.parentAgentId === agentId);
  return {
    prompts: promptsBefore(agent, from),
    agents: children.flatMap(({ run, agentId: id, task = "" }) => (run === "running" ? [{ agentId: id, task }] : [])),
    todos: agents.get(agentId)?.todos ?? [],
    files: filesOf(agent, ports.log.header.cwd),
  };
}

/** Files that were changed come first, the newest first; paths below the session's folder are relative. */
function filesOf({ files }: Agent, cwd: string): string[] {
  const shown = (path: string) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
  const changes = files.changes.map(({ path, how }) => `${shown(path)} (${how})`);
  const changed = new Set(files.changes.map(({ path }) => path));
  const read = files.inPlay(MAX_READ_FILES).flatMap(({ path }) => (changed.has(path) ? [] : [shown(path)]));
  return [...changes, ...read];
}

function promptsBefore({ projection }: Agent, from: number): string[] {
  const seq = projection.seqAt(from);
  return projection.prompts.filter((prompt) => prompt.seq < seq).map(({ text }) => text);
}

/** Counts the characters of the pins for everything before a message. They change only from one prompt to the next. */
function pinCounter(scope: Scope, agent: Agent, maxChars: number): (from: number) => number {
  const state = { ...pinsOf(scope, agent, agent.projection.messages.length), prompts: [] };
  const stateChars = missingPins(state, "", maxChars).text.length;
  const counted = new Map<number, number>();
  return (from) => {
    const prompts = promptsBefore(agent, from);
    const known = counted.get(prompts.length);
    if (known !== undefined) return known;
    const pins: Pins = { ...NO_PINS, prompts };
    const chars = stateChars + missingPins(pins, "", maxChars).text.length;
    counted.set(prompts.length, chars);
    return chars;
  };
}
