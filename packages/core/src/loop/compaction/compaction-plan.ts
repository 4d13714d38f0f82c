import type { UpdateOf } from "@harness/protocol";
import { missingPins, type Pins } from "../../context/compaction/pins.ts";
import { type KeptPart, keptChars, keptPart } from "../../context/conversation/kept-part.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";

/** The part that is kept, the pins for the rest, and how many characters they may take. */
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
  /** Everything but the last exchange goes. */
  keepsLast?: true | undefined;
  /** The length of the summary where it is written already; what it left of its share is for the last exchanges. */
  summaryChars?: number | undefined;
};

/** A summary has about so many characters, as it is asked for. */
const USUAL_SUMMARY_CHARS = 4_800;
const MAX_READ_FILES = 20;
/** The share of their room that pins have in any case; the rest of it is first for the last exchanges. */
const PINS_FIRST_SHARE = 1 / 4;
/** Of what a provider refused, a summary and the pins behind it may each have this share. */
const OVERFLOW_SHARE = 0.15;

const NO_PINS: Pins = { prompts: [], agents: [], todos: [], files: [] };

/** The result of a compaction now; undefined: there is nothing to compact. */
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
  // By what the provider counted, where it has: code and other languages have fewer characters a token than estimates take.
  const charsPerToken = agent.requestChars / Math.max(1, agent.usedTokens);
  const usable = usableTokens(contextWindow) * charsPerToken;
  const target = (usable * compactTarget) / 100;
  const trigger = (usable * compactTrigger) / 100;
  // Half of the way from the target to the next compaction.
  const full = (target + trigger) / 2;
  const instructions = agent.requestChars - chars;
  const leastSummary = Math.min(USUAL_SUMMARY_CHARS, target / 4);
  const besides = instructions + Math.min(leastSummary, summaryChars ?? leastSummary);
  // The replacement must be shorter than the messages it replaces, whatever size the window is believed to be.
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

/** The unanswered end of the conversation, with the calls whose results are in it; undefined: nothing precedes it. */
function lastExchange(messages: Agent["projection"]["messages"]): KeptPart | undefined {
  const reply = messages.findLastIndex(({ role }) => role === "assistant");
  const from = messages[reply + 1]?.role === "tool" ? reply : reply + 1;
  return from > 0 && from < messages.length ? { from, shortenTo: from } : undefined;
}

/** The plan for a part that was chosen. */
function planFrom({ scope, agent }: Pick<PlanOptions, "scope" | "agent">, part: KeptPart, maxPinChars: number) {
  return { part, pins: pinsOf(scope, agent, part.from), maxPinChars };
}

/** The same plan where everything from another message on is kept whole. */
export function planKeepingFrom(
  options: Pick<PlanOptions, "scope" | "agent">,
  from: number,
  plan: CompactionPlan,
): CompactionPlan {
  return { ...plan, ...planFrom(options, { from, shortenTo: from }, plan.maxPinChars) };
}

/** The facts that a summary of the messages before this one must keep. */
function pinsOf({ journal, ports }: Scope, agent: Agent, from: number): Pins {
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

/** Those that were changed first, the newest first; those in the folder of the session are named from there. */
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

/** Counts the characters of the pins of what is before a message. They change only from one prompt to the next. */
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
