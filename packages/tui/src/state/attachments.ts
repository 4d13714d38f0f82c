import { imagePart, MAX_IMAGES } from "@harness/client/actions";
import type { Content, ImagePart, LoadedImage, MentionPreview } from "@harness/protocol";
import { slice } from "./slice.ts";
import type { Store } from "./store.ts";

/** Sent with the next message, besides its text. */
export type Attachments = {
  /** Images that the user has added, in this order. */
  readonly pictures: readonly LoadedImage[];
  /** The number of images that are still being read. */
  readonly loading: number;
  /** The message's `@` mentions. */
  readonly mentions: readonly MentionPreview[];
  readonly model: string | undefined;
  /** Undefined if unknown. */
  readonly seesImages: boolean | undefined;
};

export const attachments = slice<Attachments>("attachments", {
  pictures: [],
  loading: 0,
  mentions: [],
  model: undefined,
  seesImages: undefined,
});

/** True if the message has images, including ones that are still being read. */
export function hasPictures(state: Parameters<typeof attachments.of>[0]): boolean {
  const { pictures, loading } = attachments.of(state);
  return pictures.length > 0 || loading > 0;
}

/** Removes the images, to be sent with a message. */
export function takePictures(store: Store): ImagePart[] {
  const { pictures } = attachments.of(store.get());
  if (pictures.length > 0) attachments.change(store, { pictures: [] });
  return pictures.map(imagePart);
}

/** Attaches the images of a message that was not sent, or was taken back, to the next one. */
export function returnPictures(store: Store, content: readonly Content[]): void {
  const back = content.flatMap((part) => (part.type === "image" ? [loadedOf(part)] : []));
  if (back.length === 0) return;
  const { pictures } = attachments.of(store.get());
  attachments.change(store, { pictures: [...back, ...pictures].slice(0, MAX_IMAGES) });
}

function loadedOf({ name = "image", mimeType, data, widthPx = 0, heightPx = 0 }: ImagePart): LoadedImage {
  const sizeBytes = Buffer.byteLength(data, "base64");
  return { name, mimeType, data, widthPx, heightPx, original: { widthPx, heightPx, sizeBytes } };
}
