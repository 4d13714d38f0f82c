import type { ModelMessage, ModelRequest } from "@harness/core";
import type { Content } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import { withSecondTry } from "./with-second-try.ts";

const LEFT_OUT = { type: "text" as const, text: "(An image is left out: this model does not see images.)" };

/**
 * Sends images only to a model that can see; others get text instead. If that is unknown, the server's refusal decides.
 * `seesImages`: whether the model can see, as far as known.
 */
export function withSeenImages(
  provider: WireProvider,
  { seesImages }: { seesImages?: boolean | undefined },
): WireProvider {
  const inWords: WireProvider = {
    id: provider.id,
    stream: (request, signal) => provider.stream(withoutImages(request), signal),
  };
  if (seesImages === false) return inWords;
  return withSecondTry(provider, inWords, {
    refusal: "no_images",
    what: "no_images",
    key: ({ messages, model }) => (messages.some(hasImages) ? model : undefined),
    detail: ({ model }) => `${model} cannot see images: they are left out.`,
  });
}

function hasImages(message: ModelMessage): boolean {
  if (message.role === "user") return message.content.some(isImage);
  return message.role === "tool" && (message.images?.length ?? 0) > 0;
}

function isImage(part: Content): boolean {
  return part.type === "image";
}

function withoutImages(request: ModelRequest): ModelRequest {
  if (!request.messages.some(hasImages)) return request;
  return { ...request, messages: request.messages.map((message) => (hasImages(message) ? inWords(message) : message)) };
}

function inWords(message: ModelMessage): ModelMessage {
  if (message.role === "user") {
    return { ...message, content: message.content.map((part) => (isImage(part) ? LEFT_OUT : part)) };
  }
  if (message.role !== "tool") return message;
  const { images: _, ...rest } = message;
  return { ...rest, text: `${message.text}\n${LEFT_OUT.text}` };
}
