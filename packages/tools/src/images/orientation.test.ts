import { createRequire } from "node:module";
import { sample } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { imageForModel } from "./fitted-image.ts";
import { imageInfo } from "./image-info.ts";
import { orientationOf } from "./orientation.ts";

const photon = createRequire(import.meta.url)(
  "@silvia-odwyer/photon-node",
) as typeof import("@silvia-odwyer/photon-node");

const letters = "abcdef";
/** Pixels by letters: each has its own shade. */
const pixels = (rows: readonly string[]) =>
  Uint8Array.from(
    [...rows.join("")].flatMap((letter) => [letters.indexOf(letter) * 40, 10, 200 - letters.indexOf(letter) * 30, 255]),
  );
const stored = ["abc", "def"];
const picture = () => new photon.PhotonImage(pixels(stored), 3, 2);

/** EXIF data with one tag, in either byte order. */
function exif(orientation: number, order: "II" | "MM" = "MM"): Buffer {
  const tiff = Buffer.alloc(26);
  const [u16, u32] =
    order === "MM"
      ? [
          (value: number, at: number) => tiff.writeUInt16BE(value, at),
          (value: number, at: number) => tiff.writeUInt32BE(value, at),
        ]
      : [
          (value: number, at: number) => tiff.writeUInt16LE(value, at),
          (value: number, at: number) => tiff.writeUInt32LE(value, at),
        ];
  tiff.write(order, "latin1");
  u16(42, 2);
  u32(8, 4);
  u16(1, 8);
  u16(0x0112, 10);
  u16(3, 12);
  u32(1, 14);
  u16(orientation, 18);
  return tiff;
}

function pngWith(tiff: Buffer): Buffer {
  const png = Buffer.from(picture().get_bytes());
  const chunk = Buffer.alloc(12 + tiff.length);
  chunk.writeUInt32BE(tiff.length, 0);
  chunk.write("eXIf", 4, "latin1");
  tiff.copy(chunk, 8);
  // Readers skip unknown ancillary chunks, and this one with its wrong checksum.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

function jpegWith(tiff: Buffer): Buffer {
  const jpeg = Buffer.from(picture().get_bytes_jpeg(90));
  const head = Buffer.from("Exif\0\0", "latin1");
  const segment = Buffer.alloc(4);
  segment.writeUInt16BE(0xffe1, 0);
  segment.writeUInt16BE(2 + head.length + tiff.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, head, tiff, jpeg.subarray(2)]);
}

describe("the orientation of a picture", () => {
  it.each(
    sample(
      [
        [1, ["abc", "def"]],
        [2, ["cba", "fed"]],
        [3, ["fed", "cba"]],
        [4, ["def", "abc"]],
        [5, ["ad", "be", "cf"]],
        [6, ["da", "eb", "fc"]],
        [7, ["fc", "eb", "da"]],
        [8, ["cf", "be", "ad"]],
      ],
      3,
    ),
  )("%i is applied before a model gets it", async (orientation, rows) => {
    const sent = await imageForModel(pngWith(exif(orientation)), { signal: AbortSignal.timeout(10_000) });
    if ("problem" in sent) throw new Error(sent.problem);
    const seen = photon.PhotonImage.new_from_byteslice(sent.bytes);
    expect([seen.get_width(), seen.get_height()]).toEqual([rows[0]?.length, rows.length]);
    expect([...seen.get_raw_pixels()]).toEqual([...pixels(rows)]);
    expect(sent).toMatchObject({ widthPx: rows[0]?.length, heightPx: rows.length });
  });

  it("is read from a JPEG in both orders of bytes, and counts in its sizes", () => {
    for (const order of ["II", "MM"] as const) {
      expect(imageInfo(jpegWith(exif(6, order)))).toEqual({
        format: "JPEG",
        mimeType: "image/jpeg",
        widthPx: 2,
        heightPx: 3,
        orientation: 6,
      });
    }
  });

  it("is read from a WebP", () => {
    const webp = Buffer.from(picture().get_bytes_webp());
    const tiff = exif(8);
    const chunk = Buffer.alloc(8);
    chunk.write("EXIF", "latin1");
    chunk.writeUInt32LE(tiff.length, 4);
    expect(orientationOf(Buffer.concat([webp, chunk, tiff]))).toBe(8);
  });

  it.each([
    ["a value that is none", exif(9)],
    ["nothing", Buffer.alloc(0)],
    ["a directory beyond its end", Buffer.concat([exif(6).subarray(0, 4), Buffer.from([0xff, 0xff, 0xff, 0xff])])],
    ["another thing", Buffer.from("not a TIFF file at all")],
  ])("is 1 where EXIF says %s", (_what, tiff) => {
    expect(orientationOf(pngWith(tiff))).toBe(1);
    expect(orientationOf(jpegWith(tiff))).toBe(1);
  });
});
