import { type Content, textOf } from "@harness/protocol";
import type { Job, JobCall, JobItem } from "../worker/messages.ts";
import type { GenerateRequest, Message } from "./generate.ts";

/** The field of `vendorData` that marks our own calls. */
export const RAW_CALL = "ggufCall";

/** Converts a request into a job for the model's process. */
export function jobOf(request: GenerateRequest, providerId: string): Job {
  const history = new History(request, providerId);
  for (const message of request.messages) history.add(message);
  const { maxOutputTokens, temperature, responseSchema } = request;
  return {
    history: history.items,
    tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
    thinks: request.effort !== "none",
    ...(responseSchema && { schema: responseSchema }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
  };
}

/**
 * True if the newest message contains an image. Images of older messages, which a different model saw, are named in the
 * text.
 */
export function bringsImage({ messages }: GenerateRequest): boolean {
  const last = messages.at(-1);
  if (last?.role === "user") return last.content.some((each) => each.type === "image");
  return last?.role === "tool" && (last.images?.length ?? 0) > 0;
}

class History {
  readonly items: JobItem[] = [];
  readonly #model: string;
  readonly #providerId: string;
  /** Calls that wait for their results. */
  readonly #calls = new Map<string, JobCall>();

  constructor({ system, model }: GenerateRequest, providerId: string) {
    this.#model = model;
    this.#providerId = providerId;
    if (system !== "") this.items.push({ role: "system", text: system });
  }

  add(message: Message): void {
    if (message.role === "user") this.#addUser(textWithImages(message.content));
    else if (message.role === "assistant") this.#addReply(message);
    else this.#addResult(message);
  }

  /** Templates refuse two user messages in a row. */
  #addUser(text: string): void {
    const last = this.items.at(-1);
    if (last?.role === "user") last.text += `\n\n${text}`;
    else this.items.push({ role: "user", text });
  }

  /** Text of the model after tool results belongs to the reply that made the calls. */
  #addReply({ parts, provider, model }: Extract<Message, { role: "assistant" }>): void {
    const isOwn = provider === this.#providerId && model === this.#model;
    const last = this.items.at(-1);
    const item = last?.role === "model" ? last : { role: "model" as const, parts: [] };
    if (item !== last) this.items.push(item);
    let isFirst = true;
    for (const part of parts) {
      if (part.type === "tool_call") {
        const { name, input, inputText, vendorData, toolCallId } = part;
        const raw = isOwn ? rawOf(vendorData) : undefined;
        const call: JobCall = { type: "call", name, input: input ?? inputText ?? {}, result: "", isFirst };
        if (raw !== undefined) call.raw = raw;
        isFirst = false;
        this.#calls.set(toolCallId, call);
        item.parts.push(call);
      } else if (part.text !== "" && (part.type === "text" || isOwn)) {
        item.parts.push({ type: part.type, text: part.text });
      }
    }
  }

  #addResult({ toolCallId, text, images }: Extract<Message, { role: "tool" }>): void {
    const result = [text, ...(images ?? []).map(imageText)].filter((each) => each !== "").join("\n");
    const call = this.#calls.get(toolCallId);
    if (call) call.result = result;
    else this.#addUser(result);
  }
}

function textWithImages(content: readonly Content[]): string {
  const images = content.filter((each) => each.type === "image").map(imageText);
  return [textOf(content), ...images].filter((each) => each !== "").join("\n");
}

function imageText(): string {
  return "[An image, which this model cannot see.]";
}

function rawOf(vendorData: unknown): unknown {
  if (typeof vendorData !== "object" || vendorData === null) return undefined;
  return (vendorData as Record<string, unknown>)[RAW_CALL];
}
