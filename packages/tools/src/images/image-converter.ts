// Runs in a separate process (fitted-image.ts): receives an image, returns it scaled down and upright, and exits.
import { createRequire } from "node:module";
import type { PhotonImage } from "@silvia-odwyer/photon-node";
import { convertOnce } from "../converters/convert-once.ts";
import type { ScaleAsk, ScaledImage } from "./fitted-image.ts";
import { isTurned, uprightPlace } from "./orientation.ts";

const QUALITIES = [85, 70, 50];

// The library reads its WebAssembly from its own folder, so it is not bundled.
const photon = createRequire(import.meta.url)(
  "@silvia-odwyer/photon-node",
) as typeof import("@silvia-odwyer/photon-node");

convertOnce((ask: ScaleAsk): ScaledImage | undefined => {
  const { side } = ask;
  const image = photon.PhotonImage.new_from_byteslice(ask.bytes);
  const longest = Math.max(image.get_width(), image.get_height());
  for (let longer = Math.min(side, longest); longer >= 1; longer = Math.floor(longer / 2)) {
    const scaled = encoded(upright(resized(image, longer / longest), ask), ask);
    if (scaled) return scaled;
  }
  return undefined;
});

/** Text in pictures is readable as PNG, photos are small as JPEG; undefined: both are too large. */
function encoded(smaller: PhotonImage, { form, isPhoto, maxBytes }: ScaleAsk): ScaledImage | undefined {
  const size = { widthPx: smaller.get_width(), heightPx: smaller.get_height() };
  if (form === "rgba") return { bytes: smaller.get_raw_pixels(), mimeType: "image/x-rgba", ...size };
  const png = isPhoto && form === "sendable" ? undefined : smaller.get_bytes();
  if (png && png.length <= maxBytes) return { bytes: png, mimeType: "image/png", ...size };
  if (form === "png") return undefined;
  for (const quality of QUALITIES) {
    const jpeg = smaller.get_bytes_jpeg(quality);
    if (jpeg.length <= maxBytes) return { bytes: jpeg, mimeType: "image/jpeg", ...size };
  }
  return undefined;
}

function resized(image: PhotonImage, factor: number): PhotonImage {
  if (factor >= 1) return image;
  const widthPx = Math.max(1, Math.round(image.get_width() * factor));
  const heightPx = Math.max(1, Math.round(image.get_height() * factor));
  return photon.resize(image, widthPx, heightPx, photon.SamplingFilter.Triangle);
}

/** The library ignores EXIF, so the pixels are rotated here; the output has no EXIF data. */
function upright(from: PhotonImage, { orientation }: ScaleAsk): PhotonImage {
  if (orientation === 1) return from;
  const size = { widthPx: from.get_width(), heightPx: from.get_height() };
  const { widthPx, heightPx } = size;
  const pixels = new Uint32Array(from.get_raw_pixels().slice().buffer);
  const turned = new Uint32Array(pixels.length);
  const [columns, rows] = isTurned(orientation) ? [heightPx, widthPx] : [widthPx, heightPx];
  for (let y = 0, at = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, at++) {
      const place = uprightPlace(orientation, { x, y }, size);
      turned[place.y * columns + place.x] = pixels[at] ?? 0;
    }
  }
  return new photon.PhotonImage(new Uint8Array(turned.buffer), columns, rows);
}
