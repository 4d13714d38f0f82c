import type { ImagePart, LoadedImage } from "@harness/protocol";
import { byteCount } from "./byte-count.ts";

/** The most images that a message accepts. */
export const MAX_IMAGES = 10;
export const TOO_MANY_IMAGES = `A message takes ${MAX_IMAGES} images. /image drop N removes one.`;

/** An image as a part of its message. */
export function imagePart({ name, mimeType, data, widthPx, heightPx }: LoadedImage): ImagePart {
  return { type: "image", name, mimeType, data, widthPx, heightPx };
}

/** One numbered line per image: name and size. */
export function imageList(images: readonly LoadedImage[]): string {
  const lines = images.map(({ name, original: { widthPx, heightPx, sizeBytes } }, at) => {
    const size = widthPx > 0 ? `, ${widthPx}×${heightPx}, ${byteCount(sizeBytes)}` : "";
    return `${at + 1}. ${name}${size}`;
  });
  return lines.join("\n");
}

/** Undoes the quoting that a shell or a terminal adds to a path. */
export function unquotedPath(path: string): string {
  const quoted = /^(['"])(.*)\1$/s.exec(path)?.[2];
  return quoted ?? path.replace(/\\(.)/gs, "$1");
}
