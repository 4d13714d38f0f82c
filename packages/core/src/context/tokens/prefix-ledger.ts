import type { PrefixBreak, PrefixReport } from "@harness/protocol";
import { shortList } from "@harness/protocol";
import type { ModelMessage, ToolSpec } from "../../ports/provider.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { minTokens } from "./min-tokens.ts";
import {
  type AddedWeight,
  type MessageSum,
  minus,
  NO_MESSAGES,
  plusMessage,
  type RequestWeight,
} from "./request-weight.ts";

/** The parts of a request that decide whether its beginning is in a prompt cache. */
export type SentRequest = {
  /** A different model shares no cache. */
  provider: string;
  model: string;
  /** A local server reloads the model for a different context window. */
  contextWindow: number;
  system: string;
  tools: readonly ToolSpec[];
  messages: readonly ModelMessage[];
};

type RequestRecord = SentRequest & {
  toolsText: string;
  /** The minimum tokens of the system text. */
  systemTokens: number;
  marks: Mark[];
};

/** The position after a message: its end in the JSON of all messages, and the sums up to there. */
type Mark = { end: number; sum: MessageSum };

/** How much of an agent's request is a prefix of its previous one, and the weight of the request. */
type RequestComparison = {
  /** Undefined for the first request, which has no predecessor. */
  prefix: PrefixReport | undefined;
  weight: RequestWeight;
};

type Difference = Pick<PrefixBreak, "section" | "offset"> & { kept: number };

/**
 * Compares each request of an agent with its previous one. The same message object means the same text, so only new
 * messages are measured, and only a differing message is read up to the difference.
 */
export class PrefixLedger {
  #last: RequestRecord | undefined;
  #expected: { cause: string; from: "start" | "messages" } | undefined;

  /** Announces why the next request may differ from the previous one: from its start, or in its messages only. */
  expect(cause: string, from: "start" | "messages"): void {
    if (this.#expected?.from !== "start") this.#expected = { cause, from };
  }

  take(request: SentRequest): RequestComparison {
    const last = this.#last;
    const { sent, kept } = measure(request, last);
    const prefix = last && this.#compare(last, sent, kept);
    this.#last = sent;
    this.#expected = undefined;
    return { prefix, weight: weightOf(sent, prefix?.break ? undefined : addedTo(last, sent)) };
  }

  #compare(last: RequestRecord, sent: RequestRecord, kept: number): PrefixReport {
    const expected = this.#expected;
    const of = last.system.length + last.toolsText.length + messagesLength(last);
    const other = otherModel(last, sent);
    if (other) return { kept: 0, of, break: { section: "system", offset: 0, cause: other } };
    const difference = firstDifference(last, sent, kept);
    if (!difference) return { kept: of, of };
    const { section, offset } = difference;
    const isExpected = expected && (expected.from === "start" || section === "messages");
    const cause = isExpected ? expected.cause : causeOf(section, last, sent);
    return { kept: difference.kept, of, break: { section, offset, cause } };
  }
}

/** The reason why no cache can be reused, whatever the request begins with. */
function otherModel(last: RequestRecord, sent: RequestRecord): string | undefined {
  if (last.provider !== sent.provider || last.model !== sent.model) return "the model changed";
  return last.contextWindow === sent.contextWindow ? undefined : "the context window changed";
}

function weightOf(
  { system, toolsText, systemTokens, contextWindow, marks }: RequestRecord,
  added: AddedWeight | undefined,
) {
  const { estimatedTokens, minTokens: ofMessages } = sumOf(marks);
  const weight: RequestWeight = {
    estimatedTokens: estimateTokens(system.length + toolsText.length) + estimatedTokens,
    minTokens: systemTokens + ofMessages,
    contextWindow,
  };
  return added ? { ...weight, added } : weight;
}

/** The weight of the messages that are new in this request. */
function addedTo(last: RequestRecord | undefined, { messages, marks }: RequestRecord): AddedWeight {
  if (last) return { ...minus(sumOf(marks), sumOf(last.marks)), isFirst: false };
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  return { ...minus(sumOf(marks), marks[lastReply - 1]?.sum ?? NO_MESSAGES), isFirst: true };
}

function sumOf(marks: readonly Mark[]): MessageSum {
  return marks.at(-1)?.sum ?? NO_MESSAGES;
}

function causeOf(section: PrefixBreak["section"], last: RequestRecord, sent: RequestRecord): string {
  if (section === "system") return "the system text changed";
  return section === "tools" ? toolsCause(last.tools, sent.tools) : "earlier messages changed";
}

/** Measures the request; `kept`: how many messages it shares with the previous one. */
function measure(request: SentRequest, last: RequestRecord | undefined): { sent: RequestRecord; kept: number } {
  const { system, tools, messages } = request;
  const toolsText = last?.tools === tools ? last.toolsText : JSON.stringify(tools);
  const systemTokens = last?.system === system ? last.systemTokens : minTokens(system);
  let kept = 0;
  while (last && kept < messages.length && isSame(messages[kept], last.messages[kept])) kept += 1;
  const marks = last ? last.marks.slice(0, kept) : [];
  for (const message of messages.slice(kept)) {
    // An opening bracket before the first message, a comma before each later one.
    const end = (marks.at(-1)?.end ?? 0) + 1 + JSON.stringify(message).length;
    marks.push({ end, sum: plusMessage(sumOf(marks), message) });
  }
  return { sent: { ...request, toolsText, systemTokens, marks }, kept };
}

/** A different object may hold the same message: a step implemented by a program returns copies. */
function isSame(message: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
  if (message === other) return true;
  return message !== undefined && other !== undefined && JSON.stringify(message) === JSON.stringify(other);
}

/** Length of the messages' JSON without the closing bracket, because more messages may follow. */
function messagesLength({ marks }: RequestRecord): number {
  return marks.at(-1)?.end ?? 1;
}

function firstDifference(last: RequestRecord, sent: RequestRecord, keptMessages: number): Difference | undefined {
  if (last.system !== sent.system) {
    const offset = commonLength(last.system, sent.system);
    return { section: "system", offset, kept: offset };
  }
  const system = last.system.length;
  if (last.toolsText !== sent.toolsText) {
    const offset = commonLength(last.toolsText, sent.toolsText);
    return { section: "tools", offset, kept: system + offset };
  }
  if (keptMessages === last.messages.length) return undefined;
  const before = last.marks[keptMessages - 1]?.end ?? 0;
  const [one, other] = [last.messages[keptMessages], sent.messages[keptMessages]];
  // With no further message, the JSON ends here with a bracket.
  const offset = before + (other ? 1 + commonLength(JSON.stringify(one), JSON.stringify(other)) : 0);
  return { section: "messages", offset, kept: system + last.toolsText.length + offset };
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length += 1;
  return length;
}

function toolsCause(before: readonly ToolSpec[], now: readonly ToolSpec[]): string {
  const names = (tools: readonly ToolSpec[]) => new Set(tools.map(({ name }) => name));
  const [old, fresh] = [names(before), names(now)];
  const added = [...fresh].filter((name) => !old.has(name));
  const removed = [...old].filter((name) => !fresh.has(name));
  const changes = [
    ...(added.length > 0 ? [`${namesWithVerb(added)} added`] : []),
    ...(removed.length > 0 ? [`${namesWithVerb(removed)} removed`] : []),
  ];
  if (changes.length === 0) return "the list of tools changed: its order or its descriptions";
  return `the list of tools changed: ${changes.join(", ")}`;
}

function namesWithVerb(names: string[]): string {
  return `${shortList(names, 5)} ${names.length === 1 ? "was" : "were"}`;
}
