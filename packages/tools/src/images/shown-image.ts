import type { ToolResult } from "@harness/core";
import { byteSize } from "@harness/protocol";
import { fittedImage } from "./fitted-image.ts";
import type { ImageInfo } from "./image-info.ts";

/** An image and its source. `shown`: its name for people and models. */
export type ImageSource = { bytes: Buffer; info: ImageInfo; path: string; shown: string };

/** The image for models that see, with words for everyone else. */
export async function shownImage(
  { bytes, info, path, shown }: ImageSource,
  signal: AbortSignal,
): Promise<ToolResult | { problem: string }> {
  const fitted = await fittedImage(bytes, info, { signal });
  if ("problem" in fitted) {
    return {
      problem: `${shown} is an image (${described(info, bytes.length)}), and cannot be shown: ${fitted.problem}.`,
    };
  }
  const sent = fitted.isScaled ? `; shown smaller: ${described(fitted.info, fitted.bytes.length)}` : "";
  const description = `${shown}: ${info.format} image, ${described(info, bytes.length)}${sent}`;
  return {
    status: "ok",
    text: description,
    blocks: [{ type: "image", mimeType: info.mimeType, path, description }],
    images: [{ type: "image", mimeType: fitted.info.mimeType, data: Buffer.from(fitted.bytes).toString("base64") }],
  };
}

function described({ widthPx, heightPx, mimeType }: ImageInfo, sizeBytes: number): string {
  const pixels = widthPx === undefined ? "size unknown" : `${widthPx} × ${heightPx} pixels`;
  return `${pixels}, ${byteSize(sizeBytes)}, ${mimeType}`;
}
