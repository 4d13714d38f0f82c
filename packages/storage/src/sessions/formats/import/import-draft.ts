import type { Content } from "@harness/protocol";
import { shownValue } from "./json-values.ts";

/** Longer results are cut: the conversation counts, not what a tool has printed. */
const MAX_RESULT_CHARS = 4_000;
const MAX_IMAGE_CHARS = 7_000_000;
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

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
  /** Counts by the words for what was left out. */
  readonly left: ReadonlyMap<string, number>;
};

type Moment = { at?: string | undefined; model?: string | undefined };

/** Collects a conversation: what the agent says and does between two messages of the person is one message. */
export class ImportDraft {
  title: string | undefined;
  cwd: string | undefined;
  readonly #messages: ImportedMessage[] = [];
  readonly #left = new Map<string, number>();
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
    this.#add("agent", textPart(`[Called ${name || "a tool"}: ${clipped(shownValue(input))}]`), moment);
  }

  result(id: string, text: string, moment: Moment = {}): void {
    const name = this.#calls.get(id);
    const from = name === undefined ? "" : ` of ${name}`;
    if (text.length > MAX_RESULT_CHARS) this.leave("long results, shortened");
    this.#add("agent", textPart(`[Result${from}:\n${clipped(text.trimEnd())}]`), moment);
  }

  /** A picture, or nothing where it cannot be kept. */
  image(mimeType: string, data: string): Content[] {
    if (PICTURE.test(mimeType) && data.length <= MAX_IMAGE_CHARS && /^[A-Za-z0-9+/]+=*$/.test(data))
      return [{ type: "image", mimeType, data }];
    this.leave("pictures");
    return [];
  }

  leave(what: string, count = 1): void {
    if (count > 0) this.#left.set(what, (this.#left.get(what) ?? 0) + count);
  }

  /** Takes back the last messages of the person, and what followed them. */
  rollBack(count: number): void {
    for (let left = count; left > 0 && this.#messages.length > 0; ) {
      if (this.#messages.pop()?.by === "person") left -= 1;
    }
  }

  end(): ImportedSession {
    const { title, cwd } = this;
    return { messages: this.#messages, title: title?.trim() || undefined, cwd: cwd || undefined, left: this.#left };
  }

  #add(by: ImportedMessage["by"], content: Content[], { at, model }: Moment): void {
    const last = this.#messages.at(-1);
    if (by === "agent" && last?.by === "agent") last.content.push(...content);
    else this.#messages.push({ by, at: at || undefined, model: model || undefined, content: [...content] });
  }
}

function textPart(text: string): Content[] {
  return text.trim() === "" ? [] : [{ type: "text", text: `${text.trim()}\n` }];
}

function clipped(text: string): string {
  return text.length <= MAX_RESULT_CHARS ? text : `${text.slice(0, MAX_RESULT_CHARS)}… (${text.length} characters)`;
}
