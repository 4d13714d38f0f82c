import type { PrefixBreak, PrefixReport } from "@harness/protocol";
import type { ModelMessage, ToolSpec } from "../ports/provider.ts";

/** What of a request a server's cache goes by. */
export type SentRequest = {
  /** Who is asked: another model has nothing of it in its cache. */
  provider: string;
  model: string;
  system: string;
  tools: readonly ToolSpec[];
  messages: readonly ModelMessage[];
};

type Sent = SentRequest & {
  toolsText: string;
  /** Where each message ends in the JSON of all messages. */
  ends: number[];
};

type Difference = Pick<PrefixBreak, "section" | "offset"> & { kept: number };

/**
 * Compares each request of an agent with its last one. A message that is the same object is the same text: only what is
 * new is measured, and only a message that differs is read to the place where it does.
 */
export class PrefixLedger {
  #last: Sent | undefined;
  #expected: { cause: string; from: "start" | "messages" } | undefined;

  /** Says, in words, why the next request may differ from the last one: from its start on, or in its messages only. */
  expect(cause: string, from: "start" | "messages"): void {
    if (this.#expected?.from !== "start") this.#expected = { cause, from };
  }

  /** Undefined for the first request: there is nothing to compare it with. */
  take(request: SentRequest): PrefixReport | undefined {
    const last = this.#last;
    const expected = this.#expected;
    const { sent, kept } = measured(request, last);
    this.#last = sent;
    this.#expected = undefined;
    if (!last) return undefined;
    const of = last.system.length + last.toolsText.length + messagesLength(last);
    if (last.provider !== request.provider || last.model !== request.model) {
      return { kept: 0, of, break: { section: "system", offset: 0, cause: "the model changed" } };
    }
    const difference = firstDifference(last, sent, kept);
    if (!difference) return { kept: of, of };
    const { section, offset } = difference;
    const isExpected = expected && (expected.from === "start" || section === "messages");
    const cause = isExpected ? expected.cause : causeOf(section, last, sent);
    return { kept: difference.kept, of, break: { section, offset, cause } };
  }
}

function causeOf(section: PrefixBreak["section"], last: Sent, sent: Sent): string {
  if (section === "system") return "the system text changed";
  return section === "tools" ? toolsCause(last.tools, sent.tools) : "earlier messages changed";
}

/** The request with its lengths; `kept` = how many messages it has in common with the last one. */
function measured(request: SentRequest, last: Sent | undefined): { sent: Sent; kept: number } {
  const { tools, messages } = request;
  const toolsText = last?.tools === tools ? last.toolsText : JSON.stringify(tools);
  let kept = 0;
  while (last && kept < messages.length && isSame(messages[kept], last.messages[kept])) kept += 1;
  const ends = last ? last.ends.slice(0, kept) : [];
  for (const message of messages.slice(kept)) {
    // A bracket before the first one, a comma before each other.
    ends.push((ends.at(-1) ?? 0) + 1 + JSON.stringify(message).length);
  }
  return { sent: { ...request, toolsText, ends }, kept };
}

/** Another object may still hold the same: a step that is a program of its own hands on copies. */
function isSame(message: ModelMessage | undefined, other: ModelMessage | undefined): boolean {
  if (message === other) return true;
  return message !== undefined && other !== undefined && JSON.stringify(message) === JSON.stringify(other);
}

/** Of the JSON of the messages, without the bracket at its end: more may follow. */
function messagesLength({ ends }: Sent): number {
  return ends.at(-1) ?? 1;
}

function firstDifference(last: Sent, sent: Sent, keptMessages: number): Difference | undefined {
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
  const before = last.ends[keptMessages - 1] ?? 0;
  const [one, other] = [last.messages[keptMessages], sent.messages[keptMessages]];
  // Without another message the JSON ends here with a bracket.
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
    ...(added.length > 0 ? [`${listed(added)} added`] : []),
    ...(removed.length > 0 ? [`${listed(removed)} removed`] : []),
  ];
  if (changes.length === 0) return "the list of tools changed: other order or other words";
  return `the list of tools changed: ${changes.join(", ")}`;
}

function listed(names: string[]): string {
  const shown = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return `${shown}${more} ${names.length === 1 ? "was" : "were"}`;
}
