import type { ImageInfo } from "../image-info.ts";
import { DAMAGED } from "./damage.ts";
import { gifProblem } from "./gif-problem.ts";
import { jpegProblem } from "./jpeg-problem.ts";
import { pngProblem } from "./png-problem.ts";
import { webpProblem } from "./webp-problem.ts";

/** By type. All other types are decoded anyway, because no vendor accepts them as they are. */
const checks: Readonly<Record<string, (bytes: Buffer) => string | undefined | Promise<string | undefined>>> = {
  "image/png": pngProblem,
  "image/jpeg": jpegProblem,
  "image/gif": gifProblem,
  "image/webp": webpProblem,
};

/**
 * Why no program can decode a picture, as the end of "the image cannot be shown: "; undefined: no visible problem. If a
 * vendor cannot decode a picture, it refuses every later request of the session too.
 */
export async function pictureProblem(bytes: Buffer, { mimeType, widthPx, heightPx }: ImageInfo) {
  if (widthPx === 0 || heightPx === 0) return DAMAGED;
  return await checks[mimeType]?.(bytes);
}
