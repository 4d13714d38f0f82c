import type { UpdateOf } from "@harness/protocol";
import { dateNote } from "../../context/conversation/date-note.ts";
import { type KeptPart, keptChars, keptPart } from "../../context/conversation/kept-part.ts";
import {
  quotedPrompts,
  SUMMARY_SYSTEM,
  summaryMessage,
  summaryRequestText,
  transcriptOf,
} from "../../context/conversation/summary-text.ts";
import { estimateTokens, messageChars } from "../../context/tokens/estimate-tokens.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice, ModelRequest } from "../../ports/provider.ts";
import type { Agent } from "../turn/agent.ts";
import type { Scope } from "../turn/scope.ts";
import type { Turn } from "../turn/turn.ts";
import { type Spent, type Summary, type SummaryRequest, summarize } from "./summarize.ts";

export type CompactRequest = {
  reason: UpdateOf<"compaction_update">["reason"];
  /** Instructions of the person on what to keep. */
  focus?: string;
  signal: AbortSignal;
  /** The turn that pays for it; absent between two turns. */
  turn?: Turn;
};

/** A compaction under way. */
type Work = { scope: Scope; agent: Agent; choice: ModelChoice; order: CompactRequest };

type Plan = { part: KeptPart; quoted: string };

export type Compacted = { tokensBefore: number; tokensAfter: number } | { problem: string };

/** A summary has about so many characters, as it is asked for. */
const USUAL_SUMMARY_CHARS = 4_800;
const MAX_SUMMARY_TOKENS = 4_096;

/**
 * Replaces the older messages by a summary that the model writes. The compaction is a fact of the log; on a failure
 * nothing changes and the problem is described. Throws `LogWriteError`.
 */
export async function compactAgent(
  scope: Scope,
  agent: Agent,
  choice: ModelChoice,
  order: CompactRequest,
): Promise<Compacted> {
  const work: Work = { scope, agent, choice, order };
  const { reason, focus, turn } = order;
  const { projection, agentId } = agent;
  const planned = plan(work);
  if (planned === undefined) {
    const problem = "There is nothing to compact yet: the last exchanges are kept as they are.";
    return reportFailure(work, problem, undefined);
  }
  const tokensBefore = agent.usedTokens;
  const compactionId = scope.ports.runtime.ids.next("compaction");
  const { from, shortenTo } = planned.part;
  const request = summaryRequest(agent, choice, from, focus);
  const summary = await askSummary(work, request, compactionId);
  const { spent } = summary;
  if (spent) turn?.spend(spent.usage, spent.cost);
  if ("problem" in summary) return reportFailure(work, summary.problem, spent);
  const today = scope.ports.requests.today();
  const text = `${summary.text}${planned.quoted}${today === "" ? "" : `\n\n${dateNote(today)}`}`;
  const replaced = agent.requestChars - projection.chars + messageChars(summaryMessage(text));
  const tokensAfter = estimateTokens(replaced + keptChars(projection.messages, planned.part));
  scope.journal.append({
    agentId,
    ...(turn ? { turnId: turn.turnId } : {}),
    update: {
      sessionUpdate: "compaction_update",
      compactionId,
      reason,
      summary: text,
      keepFromSeq: projection.seqAt(from),
      ...(shortenTo > from ? { shortened: shortenTo - from } : {}),
      tokensBefore,
      tokensAfter,
      ...spent,
    },
  });
  agent.conversationCompacted();
  scope.requests.system.forget();
  return { tokensBefore, tokensAfter };
}

/** What is kept, and the quoted messages of the person before it; undefined: there is nothing to compact. */
function plan({ scope, agent, choice, order }: Work): Plan | undefined {
  const { projection } = agent;
  const { messages, prompts, promptIndexes, chars } = projection;
  const { compactTarget, compactTrigger } = scope.settings;
  const contextWindow = choice.contextWindow.tokens;
  // By what the provider counted, where it has: code and other languages have fewer characters a token than estimates take.
  const charsPerToken = agent.requestChars / Math.max(1, agent.usedTokens);
  const usable = usableTokens(contextWindow) * charsPerToken;
  const target = (usable * compactTarget) / 100;
  const besides = agent.requestChars - chars + Math.min(USUAL_SUMMARY_CHARS, target / 4);
  const quotes = (from: number): string => {
    const seq = projection.seqAt(from);
    const earlier = prompts.filter((prompt) => prompt.seq < seq).map(({ text }) => text);
    return quotedPrompts(earlier, (contextWindow / 10) * charsPerToken);
  };
  const roomOf = (share: number) => Math.max(share - besides, share / 4);
  // The provider refused what was estimated to fit, so the estimates are of no use.
  const most = order.reason === "overflow" ? Math.min(roomOf(target), chars / 2) : roomOf(target);
  const part = keptPart({
    messages,
    prompts: promptIndexes,
    // An earlier summary alone is not worth another one.
    least: projection.startsWithSummary ? 2 : 1,
    room: (from) => most - quotes(from).length,
    maxChars: roomOf((usable * compactTrigger) / 100),
  });
  return part && { part, quoted: quotes(part.from) };
}

function summaryRequest(agent: Agent, choice: ModelChoice, boundary: number, focus: string | undefined): ModelRequest {
  const contextWindow = choice.contextWindow.tokens;
  const maxOutputTokens = Math.min(MAX_SUMMARY_TOKENS, Math.floor(contextWindow / 4));
  // Three characters a token, and room for the instructions: an estimate on the safe side.
  const maxChars = Math.max(2_000, (usableTokens(contextWindow) - 500) * 3);
  const transcript = transcriptOf(agent.projection.messages.slice(0, boundary), maxChars);
  return {
    model: choice.model,
    system: SUMMARY_SYSTEM,
    messages: [{ role: "user", content: [{ type: "text", text: summaryRequestText(transcript, focus) }] }],
    tools: [],
    maxOutputTokens,
    contextWindow,
    priority: "background",
    ...(choice.effort ? { effort: choice.effort } : {}),
  };
}

/** Shows the status of the request while it runs; its text is not shown. */
async function askSummary(
  { scope, agent: { agentId }, choice, order: { signal, turn } }: Work,
  request: ModelRequest,
  messageId: string,
): Promise<Summary> {
  let isShown = false;
  const show = (status: Omit<UpdateOf<"request_status">, "sessionUpdate" | "messageId">) =>
    scope.journal.delta(agentId, turn?.turnId, { sessionUpdate: "request_status", messageId, ...status });
  const onStatus: SummaryRequest["onStatus"] = ({ type: _, ...status }) => {
    isShown = true;
    show(status);
  };
  const summary = await summarize({ scope, choice, request, signal, onStatus });
  if (isShown) show({ phase: "ended" });
  return summary;
}

/**
 * Notifies people where no caller awaits the answer, and where the attempt has cost something that must be in the sums.
 */
function reportFailure({ scope, agent, order }: Work, problem: string, spent: Spent | undefined): Compacted {
  const { reason, signal, turn } = order;
  if (!spent && (reason !== "auto" || signal.aborted)) return { problem };
  scope.journal.append({
    agentId: agent.agentId,
    ...(turn ? { turnId: turn.turnId } : {}),
    update: {
      sessionUpdate: "notice",
      severity: "warning",
      title: "Older messages were not summarised.",
      description: problem,
      ...spent,
    },
  });
  return { problem };
}
