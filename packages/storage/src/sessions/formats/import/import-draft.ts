import { amount, type Content, quotedAttribute, taggedText } from "@harness/protocol";
import { shownValue } from "./json-values.ts";

/** Longer results are cut: the conversation counts, not what a tool has printed. */
const MAX_RESULT_CHARS = 4_000;
const MAX_IMAGE_CHARS = 7_000_000;
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** The things that may not come along, and how several are called. */
const LEFT = {
  thought: "thoughts",
  summary: "summaries",
  picture: "pictures",
  "picture of a result": "pictures of results",
  attachment: "attachments",
  "slash command": "slash commands",
  "system message": "system messages",
  "message of a subagent": "messages of subagents",
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

/** A conversation as it is taken over: texts and pictures, calls as text. */
export type ImportedSession = {
  readonly messages: readonly ImportedMessage[];
  readonly title: string | undefined;
  readonly cwd: string | undefined;
  readonly left: ReadonlyMap<LeftOut, number>;
  /** How many long texts are cut to their beginning. */
  readonly shortened: number;
};

type Moment = { at?: string | undefined; model?: string | undefined };

/** Collects a conversation: what the agent says and does between two messages of the person is one message. */
export class ImportDraft {
  title: string | undefined;
  cwd: string | undefined;
  /** The origin, where it is not what usually has this format. */
  from: string | undefined;
  readonly #messages: ImportedMessage[] = [];
  readonly #left = new Map<LeftOut, number>();
  #shortened = 0;
  /** Names of calls by their id. */
  readonly #calls = new Map<string, string>();

  person(text: string, moment: Moment = {}, images: readonly Content[] = []): void {
    const content = [...textPart(text), ...images];
    if (content.length > 0) this.#add("person", content, moment);
  }

  agent(text: string, moment: Moment = {}): void {
    if (text.trim() !== "") this.#add("agent", textPart(text), moment);
  }

  call(id: string, name: string, input: unknown, moment: Moment = {}): void {
    if (id !== "") this.#calls.set(id, name);
    this.#add("agent", textPart(taggedText("call", toolAttribute(name), this.#clipped(shownValue(input)))), moment);
  }

  /** Text that neither the person nor the agent wrote: tags tell where it ends, whatever it has. */
  result(id: string, text: string, moment: Moment = {}): void {
    const tagged = taggedText("result", toolAttribute(this.#calls.get(id)), this.#clipped(text.trimEnd()));
    this.#add("agent", textPart(tagged), moment);
  }

  /** A picture, or nothing where it cannot be kept. */
  image(mimeType: string, data: string): Content[] {
    if (PICTURE.test(mimeType) && data.length <= MAX_IMAGE_CHARS && /^[A-Za-z0-9+/]+=*$/.test(data))
      return [{ type: "image", mimeType, data }];
    this.leave("picture");
    return [];
  }

  leave(what: LeftOut, count = 1): void {
    if (count > 0) this.#left.set(what, (this.#left.get(what) ?? 0) + count);
  }

  /** Takes back the last messages of the person, and what followed them. */
  rollBack(count: number): void {
    for (let left = count; left > 0 && this.#messages.length > 0; ) {
      this.leave("rolled back message");
      if (this.#messages.pop()?.by === "person") left -= 1;
    }
  }

  end(): ImportedSession {
    const { title, cwd } = this;
    return {
      messages: this.#messages,
      title: title?.trim() || undefined,
      cwd: cwd || undefined,
      left: this.#left,
      shortened: this.#shortened,
    };
  }

  #clipped(text: string): string {
    if (text.length <= MAX_RESULT_CHARS) return text;
    this.#shortened += 1;
    return `${text.slice(0, MAX_RESULT_CHARS)}… (${text.length} characters)`;
  }

  #add(by: ImportedMessage["by"], content: Content[], { at, model }: Moment): void {
    const last = this.#messages.at(-1);
    if (by === "agent" && last?.by === "agent") last.content.push(...content);
    else this.#messages.push({ by, at: at || undefined, model: model || undefined, content: [...content] });
  }
}

/** Sentences on the content that did not come along. */
export function leftText({ left, shortened }: Pick<ImportedSession, "left" | "shortened">): string {
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
