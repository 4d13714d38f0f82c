import type { ImagePart, LoadedImage } from "@harness/protocol";
import { byteCount } from "./byte-count.ts";

/** A message takes no more. */
export const MAX_IMAGES = 10;
export const TOO_MANY_IMAGES = `A message takes ${MAX_IMAGES} images. /image drop N removes one.`;

/** An image as a part of the message that it goes with. */
export function imagePart({ name, mimeType, data, widthPx, heightPx }: LoadedImage): ImagePart {
  return { type: "image", name, mimeType, data, widthPx, heightPx };
}

/** A numbered line an image: name and size. */
export function imageList(images: readonly LoadedImage[]): string {
  const lines = images.map(({ name, original: { widthPx, heightPx, sizeBytes } }, at) => {
    const size = widthPx > 0 ? `, ${widthPx}×${heightPx}, ${byteCount(sizeBytes)}` : "";
    return `${at + 1}. ${name}${size}`;
  });
  return lines.join("\n");
}

/** A path as a shell or a terminal writes it. */
export function unquotedPath(path: string): string {
  const quoted = /^(['"])(.*)\1$/s.exec(path)?.[2];
  return quoted ?? path.replace(/\\(.)/gs, "$1");
}
