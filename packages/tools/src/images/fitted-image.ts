import { isSendableImage } from "@harness/protocol";
import { runConverter } from "../converters/run-converter.ts";
import { pictureProblem } from "./checks/picture-problem.ts";
import { type ImageInfo, imageInfo } from "./image-info.ts";
import type { Orientation } from "./orientation.ts";

/** Vendors scale down what is larger, or refuse it where there are many images. */
const MAX_SIDE_PX = 2000;
/** With base64 below the 5 MB that vendors take, and a request with several images is sent in reasonable time. */
const MAX_SENT_BYTES = 2_000_000;
/** Decoded it takes four bytes a pixel. */
const MAX_PIXELS = 50_000_000;
const MAX_MS = 20_000;
const MAX_MEMORY_MB = 1024;

/** `form`: the smallest of the forms that models take, or the pixels themselves, four bytes each. */
export type ScaleAsk = {
  bytes: Uint8Array;
  side: number;
  maxBytes: number;
  isPhoto: boolean;
  orientation: Orientation;
  form: "sendable" | "png" | "rgba";
};
export type ScaledImage = { bytes: Uint8Array; mimeType: string; widthPx: number; heightPx: number };

/** An image as it is sent to a model; `isScaled`: it is smaller than the file. */
export type FittedImage = { bytes: Uint8Array; info: ImageInfo; isScaled: boolean };

/** A picture that a model gets; its sizes are absent where they could not be read. */
export type SentImage = { bytes: Uint8Array; mimeType: string; widthPx?: number; heightPx?: number };

/** `maxBytes` is for a picture among many. */
export type FitLimits = { signal: AbortSignal; maxBytes?: number };

const UNKNOWN = "it is not a PNG, JPEG, GIF, WebP or BMP image";

/**
 * A picture from a person or another program, checked and small enough for a model. Its bytes say what it is, whatever it is
 * called. The problem continues "the image cannot be shown: ".
 */
export async function imageForModel(bytes: Buffer, limits: FitLimits): Promise<SentImage | { problem: string }> {
  const info = imageInfo(bytes);
  if (!info) return { problem: UNKNOWN };
  const fitted = await fittedImage(bytes, info, limits);
  if ("problem" in fitted) return fitted;
  const { widthPx, heightPx } = fitted.info;
  const sizes = widthPx === undefined || heightPx === undefined ? {} : { widthPx, heightPx };
  return { bytes: fitted.bytes, mimeType: fitted.info.mimeType, ...sizes };
}

/**
 * Makes a sound image small enough for a model, and upright, where it is not. A library decodes it in a process of its own: images
 * are untrusted, and this program goes on meanwhile. The problem continues "the image cannot be shown: ".
 */
export async function fittedImage(
  bytes: Buffer,
  info: ImageInfo,
  { signal, maxBytes = MAX_SENT_BYTES }: FitLimits,
): Promise<FittedImage | { problem: string }> {
  const { widthPx = 0, heightPx = 0, mimeType, orientation = 1 } = info;
  const damage = await pictureProblem(bytes, info);
  if (damage !== undefined) return { problem: damage };
  const longest = Math.max(widthPx, heightPx);
  const isSmall = longest <= MAX_SIDE_PX && bytes.length <= maxBytes && orientation === 1;
  if (isSmall && isSendableImage(mimeType)) return { bytes, info, isScaled: false };
  const isPhoto = mimeType === "image/jpeg";
  const side = Math.min(MAX_SIDE_PX, longest);
  const scaled = await scaledImage(bytes, info, { side, maxBytes, isPhoto, form: "sendable" }, signal);
  if ("problem" in scaled) return scaled;
  const fitted = imageInfo(Buffer.from(scaled.bytes));
  return fitted ? { bytes: scaled.bytes, info: fitted, isScaled: true } : { problem: DAMAGED };
}

/** A place for a picture, and the form in which a terminal takes it. */
export type DrawingBox = { widthPx: number; heightPx: number; form: "png" | "rgba" };

/** A picture that fits into a box, for drawing it; one that is smaller stays as small. */
export async function drawnImage(
  bytes: Buffer,
  box: DrawingBox,
  signal: AbortSignal,
): Promise<ScaledImage | { problem: string }> {
  const info = imageInfo(bytes);
  if (!info) return { problem: UNKNOWN };
  const { widthPx = 1, heightPx = 1 } = info;
  const factor = Math.min(1, box.widthPx / widthPx, box.heightPx / heightPx);
  const side = Math.max(1, Math.floor(Math.max(widthPx, heightPx) * factor));
  return scaledImage(bytes, info, { side, maxBytes: MAX_SENT_BYTES * 2, isPhoto: false, form: box.form }, signal);
}

const DAMAGED = "it could not be scaled down; it may be damaged, or of a form that is not known here";

async function scaledImage(
  bytes: Buffer,
  { widthPx = 0, heightPx = 0, orientation = 1 }: ImageInfo,
  wanted: Omit<ScaleAsk, "bytes" | "orientation">,
  signal: AbortSignal,
): Promise<ScaledImage | { problem: string }> {
  if (Math.max(widthPx, heightPx) === 0) {
    return { problem: "its size in pixels is unknown, so it cannot be scaled down" };
  }
  if (widthPx * heightPx > MAX_PIXELS) {
    return { problem: `${widthPx} × ${heightPx} pixels are too many; make it smaller first` };
  }
  const ask: ScaleAsk = { ...wanted, orientation, bytes };
  const scaled = (await runConverter({
    folder: import.meta.dirname,
    name: "image-converter",
    data: ask,
    maxMs: MAX_MS,
    maxMemoryMb: MAX_MEMORY_MB,
    signal,
  })) as ScaledImage | undefined;
  return scaled ?? { problem: DAMAGED };
}
