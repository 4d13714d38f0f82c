import { amount, type Content, quotedAttribute, taggedText } from "@harness/protocol";
import { CallTable } from "./call-table.ts";
import { shownValue } from "./json-values.ts";

/** Longer results are cut: what was said matters more than what tools printed. */
const MAX_RESULT_CHARS = 4_000;
/** A longer message of the agent is split. */
const MAX_MESSAGE_CHARS = 200_000;
const MAX_IMAGE_CHARS = 7_000_000;
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** The kinds of content that an import may leave out, with their plurals. */
const LEFT = {
  thought: "thoughts",
  summary: "summaries",
  picture: "pictures",
  "picture of a result": "pictures of results",
  attachment: "attachments",
  "slash command": "slash commands",
  "system message": "system messages",
  "failed request": "failed requests",
  "message of a subagent": "messages of subagents",
  "conversation of a subagent": "conversations of subagents",
  "history of another session": "histories of other sessions",
  "message of another branch": "messages of other branches",
  "rolled back message": "rolled back messages",
  "message of an unknown kind": "messages of unknown kinds",
  "line that cannot be read": "lines that cannot be read",
} as const;
export type LeftOut = keyof typeof LEFT;

export type ImportedMessage = {
  readonly by: "person" | "agent";
  readonly at: string | undefined;
  readonly model: string | undefined;
  readonly content: Content[];
};

/** Content that was left out or cut. */
export type ImportLosses = {
  readonly left: ReadonlyMap<LeftOut, number>;
  /** How many long texts were cut to their beginning. */
  readonly shortened: number;
};

type Moment = { at?: string | undefined; model?: string | undefined };

/** The outcome of a call. */
export type ImportedResult = { readonly text: string; readonly isError?: boolean };

export type ImportDraftOptions = {
  /** Gets each message as soon as it is complete. Absent: messages are counted only, and their content is not kept. */
  visit?: (message: ImportedMessage) => void;
  /** The numbers of messages that are taken back later, as counted by an earlier draft of the same conversation. */
  takenBack?: ReadonlySet<number>;
};

/**
 * Receives a conversation, with one message in memory at a time: everything the agent says and does between two
 * messages of the user becomes one message, or several if it is very long.
 */
export class ImportDraft {
  title: string | undefined;
  cwd: string | undefined;
  /** The origin, if it differs from the usual one of this format. */
  from: string | undefined;
  /** The time at which the conversation begins. */
  startedAt: string | undefined;
  shortened = 0;
  readonly left = new Map<LeftOut, number>();
  /** The numbers of the messages that were taken back. */
  readonly takenBack = new Set<number>();
  readonly #options: ImportDraftOptions;
  /** The numbers of the messages so far, without those taken back, and which of them are the user's. */
  readonly #messages: number[] = [];
  readonly #isPerson: boolean[] = [];
  /** Of the last message. */
  #chars = 0;
  /** The last message that stays; what follows may belong to it. */
  #open: { number: number; message: ImportedMessage } | undefined;
  readonly #calls = new CallTable();

  constructor(options: ImportDraftOptions = {}) {
    this.#options = options;
  }

  get messageCount(): number {
    return this.#messages.length;
  }

  person(text: string, moment: Moment = {}, images: readonly Content[] = []): void {
    const content = [...textPart(text), ...images];
    if (content.length === 0) return;
    this.#addResults(this.#calls.rest(), moment);
    this.#add("person", content, moment);
  }

  agent(text: string, moment: Moment = {}): void {
    if (text.trim() === "") return;
    this.#addResults(this.#calls.rest(), moment);
    this.#add("agent", agentPart(text), moment);
  }

  call(id: string, name: string, input: unknown, moment: Moment = {}): void {
    if (id !== "") this.#addResults(this.#calls.add(id, name), moment);
    const tagged = taggedText("call", toolAttribute(name), fenced(this.#clipped(shownValue(input))));
    this.#add("agent", agentPart(tagged), moment);
  }

  /** Text that neither the user nor the agent wrote, in tags that show where it ends, whatever it contains. */
  result(id: string, { text, isError = false }: ImportedResult, moment: Moment = {}): void {
    const attributes = [toolAttribute(this.#calls.nameOf(id)), isError ? 'status="failed"' : ""];
    const tagged = taggedText("result", attributes.filter(Boolean).join(" "), fenced(this.#clipped(text.trimEnd())));
    this.#addResults(this.#calls.answered(id, tagged), moment);
  }

  /** Text that the program gave to the agent in the user's name, such as the end of a background command. */
  notice(text: string, moment: Moment = {}): void {
    if (text.trim() === "") return;
    this.#addResults(this.#calls.rest(), moment);
    this.#add("agent", agentPart(taggedText("notice", "", fenced(this.#clipped(text.trim())))), moment);
  }

  /** A picture, or nothing if it cannot be kept. */
  image(mimeType: string, data: string): Content[] {
    if (PICTURE.test(mimeType) && data.length <= MAX_IMAGE_CHARS && /^[A-Za-z0-9+/]+=*$/.test(data))
      return [{ type: "image", mimeType, data }];
    this.leave("picture");
    return [];
  }

  leave(what: LeftOut, count = 1): void {
    if (count > 0) this.left.set(what, (this.left.get(what) ?? 0) + count);
  }

  /** Takes back the last messages of the user, and everything after them. */
  rollBack(count: number): void {
    this.#addResults(this.#calls.rest(), {});
    for (let left = count; left > 0; ) {
      const last = this.#messages.pop();
      if (last === undefined) return;
      this.leave("rolled back message");
      this.takenBack.add(last);
      this.#chars = 0;
      if (this.#isPerson[last]) left -= 1;
    }
  }

  /** Call at the end of the conversation: completes the last message. */
  end(): void {
    this.#addResults(this.#calls.rest(), {});
    this.#handOver();
  }

  #handOver(): void {
    if (this.#open) this.#options.visit?.(this.#open.message);
    this.#open = undefined;
  }

  #addResults(results: readonly string[], moment: Moment): void {
    for (const result of results) this.#add("agent", agentPart(result), moment);
  }

  #clipped(text: string): string {
    if (text.length <= MAX_RESULT_CHARS) return text;
    this.shortened += 1;
    return `${text.slice(0, MAX_RESULT_CHARS)}… (${text.length} characters)`;
  }

  #add(by: ImportedMessage["by"], content: readonly Content[], moment: Moment): void {
    const isAgents = this.#isPerson[this.#messages.at(-1) ?? -1] === false;
    const isMore = by === "agent" && isAgents && this.#chars < MAX_MESSAGE_CHARS;
    if (!isMore) this.#begin(by, moment);
    for (const part of content)
      this.#chars += part.type === "text" ? part.text.length : part.type === "image" ? part.data.length : 0;
    if (this.#open?.number === this.#messages.at(-1)) this.#open?.message.content.push(...content);
  }

  #begin(by: ImportedMessage["by"], { at, model }: Moment): void {
    if (this.#messages.length === 0) this.startedAt = at || undefined;
    const number = this.#isPerson.push(by === "person") - 1;
    this.#chars = 0;
    this.#messages.push(number);
    if (!this.#options.visit || this.#options.takenBack?.has(number)) return;
    this.#handOver();
    this.#open = { number, message: { by, at: at || undefined, model: model || undefined, content: [] } };
  }
}

/** Sentences about content that was left out. */
export function leftText({ left, shortened }: ImportLosses): string {
  const counts = [...left].map(([what, count]) => amount(count, what, LEFT[what]));
  const sentences = [
    ...(counts.length > 0 ? [`Left out: ${counts.join(", ")}.`] : []),
    ...(shortened > 0 ? [`Shortened: ${amount(shortened, "long text")}.`] : []),
  ];
  return sentences.length > 0 ? sentences.join(" ") : "Everything was taken over.";
}

function toolAttribute(name: string | undefined): string {
  return name ? `tool=${quotedAttribute(name)}` : "";
}

function textPart(text: string): Content[] {
  return text.trim() === "" ? [] : [{ type: "text", text: `${text.trim()}\n` }];
}

/** A paragraph of its own. */
function agentPart(text: string): Content[] {
  return [{ type: "text", text: `${text.trim()}\n\n` }];
}

/** Windows show fenced lines unchanged; a fence needs an empty line after a tag. */
function fenced(text: string): string {
  const lengths = Array.from(text.matchAll(/^\s*(`{3,})/gm), ([, ticks = ""]) => ticks.length);
  const fence = "`".repeat(Math.max(2, ...lengths) + 1);
  return `\n${fence}\n${text}\n${fence}\n`;
}
