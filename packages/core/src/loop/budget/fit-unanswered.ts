import type { Shortening } from "@harness/protocol";
import { cutNote, savedFile, splitBudget } from "../../context/cut-result.ts";
import { fairShares } from "../../context/shrinking/fair-shares.ts";
import { canBeAskedAgain } from "../../context/shrinking/useless-results.ts";
import { messageChars } from "../../context/tokens/estimate-tokens.ts";
import { resultLimitChars, usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelMessage } from "../../ports/provider.ts";
import { pastResults } from "./past-results.ts";
import { recordShortening, type ShorteningOptions } from "./record-shortening.ts";

/** The shares of the usable window that new results together, and new messages together, may always fill. */
const RESULTS_SHARE = 0.4;
const MESSAGES_SHARE = 0.5;
/** They may fill it up to this share below the trigger of a compaction, if there is that much room. */
const MARGIN_SHARE = 0.05;
const LEAST_PER_TOKEN = 2;
/** A cut text keeps at least this, and a shorter one is not cut. */
const MIN_CHARS = 200;

/** A single text of a reply may fill this share of the usable window. */
const REPLY_SHARE = 0.4;

/** A text that may be cut. `again`: it can be requested again, so it need not be saved. */
type NewText = { text: string; at: Pick<Shortening, "toolCallId" | "seq" | "part">; again: boolean };

/**
 * Makes everything that the model has not answered yet fit into its context window before it is sent: results of one
 * reply that are too long together, and messages. They are sent with their beginning and end and the name of a file
 * with the full text, which is recorded as a fact. Throws `LogWriteError`.
 */
export function fitUnanswered(order: ShorteningOptions): void {
  const { agent, contextWindow } = order;
  const usable = usableTokens(contextWindow);
  const perToken = agent.requestChars / Math.max(1, agent.usedTokens);
  const unanswered = agent.projection.unanswered.map(({ message }) => message);
  const results = sumOf(unanswered.filter(({ role }) => role === "tool"));
  const room = usable * perToken;
  const fullShare = order.scope.settings.values.compact_trigger / 100 - MARGIN_SHARE;
  const most = Math.max(room * RESULTS_SHARE, room * fullShare - (agent.requestChars - results));
  if (results > most) cutTexts(order, newResults(order), { most, to: () => most });
  const { projection } = agent;
  const instructions = agent.requestChars - projection.chars;
  cutTexts(order, newMessages(order), {
    most: Math.max(room * MESSAGES_SHARE, room * fullShare - instructions),
    // Leaves room to read a long text in parts.
    to: () => resultLimitChars(contextWindow),
  });
}

/**
 * Shortens replies that fill the context window by themselves, such as one that ran to the limit of a server with a
 * larger window: nothing else would let the next request fit. Returns false if there are none. Throws `LogWriteError`.
 */
export function fitReplies(order: ShorteningOptions): boolean {
  const { agent, contextWindow } = order;
  const perToken = agent.requestChars / Math.max(1, agent.usedTokens);
  // Token counts of a request that was cut by its server do not tell how long a token is.
  const most = usableTokens(contextWindow) * Math.max(perToken, LEAST_PER_TOKEN) * REPLY_SHARE;
  const long = replyTexts(order).filter(({ text }) => text.length > most);
  if (long.length === 0) return false;
  return cutTexts(order, long, { most: 0, to: () => resultLimitChars(contextWindow) }, replyTitle);
}

/**
 * The provider refused what was estimated to fit: cuts texts to half their length. Returns false if there is nothing to
 * cut.
 */
export function halveTexts(order: ShorteningOptions): boolean {
  const texts = [...newResults(order), ...newMessages(order), ...replyTexts(order)];
  const half = texts.reduce((sum, { text }) => sum + text.length, 0) / 2;
  return cutTexts(order, texts, { most: Math.max(half, MIN_CHARS * 10), to: (most) => most });
}

/**
 * If they are longer than `most` characters together, they share what `to` returns. Returns false if nothing was cut.
 */
function cutTexts(
  order: ShorteningOptions,
  texts: readonly NewText[],
  { most, to }: { most: number; to(most: number): number },
  title = titleFor,
): boolean {
  const needs = texts.map(({ text }) => text.length);
  if (needs.reduce((sum, need) => sum + need, 0) <= most) return false;
  const shares = fairShares(needs, to(most));
  const { log } = order.scope.ports;
  const shortened: Shortening[] = [];
  let savedChars = 0;
  texts.forEach(({ text, at, again }, index) => {
    const keep = Math.max(MIN_CHARS, shares[index] ?? 0);
    // The note takes some room itself.
    if (text.length <= keep + MIN_CHARS) return;
    const saved = savedFile(text) ?? (again ? undefined : log.saveText(text));
    const note = cutNote(text, text.length - keep, saved);
    shortened.push({ ...at, ...splitBudget(keep), note });
    savedChars += text.length - keep - note.length;
  });
  if (shortened.length === 0) return false;
  recordShortening(order, { reason: "too_long", title: () => title(shortened), shortened, savedChars });
  return true;
}

function titleFor(shortened: readonly Shortening[]): string {
  const messages = shortened.filter(({ seq }) => seq !== undefined);
  if (messages.length === 0)
    return `${shortened.length === 1 ? "A tool result was" : `${shortened.length} tool results were`} too long for the context window: the model gets the beginning and the end, and can read the rest.`;
  const path = savedFile(messages[0]?.note ?? "") ?? "";
  return `The message was too long for the context window: the model gets its beginning and end, and can read the rest in ${path}.`;
}

function replyTitle(shortened: readonly Shortening[]): string {
  const what = shortened.length === 1 ? "A reply was" : "Replies were";
  return `${what} too long for the context window: the model gets the beginning and the end, and can read the rest.`;
}

function newResults({ scope, agent }: ShorteningOptions): NewText[] {
  return pastResults(agent, scope.ports.log.header.cwd)
    .filter(({ age }) => age === 0)
    .map((result) => ({
      text: result.text,
      at: { toolCallId: result.toolCallId },
      again: canBeAskedAgain(result),
    }));
}

function newMessages({ agent }: ShorteningOptions): NewText[] {
  return agent.projection.unanswered.flatMap(({ message, seq }) => {
    if (message.role !== "user") return [];
    const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    return texts.map((text, part) => ({ text, at: { seq, part }, again: false }));
  });
}

/** Texts and thoughts of all replies; estimates leave thoughts out, because most vendors do. */
function replyTexts({ agent }: ShorteningOptions): NewText[] {
  const { projection } = agent;
  return projection.messages.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    const texts = message.parts.filter((part) => part.type !== "tool_call");
    return texts.map(({ text }, part) => ({ text, at: { seq: projection.seqAt(index), part }, again: false }));
  });
}

function sumOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + messageChars(message), 0);
}
