import type { ModelMessage } from "@harness/core";
import type { Content } from "@harness/protocol";

/** `images`: from the preceding results. */
type SentMessage = ModelMessage | { role: "images"; content: Content[] };

/**
 * The conversation for servers whose results may only contain text: the images of results follow the last of them, as
 * if the user had sent them.
 */
export function* withImagesAfterResults(messages: readonly ModelMessage[]): Generator<SentMessage> {
  let images: Content[] = [];
  for (const message of messages) {
    if (message.role !== "tool" && images.length > 0) {
      yield { role: "images", content: images };
      images = [];
    }
    if (message.role === "tool") images.push(...(message.images ?? []));
    yield message;
  }
  if (images.length > 0) yield { role: "images", content: images };
}
