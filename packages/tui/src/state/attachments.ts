import { imagePart, MAX_IMAGES } from "@harness/client/actions";
import type { Content, ImagePart, LoadedImage, MentionPreview } from "@harness/protocol";
import { slice } from "./slice.ts";
import type { Store } from "./store.ts";

/** Goes with the next message, besides its text. */
export type Attachments = {
  /** Pictures that the person has added, in this order. */
  readonly pictures: readonly LoadedImage[];
  /** Pictures that are still being read. */
  readonly loading: number;
  /** The message's `@` mentions. */
  readonly mentions: readonly MentionPreview[];
  readonly model: string | undefined;
  /** Undefined: unknown. */
  readonly seesImages: boolean | undefined;
};

export const attachments = slice<Attachments>("attachments", {
  pictures: [],
  loading: 0,
  mentions: [],
  model: undefined,
  seesImages: undefined,
});

/** Whether pictures wait for the message, those that are still being read as well. */
export function hasPictures(state: Parameters<typeof attachments.of>[0]): boolean {
  const { pictures, loading } = attachments.of(state);
  return pictures.length > 0 || loading > 0;
}

/** Takes the pictures away, for the message that is sent with them. */
export function takePictures(store: Store): ImagePart[] {
  const { pictures } = attachments.of(store.get());
  if (pictures.length > 0) attachments.change(store, { pictures: [] });
  return pictures.map(imagePart);
}

/** Pictures of a message that was not sent, or has come back, go with the next one. */
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
