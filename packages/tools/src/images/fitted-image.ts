import { isSendableImage } from "@harness/protocol";
import { runInThread } from "../threads/run-in-thread.ts";
import { type ImageInfo, imageInfo } from "./image-info.ts";

/** Vendors scale down what is larger, or refuse it where there are many images. */
const MAX_SIDE_PX = 2000;
/** With base64 below the 5 MB that vendors take, and a request with several images is sent in reasonable time. */
const MAX_SENT_BYTES = 2_000_000;
/** Decoded it takes four bytes a pixel. */
const MAX_PIXELS = 50_000_000;
const MAX_MS = 20_000;
const MAX_MEMORY_MB = 1024;

export type ScaleAsk = { bytes: Uint8Array; side: number; maxBytes: number; isPhoto: boolean };
export type ScaledImage = { bytes: Uint8Array; mimeType: string; widthPx: number; heightPx: number };

/** An image as it is sent to a model; `isScaled`: it is smaller than the file. */
export type FittedImage = { bytes: Uint8Array; info: ImageInfo; isScaled: boolean };

/**
 * A picture that a person sends along, small enough for a model. What is no known image is left to the server of the
 * model, as `mimeType`. The problem continues "the image cannot be shown: ".
 */
export async function imageForModel(
  bytes: Buffer,
  mimeType: string,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; mimeType: string } | { problem: string }> {
  const info = imageInfo(bytes);
  if (!info && bytes.length > MAX_SENT_BYTES) return { problem: "it has no form that is known here" };
  if (!info) return { bytes, mimeType };
  const fitted = await fittedImage(bytes, info, signal);
  return "problem" in fitted ? fitted : { bytes: fitted.bytes, mimeType: fitted.info.mimeType };
}

/**
 * Makes an image small enough for a model, where it is not. A library decodes it in a thread of its own: images are
 * untrusted, and this program goes on meanwhile. The problem continues "the image cannot be shown: ".
 */
export async function fittedImage(
  bytes: Buffer,
  info: ImageInfo,
  signal: AbortSignal,
): Promise<FittedImage | { problem: string }> {
  const { widthPx = 0, heightPx = 0, mimeType } = info;
  const longest = Math.max(widthPx, heightPx);
  const isSmall = longest <= MAX_SIDE_PX && bytes.length <= MAX_SENT_BYTES;
  if (isSmall && isSendableImage(mimeType)) return { bytes, info, isScaled: false };
  if (longest === 0) return { problem: "its size in pixels is unknown, so it cannot be scaled down" };
  if (widthPx * heightPx > MAX_PIXELS) {
    return { problem: `${widthPx} × ${heightPx} pixels are too many; make it smaller first` };
  }
  const ask: ScaleAsk = {
    bytes: new Uint8Array(bytes),
    side: Math.min(MAX_SIDE_PX, longest),
    maxBytes: MAX_SENT_BYTES,
    isPhoto: mimeType === "image/jpeg",
  };
  const scaled = (await runInThread({
    folder: import.meta.dirname,
    name: "image-thread",
    data: ask,
    transfer: [ask.bytes.buffer as ArrayBuffer],
    maxMs: MAX_MS,
    maxMemoryMb: MAX_MEMORY_MB,
    signal,
  })) as ScaledImage | undefined;
  const fitted = scaled && imageInfo(Buffer.from(scaled.bytes));
  if (scaled && fitted) return { bytes: scaled.bytes, info: fitted, isScaled: true };
  return { problem: "it could not be scaled down; it may be damaged, or of a form that is not known here" };
}
