// Runs in a separate thread (fitted-image.ts): receives an image, returns it scaled down, and ends.
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
import type { ScaleAsk, ScaledImage } from "./fitted-image.ts";

const QUALITIES = [85, 70, 50];

// The library reads its WebAssembly from beside its own file, so it is not bundled.
const photon = createRequire(import.meta.url)(
  "@silvia-odwyer/photon-node",
) as typeof import("@silvia-odwyer/photon-node");
const { bytes, side, maxBytes, isPhoto } = workerData as ScaleAsk;

const image = photon.PhotonImage.new_from_byteslice(bytes);
const longest = Math.max(image.get_width(), image.get_height());
let scaled: ScaledImage | undefined;
for (let longer = Math.min(side, longest); !scaled && longer >= 1; longer = Math.floor(longer / 2)) {
  scaled = encoded(longer / longest);
}
parentPort?.postMessage(scaled);

/** Text in pictures is readable as PNG, photos are small as JPEG; undefined where both are too large. */
function encoded(factor: number): ScaledImage | undefined {
  const widthPx = Math.max(1, Math.round(image.get_width() * factor));
  const heightPx = Math.max(1, Math.round(image.get_height() * factor));
  const smaller = factor < 1 ? photon.resize(image, widthPx, heightPx, photon.SamplingFilter.Triangle) : image;
  const png = isPhoto ? undefined : smaller.get_bytes();
  if (png && png.length <= maxBytes) return { bytes: png, mimeType: "image/png", widthPx, heightPx };
  for (const quality of QUALITIES) {
    const jpeg = smaller.get_bytes_jpeg(quality);
    if (jpeg.length <= maxBytes) return { bytes: jpeg, mimeType: "image/jpeg", widthPx, heightPx };
  }
  return undefined;
}
