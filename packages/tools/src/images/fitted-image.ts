import { isSendableImage } from "@harness/protocol";
import { runConverter } from "../converters/run-converter.ts";
import { pictureProblem } from "./checks/picture-problem.ts";
import { type ImageInfo, imageInfo } from "./image-info.ts";
import type { Orientation } from "./orientation.ts";

/** Vendors scale down larger images, or refuse them if there are many. */
const MAX_SIDE_PX = 2000;
/** With base64 this stays below the vendors' 5 MB, and a request with several images is sent in reasonable time. */
const MAX_SENT_BYTES = 2_000_000;
/** Decoding takes four bytes per pixel. */
const MAX_PIXELS = 50_000_000;
const MAX_MS = 20_000;
const MAX_MEMORY_MB = 1024;

/** `form`: the smallest format that models accept, or the raw pixels, four bytes each. */
export type ScaleAsk = {
  bytes: Uint8Array;
  side: number;
  maxBytes: number;
  isPhoto: boolean;
  orientation: Orientation;
  form: "sendable" | "png" | "rgba";
};
export type ScaledImage = { bytes: Uint8Array; mimeType: string; widthPx: number; heightPx: number };

/** An image as sent to a model; `isScaled`: it is smaller than the file. */
export type FittedImage = { bytes: Uint8Array; info: ImageInfo; isScaled: boolean };

/** A picture for a model; its sizes are absent if they could not be read. */
export type SentImage = { bytes: Uint8Array; mimeType: string; widthPx?: number; heightPx?: number };

/** `maxBytes`: the limit for one picture among many. */
export type FitLimits = { signal: AbortSignal; maxBytes?: number };

const UNKNOWN = "it is not a PNG, JPEG, GIF, WebP or BMP image";

/**
 * A picture from the user or another program, checked and made small enough for a model. Its bytes determine its type,
 * whatever its name. The problem continues "the image cannot be shown: ".
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
 * Makes an intact image small enough for a model, and upright. A library decodes it in a separate process, because
 * images are untrusted and this program must not block. The problem continues "the image cannot be shown: ".
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

/** The space for a picture, and the format that a terminal accepts. */
export type DrawingBox = { widthPx: number; heightPx: number; form: "png" | "rgba" };

/** Scales a picture down to fit into a box, for drawing; a smaller one keeps its size. */
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
